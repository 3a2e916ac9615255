// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/parse.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Parse)
};

struct Split
{
    double number = 0;
    QString unit;
};

tl::unexpected<Error> refuse(QStringView text, QString why)
{
    return fail(ErrorCode::ParseFailed, u'“' + text.toString() + u'”', std::move(why));
}

Result<double> parseNumber(QStringView whole, QString digits, const QLocale& locale)
{
    const QString point = locale.decimalPoint();
    // Where the comma is the decimal mark, “1.000” is a thousand to some and one to others.
    static const QRegularExpression grouped(QStringLiteral(R"(^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$)"));
    if (point == QStringLiteral(",") && grouped.match(digits).hasMatch())
        return refuse(whole,
                      Words::tr("a point before three digits is not clear here; write the "
                                "decimal mark as a comma, and no separators between thousands"));
    if (digits.contains(u',')) {
        if (point != QStringLiteral(","))
            return refuse(
                whole, Words::tr("a comma is not clear here; write the decimal mark as a point"));
        digits.replace(u',', u'.');
    }
    if (digits.count(u'.') > 1)
        return refuse(whole, Words::tr("leave out the separators between thousands"));
    bool ok = false;
    const double number = QLocale::c().toDouble(digits, &ok);
    // A number beyond what a double holds is no failure to read it.
    if (std::isinf(number))
        return refuse(whole, Words::tr("it is too large"));
    if (!ok)
        return refuse(whole, Words::tr("there is no number in it"));
    return number;
}

// "2.5 GbE" -> 2.5 and "GbE".
Result<Split> split(QStringView text, const QLocale& locale)
{
    static const QRegularExpression shape(
        QStringLiteral(R"(^([+-]?[0-9.,]*(?:[eE][+-]?[0-9]+)?)\s*(\S.*)?$)"));
    const QString trimmed =
        text.toString().replace(QChar(0x00a0), u' ').replace(QChar(0x202f), u' ').trimmed();
    if (trimmed.isEmpty())
        return refuse(text, Words::tr("it is empty"));
    const auto match = shape.match(trimmed);
    if (!match.hasMatch() || match.captured(1).isEmpty())
        return refuse(text, Words::tr("it does not begin with a number"));
    const auto number = parseNumber(text, match.captured(1), locale);
    if (!number)
        return tl::unexpected(number.error());
    if (*number < 0)
        return refuse(text, Words::tr("it is negative"));
    return Split{*number, match.captured(2).trimmed()};
}

struct UnitSize
{
    const char* symbol; // UTF-8, exact case
    double size;
};

std::optional<double> sizeOf(const QString& unit, std::span<const UnitSize> units)
{
    for (const UnitSize& known : units) {
        if (unit == QString::fromUtf8(known.symbol))
            return known.size;
    }
    return std::nullopt;
}

template <typename T>
Result<std::int64_t> whole(QStringView text, T value)
{
    if (!(value < 9.0e18))
        return refuse(text, Words::tr("it is too large"));
    return std::llround(value);
}

// Multiples of one bit per second for every accepted rate unit.
std::optional<double> rateUnit(const QString& unit)
{
    static const QRegularExpression shape(
        QStringLiteral(R"(^([kKMGT]?i?)(b/s|bps|bit/s|bits/s|bE|B/s|Bps|byte/s|bytes/s)$)"));
    const auto match = shape.match(unit);
    if (!match.hasMatch())
        return std::nullopt;
    static constexpr std::array prefixes{
        UnitSize{"", 1},           UnitSize{"k", 1e3},           UnitSize{"M", 1e6},
        UnitSize{"G", 1e9},        UnitSize{"T", 1e12},          UnitSize{"Ki", 1024.0},
        UnitSize{"Mi", 1048576.0}, UnitSize{"Gi", 1073741824.0}, UnitSize{"Ti", 1099511627776.0}};
    const auto prefix = sizeOf(match.captured(1), prefixes);
    if (!prefix)
        return std::nullopt;
    const QString base = match.captured(2);
    if (base == QStringLiteral("bE") && *prefix < 1e6)
        return std::nullopt;
    return *prefix * (base.startsWith(u'B') || base.startsWith(QStringLiteral("byte")) ? 8.0 : 1.0);
}

} // namespace

Result<BitRate> parseBitRate(QStringView text, const QLocale& locale)
{
    const auto parts = split(text, locale);
    if (!parts)
        return tl::unexpected(parts.error());
    if (parts->unit.isEmpty())
        return refuse(
            text,
            Words::tr(
                "the unit is missing; write Gb/s for gigabits or GB/s for gigabytes per second"));
    if (const auto unit = rateUnit(parts->unit))
        return whole(text, parts->number * *unit).map([](std::int64_t n) {
            return BitRate::bitsPerSecond(n);
        });
    static const QRegularExpression lower(QStringLiteral(R"(^[kmgt]i?(b/s|bps|bit/s|be)$)"));
    if (lower.match(parts->unit).hasMatch())
        return refuse(
            text,
            Words::tr("bits or bytes? Write Gb/s for gigabits or GB/s for gigabytes per second"));
    static const QRegularExpression amount(QStringLiteral(R"(^[kKMGT]?i?[bB](it|its|yte|ytes)?$)"));
    if (amount.match(parts->unit).hasMatch())
        return refuse(text,
                      Words::tr("that is an amount, not a rate; write it per second, as in Gb/s"));
    return refuse(
        text,
        Words::tr("%1 is not a unit of rate; write Gb/s, Mb/s, GB/s or MB/s").arg(parts->unit));
}

Result<ByteCount> parseByteCount(QStringView text, const QLocale& locale)
{
    static constexpr std::array units{UnitSize{"B", 1},
                                      UnitSize{"byte", 1},
                                      UnitSize{"bytes", 1},
                                      UnitSize{"kB", 1e3},
                                      UnitSize{"MB", 1e6},
                                      UnitSize{"GB", 1e9},
                                      UnitSize{"TB", 1e12},
                                      UnitSize{"KiB", 1024.0},
                                      UnitSize{"MiB", 1048576.0},
                                      UnitSize{"GiB", 1073741824.0},
                                      UnitSize{"TiB", 1099511627776.0}};
    const auto parts = split(text, locale);
    if (!parts)
        return tl::unexpected(parts.error());
    if (parts->unit.isEmpty())
        return refuse(text, Words::tr("the unit is missing; write B, kB, KiB, MB or MiB"));
    const auto unit = sizeOf(parts->unit, units);
    if (!unit)
        return refuse(
            text,
            Words::tr("%1 is not a unit of size; write B, kB, KiB, MB or MiB").arg(parts->unit));
    const double bytes = parts->number * *unit;
    if (bytes != std::floor(bytes))
        return refuse(text, Words::tr("that is not a whole number of bytes"));
    return whole(text, bytes).map([](std::int64_t n) { return ByteCount::bytes(n); });
}

Result<Duration> parseDuration(QStringView text, const QLocale& locale)
{
    static constexpr std::array units{
        UnitSize{"ns", 1},   UnitSize{"us", 1e3}, UnitSize{"µs", 1e3},   UnitSize{"μs", 1e3},
        UnitSize{"ms", 1e6}, UnitSize{"s", 1e9},  UnitSize{"min", 60e9}, UnitSize{"h", 3600e9}};
    const auto parts = split(text, locale);
    if (!parts)
        return tl::unexpected(parts.error());
    if (parts->unit.isEmpty())
        return refuse(text, Words::tr("the unit is missing; write µs, ms or s"));
    const auto unit = sizeOf(parts->unit, units);
    if (!unit)
        return refuse(
            text,
            Words::tr("%1 is not a unit of time; write µs, ms, s, min or h").arg(parts->unit));
    return whole(text, parts->number * *unit).map([](std::int64_t n) { return Duration(n); });
}

} // namespace napkin
