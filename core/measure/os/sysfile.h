// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace napkin {

// Small files of /proc and /sys. Never more than 4 KiB of one.
[[nodiscard]] std::optional<QByteArray> readSysFile(const QString& path); // trimmed
[[nodiscard]] std::optional<std::int64_t> readSysNumber(const QString& path);
// The last part of where a link leads: a driver's name, a subsystem's. Empty: there is no link.
[[nodiscard]] QString sysLinkName(const QString& path);

} // namespace napkin
