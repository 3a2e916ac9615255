// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"

#include <array>
#include <cmath>
#include <span>

namespace napkin {

namespace {

constexpr QChar noBreakSpace(0x00a0);
constexpr double hair = 1e-12; // far below what is shown, far above what binary fractions lose

struct Unit
{
    double size;
    const char* symbol; // UTF-8
};

// How many decimals show three significant digits of `value`.
int decimalsFor(double value)
{
    const double magnitude = std::abs(value);
    if (magnitude >= 99.95)
        return 0;
    if (magnitude >= 9.995)
        return 1;
    if (magnitude >= 0.9995 || magnitude == 0)
        return magnitude == 0 ? 0 : 2;
    return 2 - static_cast<int>(std::floor(std::log10(magnitude / 0.9995 * (1 + hair))));
}

// Half goes up, away from zero, as people round: of 312.5 the tie is exact, of 1.005 it is lost in
// the binary fraction, which lies a hair below.
QString rounded(double value, int decimals, const QLocale& locale)
{
    const double scale = std::pow(10.0, decimals);
    const double scaled = value * scale * (1 + hair);
    return std::abs(scaled) < 1e15 ? locale.toString(std::round(scaled) / scale, 'f', decimals)
                                   : locale.toString(value, 'f', decimals);
}

// The largest unit that leaves at least 1, looking at the rounded value so that 999.9 kb/s
// reads 1.00 Mb/s.
QString withUnit(double value, std::span<const Unit> ascending, const QLocale& locale)
{
    const Unit* chosen = ascending.data();
    for (const Unit& unit : ascending) {
        if (std::abs(value) >= unit.size * 0.9995)
            chosen = &unit;
    }
    const double scaled = value / chosen->size;
    // The smallest unit counts whole things.
    const int decimals =
        chosen == ascending.data() && scaled == std::floor(scaled) ? 0 : decimalsFor(scaled);
    return rounded(scaled, decimals, locale) + noBreakSpace + QString::fromUtf8(chosen->symbol);
}

// What two decimals show exactly needs no zeros behind the point.
bool isRound(double value)
{
    return value >= 1 && std::abs(value * 100 - std::round(value * 100)) < 1e-9;
}

QString roundNumber(double value, const QLocale& locale)
{
    return isRound(value) ? locale.toString(value, 'g', 6) : formatNumber(value, locale);
}

} // namespace

QString formatNumber(double value, const QLocale& locale)
{
    if (!std::isfinite(value))
        return QStringLiteral("–");
    return rounded(value, std::min(decimalsFor(value), 9), locale);
}

QString formatBitRate(BitRate rate, const QLocale& locale)
{
    static constexpr std::array units{Unit{1, "b/s"}, Unit{1e3, "kb/s"}, Unit{1e6, "Mb/s"},
                                      Unit{1e9, "Gb/s"}, Unit{1e12, "Tb/s"}};
    return withUnit(static_cast<double>(rate.bitsPerSecond()), units, locale);
}

QString formatByteRate(ByteRate rate, const QLocale& locale)
{
    static constexpr std::array units{Unit{1, "B/s"}, Unit{1e3, "kB/s"}, Unit{1e6, "MB/s"},
                                      Unit{1e9, "GB/s"}, Unit{1e12, "TB/s"}};
    return withUnit(static_cast<double>(rate.bytesPerSecond()), units, locale);
}

QString formatBytes(ByteCount count, const QLocale& locale)
{
    static constexpr std::array units{Unit{1, "B"}, Unit{1e3, "kB"}, Unit{1e6, "MB"},
                                      Unit{1e9, "GB"}, Unit{1e12, "TB"}};
    return withUnit(static_cast<double>(count.bytes()), units, locale);
}

QString formatBytesBinary(ByteCount count, const QLocale& locale)
{
    constexpr double k = 1024;
    static constexpr std::array units{Unit{1, "B"}, Unit{k, "KiB"}, Unit{k * k, "MiB"},
                                      Unit{k * k * k, "GiB"}, Unit{k * k * k * k, "TiB"}};
    const double value = static_cast<double>(count.bytes());
    for (size_t i = units.size();
         i-- > 1;) { // whole multiples read as people type them: 128 KiB, 1 MiB
        if (count.bytes() != 0 && std::fmod(value, units[i].size) == 0)
            return locale.toString(value / units[i].size, 'f', 0) + noBreakSpace +
                   QString::fromUtf8(units[i].symbol);
    }
    return withUnit(value, units, locale);
}

QString formatDuration(Duration time, const QLocale& locale)
{
    static constexpr std::array units{Unit{1, "ns"}, Unit{1e3, "µs"}, Unit{1e6, "ms"},
                                      Unit{1e9, "s"}};
    if (time == Duration::zero())
        return QStringLiteral("0") + noBreakSpace + u's';
    const double ns = static_cast<double>(time.count());
    const double seconds = std::abs(ns) / 1e9;
    if (seconds < 600)
        return withUnit(ns, units, locale);
    static constexpr std::array longUnits{Unit{60e9, "min"}, Unit{3600e9, "h"}};
    return withUnit(ns, longUnits, locale);
}

QString formatRatio(Ratio ratio, const QLocale& locale)
{
    const double percent = ratio.percent();
    if (!std::isfinite(percent))
        return QStringLiteral("–");
    const int decimals =
        std::abs(percent) >= 9.95 || percent == 0 ? 0 : (std::abs(percent) >= 0.995 ? 1 : 2);
    return rounded(percent, decimals, locale) + noBreakSpace + u'%';
}

QString formatRating(BitRate rate, const QLocale& locale)
{
    if (!isRound(rate.gigabitsPerSecond()))
        return formatBitRate(rate, locale);
    return formatRatedGigabits(rate, locale) + noBreakSpace + QStringLiteral("Gb/s");
}

QString formatRating(ByteRate rate, const QLocale& locale)
{
    if (!isRound(rate.gigabytesPerSecond()))
        return formatByteRate(rate, locale);
    return formatRatedGigabytes(rate, locale) + noBreakSpace + QStringLiteral("GB/s");
}

QString formatGigabits(BitRate rate, const QLocale& locale)
{
    return formatNumber(rate.gigabitsPerSecond(), locale);
}

QString formatGigabytes(ByteRate rate, const QLocale& locale)
{
    return formatNumber(rate.gigabytesPerSecond(), locale);
}

QString formatRatedGigabits(BitRate rate, const QLocale& locale)
{
    return roundNumber(rate.gigabitsPerSecond(), locale);
}

QString formatRatedGigabytes(ByteRate rate, const QLocale& locale)
{
    return roundNumber(rate.gigabytesPerSecond(), locale);
}

} // namespace napkin
