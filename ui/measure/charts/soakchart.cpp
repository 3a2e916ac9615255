// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/soakchart.h"

#include "core/quantity/format.h"
#include "ui/measure/measurewords.h"

#include <QLocale>
#include <QPainterPath>

#include <algorithm>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr Duration newestOver = 1s;

struct ClockUnit
{
    double seconds = 1;
    QString title;
};

ClockUnit unitFor(double seconds)
{
    if (seconds > 3 * 3'600)
        return {3'600, SoakChart::tr("Time (h)")};
    if (seconds > 300)
        return {60, SoakChart::tr("Time (min)")};
    return {1, SoakChart::tr("Time (s)")};
}

bool isOf(const SoakEvent& event, const std::vector<SoakEvent::Kind>& kinds)
{
    return std::ranges::find(kinds, event.kind) != kinds.end();
}

} // namespace

SoakChart::SoakChart(QWidget* parent)
    : PlotView(parent)
{
    setAccessibleName(tr("Chart of the rate of a soak and of its faults"));
    begin({});
}

void SoakChart::begin(const SoakOptions& options)
{
    m_expected = std::max(inSeconds(options.duration), 1.0);
    m_data = {};
    m_before = {};
    setData({});
}

void SoakChart::setData(const SoakData& data)
{
    if (data.elapsed - m_data.elapsed >= newestOver || data.elapsed < m_data.elapsed ||
        m_before.totals.empty() || data.elapsed - m_before.elapsed > 2 * newestOver) {
        m_before.totals = m_data.totals;
        m_before.elapsed = m_data.elapsed;
    }
    m_data = data;
    m_summary = summarise(m_data);
    setAccessibleDescription(inWords());
    update();
}

std::optional<BitRate> SoakChart::newest(Direction direction) const
{
    const auto now = std::ranges::find(m_data.totals, direction, &SoakTotal::direction);
    const auto before = std::ranges::find(m_before.totals, direction, &SoakTotal::direction);
    const Duration time = m_data.elapsed - m_before.elapsed;
    if (now == m_data.totals.end() || before == m_before.totals.end() || time <= Duration::zero())
        return std::nullopt;
    return BitRate::of(now->received - before->received, time);
}

std::vector<SoakChart::Lane> SoakChart::lanes() const
{
    using Kind = SoakEvent::Kind;
    return {{tr("Stalls"), {Kind::Stall}, ColorRole::Caution, m_data.stalls},
            {tr("Drop-outs"), {Kind::DropOut}, ColorRole::Problem, m_data.dropOuts},
            {tr("Damaged"),
             {Kind::Corrupted, Kind::OutOfSequence},
             ColorRole::Problem,
             m_summary.corrupted + m_summary.outOfSequence},
            {tr("Program"),
             {Kind::ProgramGap, Kind::HeldUp},
             ColorRole::Secondary,
             m_data.programGaps + m_data.heldUps}};
}

QString SoakChart::inWords() const
{
    if (m_data.totals.empty())
        return tr("Nothing measured yet");
    QStringList words{tr("%1 so far").arg(formatDuration(m_data.elapsed))};
    for (const auto& [direction, side] : {std::pair(Direction::Forward, m_summary.forward),
                                          std::pair(Direction::Reverse, m_summary.reverse)}) {
        if (side)
            words << arrow(direction) + u' ' +
                         tr("%1, %2 checked")
                             .arg(formatBitRate(side->mean), formatBytes(side->checked));
    }
    for (const Lane& lane : lanes())
        words << tr("%1: %2", "a kind of event, how many")
                     .arg(lane.name, QLocale().toString(qint64(lane.count)));
    return words.join(QStringLiteral("\n"));
}

void SoakChart::setTimeScale(PlotAxis& axis) const
{
    const double end = std::max(m_expected, inSeconds(m_data.elapsed));
    const ClockUnit unit = unitFor(end);
    axis.setFromZero(end / unit.seconds);
    axis.low *= unit.seconds;
    axis.high *= unit.seconds;
    for (PlotAxis::Tick& tick : axis.ticks)
        tick.value *= unit.seconds;
    axis.title = unit.title;
}

void SoakChart::setRateScale(PlotAxis& axis) const
{
    double top = 1e6;
    for (const SoakSpan& span : m_data.spans)
        top = std::max(top, 1.05 * static_cast<double>(span.most.bitsPerSecond()));
    const double scale = top >= 1e9 ? 1e9 : 1e6;
    axis.setFromZero(top,
                     [scale](double bits) { return QLocale().toString(bits / scale, 'g', 6); });
    axis.title = scale >= 1e9 ? QStringLiteral("Gb/s") : QStringLiteral("Mb/s");
}

void SoakChart::paintPlot(QPainter& painter)
{
    const QRectF outer = inner();
    const auto all = lanes();
    const double laneHeight = lineHeight() + 4;
    const double below = laneHeight * static_cast<double>(all.size()) + gap(2);
    double names = 0;
    for (const Lane& lane : all)
        names = std::max(names, widthOf(lane.name + QStringLiteral("  000")));
    PlotPanel panel;
    setTimeScale(panel.x);
    setRateScale(panel.y);
    const double right = widthOf(arrow(Direction::Forward)) + gap(3);
    layOut(panel, outer.adjusted(0, 0, 0, -below), right);
    panel.area.setLeft(std::max(panel.area.left(), outer.left() + names + gap(1)));
    drawAxes(painter, panel, Grid::Horizontal);
    painter.save();
    painter.setClipRect(panel.area.adjusted(0, -2, 0, 2));
    for (const auto direction : {Direction::Forward, Direction::Reverse})
        drawRates(painter, panel, direction);
    painter.restore();
    drawNames(painter, panel);
    drawLanes(painter, panel,
              QRectF(outer.left(), outer.bottom() - below + gap(2), outer.width(), laneHeight));
    if (m_data.spans.empty())
        drawNote(painter, panel.area, panel.area.center(), tr("Waiting for the first second"),
                 color(ColorRole::Secondary), Qt::AlignHCenter);
    drawReadout(painter, panel);
}

// In runs without a gap: where there was no connection there is no line.
void SoakChart::drawRates(QPainter& painter, const PlotPanel& panel, Direction direction) const
{
    const QColor ink = series(direction == Direction::Forward ? 0 : 1);
    QColor pale = ink;
    pale.setAlphaF(0.22F);
    QPainterPath line;
    double end = -1;
    painter.setPen(Qt::NoPen);
    for (const SoakSpan& span : m_data.spans) {
        if (span.direction != direction)
            continue;
        const double from = inSeconds(span.start);
        const double to = from + inSeconds(span.length);
        const auto y = [&](BitRate rate) {
            return panel.place(from, static_cast<double>(rate.bitsPerSecond())).y();
        };
        const double left = panel.place(from, 0).x();
        const double right = std::max(panel.place(to, 0).x(), left + 1);
        if (span.most > span.least)
            painter.fillRect(QRectF(QPointF(left, y(span.most)), QPointF(right, y(span.least))),
                             pale);
        const QPointF middle((left + right) / 2, y(span.median));
        if (end < 0 || from > end + 0.6)
            line.moveTo(middle);
        else
            line.lineTo(middle);
        if (end < 0 || from > end + 0.6) // a span that stands alone is seen, too
            line.lineTo(middle + QPointF(1, 0));
        end = to;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 1.8));
    painter.drawPath(line);
}

void SoakChart::drawNames(QPainter& painter, const PlotPanel& panel) const
{
    painter.setFont(smallFont());
    const double height = lineHeight();
    double free = panel.area.top() - height / 2;
    std::vector<std::pair<double, Direction>> ends;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const auto last =
            std::find_if(m_data.spans.rbegin(), m_data.spans.rend(),
                         [direction](const SoakSpan& span) { return span.direction == direction; });
        if (last != m_data.spans.rend())
            ends.emplace_back(static_cast<double>(last->median.bitsPerSecond()), direction);
    }
    std::ranges::sort(ends, std::ranges::greater());
    for (const auto& [rate, direction] : ends) {
        const double top = std::max(free, panel.place(panel.x.low, rate).y() - height / 2);
        painter.setPen(series(direction == Direction::Forward ? 0 : 1));
        painter.drawText(QRectF(panel.area.right() + gap(1), top, width(), height),
                         Qt::AlignLeft | Qt::AlignVCenter, arrow(direction));
        free = top + height;
    }
}

void SoakChart::drawLanes(QPainter& painter, const PlotPanel& panel, QRectF place) const
{
    painter.setFont(smallFont());
    for (const Lane& lane : lanes()) {
        const QColor ink = lane.count > 0 ? color(lane.role) : color(ColorRole::Secondary);
        painter.setPen(lane.count > 0 ? color(ColorRole::Text) : color(ColorRole::Secondary));
        painter.drawText(QRectF(place.left(), place.top(),
                                panel.area.left() - place.left() - gap(1), place.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         lane.name + u' ' + QLocale().toString(qint64(lane.count)));
        painter.setPen(color(ColorRole::Line));
        painter.drawLine(QPointF(panel.area.left(), place.center().y()),
                         QPointF(panel.area.right(), place.center().y()));
        for (const SoakEvent& event : m_data.events) {
            if (!isOf(event, lane.kinds))
                continue;
            // The time of a program's gap is no part of the run.
            const bool isMoment = event.kind == SoakEvent::Kind::ProgramGap;
            const double from = inSeconds(event.start);
            const double to = isMoment ? from : from + inSeconds(event.length);
            const double left = panel.place(from, 0).x();
            const double right = std::max(left + 3, panel.place(to, 0).x());
            painter.fillRect(
                QRectF(QPointF(left, place.top() + 2), QPointF(right, place.bottom() - 2)), ink);
        }
        place.translate(0, place.height());
    }
}

QString SoakChart::noteAt(double when, double slack) const
{
    QStringList words;
    for (const Lane& lane : lanes()) {
        for (const SoakEvent& event : m_data.events) {
            const double from = inSeconds(event.start);
            const bool isMoment = event.kind == SoakEvent::Kind::ProgramGap;
            const double to = isMoment ? from : from + inSeconds(event.length);
            if (!isOf(event, lane.kinds) || when < from - slack || when > to + slack)
                continue;
            words
                << (event.length > Duration::zero()
                        ? tr("%1 at %2, %3", "kind, when, how long")
                              .arg(lane.name, formatDuration(event.start),
                                   formatDuration(event.length))
                        : tr("%1 at %2", "kind, when").arg(lane.name, formatDuration(event.start)));
            if (words.size() >= 3)
                return words.join(QLatin1Char('\n'));
        }
    }
    return words.join(QLatin1Char('\n'));
}

void SoakChart::drawReadout(QPainter& painter, const PlotPanel& panel) const
{
    if (!pointer() || pointer()->x() < panel.area.left() || pointer()->x() > panel.area.right())
        return;
    const double x = pointer()->x();
    const double when = panel.x.value((x - panel.area.left()) / panel.area.width());
    painter.setPen(QPen(color(ColorRole::Secondary), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, panel.area.top()), QPointF(x, inner().bottom()));
    double y = panel.area.top() + lineHeight();
    for (const SoakSpan& span : m_data.spans) {
        const double from = inSeconds(span.start);
        if (when < from || when >= from + inSeconds(span.length))
            continue;
        drawNote(painter, panel.area, {x + 6, y},
                 arrow(span.direction) + u' ' +
                     tr("%1, seconds from %2 to %3")
                         .arg(formatBitRate(span.median), formatBitRate(span.least),
                              formatBitRate(span.most)),
                 series(span.direction == Direction::Forward ? 0 : 1), Qt::AlignLeft);
        y += lineHeight() + 4;
    }
    const double slack = 3 * (panel.x.high - panel.x.low) / std::max(1.0, panel.area.width());
    for (const QString& line : noteAt(when, slack).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        drawNote(painter, panel.area, {x + 6, y}, line, color(ColorRole::Problem), Qt::AlignLeft);
        y += lineHeight() + 4;
    }
}

} // namespace napkin
