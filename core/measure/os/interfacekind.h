// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/links.h"

namespace napkin {

// What an interface is, from what rtnetlink tells, its driver's name, and whether nl80211 knows it.
[[nodiscard]] InterfaceKind interfaceKindOf(const LinkRow& link, const QString& driver,
                                            bool isWifi);

// Whether there is no device behind it whose speed could have been negotiated.
[[nodiscard]] bool isWithoutWire(InterfaceKind kind);

} // namespace napkin
