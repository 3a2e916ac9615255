// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/quantity/quantity.h"

#include <QString>

#include <chrono>
#include <optional>

namespace napkin::cli {

// Reading what was typed. Faults name the option and say what is allowed.

[[nodiscard]] tl::unexpected<Error> wrongUse(const QString& what, const QString& why);

[[nodiscard]] Result<int> parseWhole(const QString& option, const QString& text);
// "10 s", "50 ms"; a bare number takes `bareUnit`, or is refused when that is empty. Whole
// milliseconds.
[[nodiscard]] Result<std::chrono::milliseconds>
parseTime(const QString& option, const QString& text, const QString& bareUnit);
// "5 ms", "300 us"; whole microseconds.
[[nodiscard]] Result<std::chrono::microseconds> parseInterval(const QString& option,
                                                              const QString& text);
// "300 Mb/s"
[[nodiscard]] Result<BitRate> parseRate(const QString& option, const QString& text);
// "128 KiB"; a bare number is bytes.
[[nodiscard]] Result<ByteCount> parseSize(const QString& option, const QString& text);

struct FarAddress
{
    QString host; // without brackets
    std::optional<int> port;
};
// name, 10.0.0.2, fe80::1%eth0, [fe80::1], and each with a port: name:5201, [fe80::1]:5201.
[[nodiscard]] Result<FarAddress> parseFarAddress(const QString& text);

} // namespace napkin::cli
