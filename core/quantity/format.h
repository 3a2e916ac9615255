// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QLocale>
#include <QString>

namespace napkin {

// Three significant digits and a unit, a no-break space between: "9.42 Gb/s". Digits and separators
// are the locale's; units are the same in every language. A value of three digits or more before
// the point loses none. Half is rounded up: 312.5 reads 313.
[[nodiscard]] QString formatNumber(double value, const QLocale& locale = QLocale());
[[nodiscard]] QString formatBitRate(BitRate rate,
                                    const QLocale& locale = QLocale()); // b/s kb/s Mb/s Gb/s Tb/s
[[nodiscard]] QString formatByteRate(ByteRate rate,
                                     const QLocale& locale = QLocale()); // B/s kB/s MB/s GB/s TB/s
[[nodiscard]] QString formatBytes(ByteCount count,
                                  const QLocale& locale = QLocale()); // B kB MB GB TB
[[nodiscard]] QString formatBytesBinary(ByteCount count,
                                        const QLocale& locale = QLocale()); // B KiB MiB GiB TiB
[[nodiscard]] QString formatDuration(Duration time,
                                     const QLocale& locale = QLocale()); // ns µs ms s, then min, h
[[nodiscard]] QString formatRatio(Ratio ratio,
                                  const QLocale& locale = QLocale()); // "94 %", below 10 %: "4.2 %"

// A rating as it is sold, without zeros that say nothing: "10 Gb/s", "2.5 Gb/s", "1.25 GB/s".
[[nodiscard]] QString formatRating(BitRate rate, const QLocale& locale = QLocale());
[[nodiscard]] QString formatRating(ByteRate rate, const QLocale& locale = QLocale());

// Only the number, for a column whose header names the unit.
[[nodiscard]] QString formatGigabits(BitRate rate, const QLocale& locale = QLocale());
[[nodiscard]] QString formatGigabytes(ByteRate rate, const QLocale& locale = QLocale());
[[nodiscard]] QString formatRatedGigabits(BitRate rate, const QLocale& locale = QLocale());
[[nodiscard]] QString formatRatedGigabytes(ByteRate rate, const QLocale& locale = QLocale());

} // namespace napkin
