// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

// What sysfs tells of the device behind an interface. `root` is the file system's: "/" but in
// tests.
namespace napkin {

class Adapter
{
public:
    // Without a device when sysfs shows another network namespace than ours, which it does when it
    // was mounted there: the interface's number tells.
    Adapter(const QString& interfaceName, int index, const QString& root = QStringLiteral("/"));

    [[nodiscard]] QString driver() const; // empty: there is no device, or it has none
    [[nodiscard]] Reading<PcieLink> pcie() const;

private:
    QString m_device; // its folder; empty: none
};

} // namespace napkin
