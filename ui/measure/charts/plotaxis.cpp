// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/plotaxis.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

QString plain(double value)
{
    return QLocale().toString(value, 'g', 6);
}

double roundStep(double top)
{
    const double magnitude = std::pow(10.0, std::floor(std::log10(top / 4)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * magnitude * 5 >= top)
            return factor * magnitude;
    }
    return 10 * magnitude;
}

} // namespace

double PlotAxis::share(double value) const
{
    if (scale == Scale::Even)
        return (value - low) / (high - low);
    return std::log(std::max(value, low * 1e-3) / low) / std::log(high / low);
}

double PlotAxis::value(double share) const
{
    return scale == Scale::Even ? low + share * (high - low) : low * std::pow(high / low, share);
}

void PlotAxis::setFromZero(double top, const std::function<QString(double)>& text)
{
    const double wanted = std::isfinite(top) && top > 0 ? top : 1;
    const double step = roundStep(wanted);
    const int count = static_cast<int>(std::ceil(wanted / step - 1e-9));
    scale = Scale::Even;
    low = 0;
    high = count * step;
    ticks.clear();
    for (int i = 0; i <= count; ++i)
        ticks.append({i * step, text ? text(i * step) : plain(i * step)});
}

void PlotAxis::setDecades(double least, double most, const std::function<QString(double)>& text)
{
    scale = Scale::Logarithmic;
    const double bottom = std::isfinite(least) && least > 0 ? least : 1e-6;
    const double top = std::max(std::isfinite(most) ? most : 0, bottom * 1.5);
    const bool few = std::log10(top / bottom) < 2.2;
    const int first = static_cast<int>(std::floor(std::log10(bottom) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(top) - 1e-9));
    QList<double> all;
    for (int power = first; power <= last; ++power) {
        for (const double factor : {1.0, 2.0, 5.0})
            all.append(factor * std::pow(10.0, power));
    }
    // The last tick at or under what is shown begins it, the first at or over it ends it.
    const auto upper = std::ranges::find_if(all, [&](double v) { return v > bottom * 1.0001; });
    const auto begin = upper == all.begin() ? upper : upper - 1;
    const auto end = std::ranges::find_if(all, [&](double v) { return v >= top * 0.9999; });
    low = *begin;
    high = end == all.end() ? all.back() : *end;
    ticks.clear();
    for (auto it = begin; it != all.end() && *it <= high * 1.0001; ++it) {
        const bool isPower = (it - all.begin()) % 3 == 0;
        if (few || isPower)
            ticks.append({*it, text(*it)});
    }
}

void PlotAxis::setDoublings(double least, double most, const std::function<QString(double)>& text)
{
    scale = Scale::Logarithmic;
    const int first = static_cast<int>(std::floor(std::log2(std::max(least, 1.0)) + 1e-9));
    const int last =
        std::max(first + 1, static_cast<int>(std::ceil(std::log2(std::max(most, 1.0)) - 1e-9)));
    low = std::pow(2.0, first);
    high = std::pow(2.0, last);
    const int stride = last - first > 12 ? 4 : last - first > 6 ? 2 : 1;
    ticks.clear();
    for (int power = first; power <= last; ++power) {
        const double value = std::pow(2.0, power);
        if ((power - first) % stride == 0)
            ticks.append({value, text(value)});
    }
}

QString roundTimeText(double seconds)
{
    const TimeUnit unit = timeUnitFor(seconds * 1.0001);
    return QLocale().toString(seconds * unit.perSecond, 'g', 4) + QChar(QChar::Nbsp) + unit.name;
}

QString roundSizeText(double bytes)
{
    const auto in = [](double value, QLatin1StringView unit) {
        return QLocale().toString(value, 'g', 4) + QChar(QChar::Nbsp) + unit;
    };
    if (bytes >= 1024.0 * 1024)
        return in(bytes / (1024.0 * 1024), QLatin1StringView("MiB"));
    if (bytes >= 1024)
        return in(bytes / 1024, QLatin1StringView("KiB"));
    return in(bytes, QLatin1StringView("B"));
}

TimeUnit timeUnitFor(double top)
{
    if (top >= 1)
        return {QStringLiteral("s"), 1};
    if (top >= 1e-3)
        return {QStringLiteral("ms"), 1e3};
    if (top >= 1e-6)
        return {QStringLiteral("µs"), 1e6};
    return {QStringLiteral("ns"), 1e9};
}

} // namespace napkin
