// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <functional>

namespace napkin {

// One axis of a drawn chart: a range, even or logarithmic, with round ticks.
struct PlotAxis
{
    enum class Scale { Even, Logarithmic };
    struct Tick
    {
        double value = 0;
        QString text; // empty: a line without a number
    };

    double low = 0;
    double high = 1;
    Scale scale = Scale::Even;
    QString title;
    QList<Tick> ticks;

    [[nodiscard]] double share(double value) const; // 0 at `low`, 1 at `high`
    [[nodiscard]] double value(double share) const;

    // From zero to a round number at or over `top`. `text` has the words of a tick.
    void setFromZero(double top, const std::function<QString(double)>& text = {});
    // From and to 1, 2 or 5 times a power of ten; ticks at the powers, and at 2 and 5 times them
    // where there are few. Both are positive.
    void setDecades(double least, double most, const std::function<QString(double)>& text);
    // Powers of two, for sizes.
    void setDoublings(double least, double most, const std::function<QString(double)>& text);
};

// "20 µs", "1 ms": a round time, in seconds, with its unit.
[[nodiscard]] QString roundTimeText(double seconds);
// "64 B", "4 KiB", "1 MiB".
[[nodiscard]] QString roundSizeText(double bytes);

// The unit in which an even axis up to `top` seconds reads best, and how many of it a second has.
struct TimeUnit
{
    QString name;
    double perSecond = 1e3;
};
[[nodiscard]] TimeUnit timeUnitFor(double top);

} // namespace napkin
