// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/quantity/quantity.h"

#include <QLocale>
#include <QStringView>

namespace napkin {

// Reads what people type. A unit is always needed; upper and lower case tell bits from bytes, so
// "gb/s" is refused (Gb/s or GB/s?). The decimal mark is a point, or the locale's own; group
// separators are refused, since "1,000" means two things. Whatever is not understood is an error
// whose detail says why, never a guess.

// "2.5 GbE", "2.5 Gb/s", "2.5 Gbit/s", "2.5Gbps", "941 Mb/s", and with bytes "312 MB/s", "1 GiB/s",
// "25 GBps".
[[nodiscard]] Result<BitRate> parseBitRate(QStringView text, const QLocale& locale = QLocale());

// "128 KiB", "1 MiB", "16 kB", "8192 B", "8192 bytes".
[[nodiscard]] Result<ByteCount> parseByteCount(QStringView text, const QLocale& locale = QLocale());

// "300us", "300 µs", "1.5 ms", "10 s", "2 min", "1 h".
[[nodiscard]] Result<Duration> parseDuration(QStringView text, const QLocale& locale = QLocale());

} // namespace napkin
