// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/ratechart.h"

#include "core/quantity/format.h"
#include "ui/measure/measurewords.h"
#include "ui/theme/theme.h"

#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

namespace napkin {

RateChart::RateChart(QWidget* parent)
    : ChartFrame(parent)
{
    setAccessibleName(tr("Chart of the rate over time"));
    begin(10, {});
    RateChart::restyle();
}

QColor RateChart::colorOf(Direction direction, const QPalette& palette)
{
    return seriesColor(direction == Direction::Forward ? 0 : 1, palette);
}

void RateChart::begin(double seconds, std::vector<Fact<BitRate>> ratings)
{
    m_expected = seconds;
    m_ratings = std::move(ratings);
    setHistory({});
}

void RateChart::setHistory(const RateHistory& history)
{
    m_history = history;
    double top = history.highest() * 1.05;
    for (const auto& rating : m_ratings)
        top = std::max(top, static_cast<double>(rating.value().bitsPerSecond()) * 1.02);
    chooseUnit(top);
    setRoundRange(valueAxis(), top > 0 ? top / m_scale : 1);
    setRoundRange(timeAxis(), std::max(m_expected, history.end()));
    fill(Direction::Forward, m_forward);
    fill(Direction::Reverse, m_reverse);
    setAccessibleDescription(
        history.isEmpty()
            ? tr("Nothing measured yet")
            : tr("%Ln points over %1 s", nullptr, pointCount()).arg(formatNumber(history.end())));
    viewport()->update();
}

void RateChart::setSummary(const ThroughputSummary& summary)
{
    QStringList lines;
    for (const auto& [direction, one] : {std::pair(Direction::Forward, summary.forward),
                                         std::pair(Direction::Reverse, summary.reverse)}) {
        if (!one)
            continue;
        QStringList words{
            tr("mean %1").arg(formatBitRate(one->throughput)),
        };
        if (one->lowest)
            words << tr("lowest second %1").arg(formatBitRate(*one->lowest));
        if (one->highest)
            words << tr("highest second %1").arg(formatBitRate(*one->highest));
        if (one->rtt)
            words << tr("RTT under load %1").arg(formatDuration(*one->rtt));
        lines << (direction == Direction::Forward ? tr("Forward: %1") : tr("Reverse: %1"))
                     .arg(words.join(QStringLiteral(", ")));
    }
    if (!lines.isEmpty())
        setAccessibleDescription(lines.join(QLatin1Char('\n')));
}

void RateChart::chooseUnit(double highest)
{
    // Gb/s before anything is known: what the links of this trade are sold in.
    if (highest >= 1e9 || highest <= 0) {
        m_scale = 1e9;
        m_unit = QStringLiteral("Gb/s");
    } else if (highest >= 1e6) {
        m_scale = 1e6;
        m_unit = QStringLiteral("Mb/s");
    } else {
        m_scale = 1e3;
        m_unit = QStringLiteral("kb/s");
    }
    valueAxis()->setTitleText(m_unit);
}

void RateChart::fill(Direction direction, std::vector<QLineSeries*>& lines)
{
    const auto segments = m_history.segments(direction);
    while (lines.size() < segments.size()) {
        auto* line = new QLineSeries;
        attach(line);
        lines.push_back(line);
        restyle();
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QList<QPointF> points;
        if (i < segments.size()) {
            points.reserve(segments[i].size());
            for (const QPointF& point : segments[i])
                points.append({point.x(), point.y() / m_scale});
        }
        lines[i]->setPointsVisible(points.size() == 1); // a line of one point is not seen
        lines[i]->replace(points);
    }
}

int RateChart::pointCount() const
{
    qsizetype count = 0;
    for (const auto* lines : {&m_forward, &m_reverse}) {
        for (const QLineSeries* line : *lines)
            count += line->count();
    }
    return static_cast<int>(count);
}

void RateChart::restyle()
{
    ChartFrame::restyle();
    QPen forward(colorOf(Direction::Forward, palette()), 2);
    QPen reverse(colorOf(Direction::Reverse, palette()), 2, Qt::DashLine);
    reverse.setDashPattern({5, 2});
    for (QLineSeries* line : m_forward)
        line->setPen(forward);
    for (QLineSeries* line : m_reverse)
        line->setPen(reverse);
}

void RateChart::drawNotes(QPainter& painter)
{
    const QRectF area = plot();
    if (m_history.omitUntil() > 0) {
        QColor shade = themeColor(ColorRole::Secondary, palette());
        shade.setAlphaF(0.12F);
        const double right = place(m_history.omitUntil(), 0).x();
        painter.fillRect(QRectF(area.left(), area.top(), right - area.left(), area.height()),
                         shade);
        drawNote(painter, QPointF(area.left() + 4, area.bottom() - 10), tr("left out"),
                 themeColor(ColorRole::Secondary, palette()), Qt::AlignLeft);
    }
    drawRatings(painter);
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const auto segments = m_history.segments(direction);
        if (segments.empty())
            continue;
        // Clear of the line: above (→) or below (←) of where its last points went.
        const QList<QPointF>& line = segments.back();
        const bool forward = direction == Direction::Forward;
        double extreme = line.back().y();
        for (qsizetype i = line.size() - 1; i >= 0 && line.back().x() - line[i].x() < 0.5; --i)
            extreme = forward ? std::max(extreme, line[i].y()) : std::min(extreme, line[i].y());
        drawNote(painter,
                 place(line.back().x(), extreme / m_scale) + QPointF(0, forward ? -14 : 14),
                 forward ? tr("→ forward") : tr("← reverse"), colorOf(direction, palette()),
                 Qt::AlignRight);
    }
    drawReadout(painter);
}

void RateChart::drawRatings(QPainter& painter)
{
    const QColor rated = themeColor(ColorRole::Rated, palette());
    const QRectF area = plot();
    for (const auto& rating : m_ratings) {
        const double y =
            place(0, static_cast<double>(rating.value().bitsPerSecond()) / m_scale).y();
        painter.setPen(QPen(rated, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        // Above the line and at the left: what arrives is below it and named at the right.
        drawNote(painter, QPointF(area.left() + 4, y - 11),
                 tr("rated %1").arg(formatRating(rating.value())), rated, Qt::AlignLeft);
    }
}

void RateChart::drawReadout(QPainter& painter)
{
    if (!hoveredX())
        return;
    const QRectF area = plot();
    double y = area.top() + 10;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const auto value = m_history.at(direction, *hoveredX());
        if (!value)
            continue;
        const QPointF at(place(*hoveredX(), 0).x() + 6, y);
        drawNote(painter, at, arrow(direction) + QLatin1Char(' ') + formatBitRate(*value),
                 colorOf(direction, palette()), Qt::AlignLeft);
        y += 20;
    }
}

} // namespace napkin
