// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace napkin::cli {

// Where the user's service manager looks: ~/.config/systemd/user/napkin.service.
[[nodiscard]] QString userUnitPath();

// The text of the unit: starts `program` with `arguments`, and lets it do little else than measure.
// `writable`: the folder of the keys.
[[nodiscard]] QString userUnit(const QString& program, const QStringList& arguments,
                               const QString& writable);

} // namespace napkin::cli
