// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace napkin {

// Lower-case letters a to z and digits 2 to 7 (RFC 4648, without padding): safe to read aloud and
// to paste into a shell.
[[nodiscard]] QString toBase32(const QByteArray& bytes);

// Takes either case. Nothing for other characters, a length that cannot be, or bits left over.
[[nodiscard]] std::optional<QByteArray> fromBase32(QStringView text);

} // namespace napkin
