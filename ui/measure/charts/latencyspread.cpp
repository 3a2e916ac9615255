// SPDX-License-Identifier: GPL-3.0-or-later
// How the RTTs of a latency chart are spread: histogram and cumulative share.
#include "core/quantity/format.h"
#include "ui/measure/charts/latencychart.h"

#include <QLocale>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

QString percentText(double percent)
{
    return QLocale().toString(percent, 'g', 4) + QStringLiteral(" %");
}

} // namespace

void LatencyChart::drawMarksAcross(QPainter& painter, const PlotPanel& panel, double top) const
{
    const QColor ink = color(ColorRole::Measured);
    double row = top;
    for (const Mark& mark : marks()) {
        const double x = panel.place(mark.value, panel.y.low).x();
        painter.setPen(QPen(ink, 1.2, mark.style));
        painter.drawLine(QPointF(x, panel.area.top()), QPointF(x, panel.area.bottom()));
        drawNote(painter, panel.area, {x + 4, row},
                 tr("%1 %2", "what, time").arg(mark.name, timeText(mark.value)), ink,
                 Qt::AlignLeft);
        row += lineHeight() + 2;
    }
}

void LatencyChart::paintHistogram(QPainter& painter)
{
    PlotPanel panel = m_panel;
    const int bins = std::clamp(static_cast<int>(panel.area.width() / 8), 12, 80);
    std::vector<int> counts(static_cast<std::size_t>(bins), 0);
    for (const double time : m_times) {
        const double share = std::clamp(panel.x.share(time), 0.0, 1.0);
        ++counts[std::min(static_cast<std::size_t>(share * bins), counts.size() - 1)];
    }
    const double all = static_cast<double>(m_times.size());
    const double tallest = *std::ranges::max_element(counts) / all * 100;
    panel.y.setFromZero(tallest * 1.05);
    panel.y.title = tr("Share of the answers (%)");
    layOut(panel, inner());
    drawAxes(painter, panel, Grid::Horizontal);
    painter.setPen(Qt::NoPen);
    const double width = panel.area.width() / bins;
    for (int i = 0; i < bins; ++i) {
        const int count = counts[static_cast<std::size_t>(i)];
        if (count == 0)
            continue;
        const double top = panel.place(panel.x.low, count / all * 100).y();
        QRectF bar(panel.area.left() + i * width, top, std::max(1.0, width - 1),
                   panel.area.bottom() - top);
        bar.setTop(std::min(bar.top(), panel.area.bottom() - 1.5)); // a single one is seen
        painter.fillRect(bar, series(0));
    }
    drawMarksAcross(painter, panel, panel.area.top() + lineHeight() / 2);
    if (!pointer() || !panel.area.contains(*pointer()))
        return;
    const int at =
        std::clamp(static_cast<int>((pointer()->x() - panel.area.left()) / width), 0, bins - 1);
    drawNote(painter, panel.area, *pointer() + QPointF(8, -lineHeight()),
             tr("%1 to %2: %3")
                 .arg(timeText(panel.x.value(double(at) / bins)),
                      timeText(panel.x.value(double(at + 1) / bins)),
                      tr("%Ln messages", nullptr, counts[static_cast<std::size_t>(at)])),
             series(0), Qt::AlignLeft);
}

void LatencyChart::paintCumulative(QPainter& painter)
{
    PlotPanel panel = m_panel;
    panel.y.setFromZero(100, percentText);
    panel.y.title = tr("Answered by then");
    layOut(panel, inner());
    drawAxes(painter, panel, Grid::Both);
    const double all = static_cast<double>(m_samples.size() - warmUp());
    const int columns = static_cast<int>(panel.area.width());
    QPainterPath path;
    std::size_t under = 0;
    for (int i = 0; i <= columns; ++i) {
        const double limit = panel.x.value(double(i) / columns);
        while (under < m_times.size() && m_times[under] <= limit)
            ++under;
        const QPointF at(panel.area.left() + i,
                         panel.place(limit, static_cast<double>(under) / all * 100).y());
        if (i == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(series(0), 2));
    painter.drawPath(path);
    // Below the curve, where nothing else is.
    drawMarksAcross(painter, panel, panel.area.bottom() - 4 * lineHeight());
    const double missing = 100 - static_cast<double>(m_times.size()) / all * 100;
    if (missing > 0) {
        drawNote(
            painter, panel.area,
            {panel.area.right() - 4, panel.place(panel.x.high, 100 - missing).y() + lineHeight()},
            tr("%1 lost").arg(formatRatio(Ratio::of(missing / 100))), color(ColorRole::Problem),
            Qt::AlignRight);
    }
    if (!pointer() || !panel.area.contains(*pointer()))
        return;
    const double limit = panel.x.value((pointer()->x() - panel.area.left()) / panel.area.width());
    const auto count = std::ranges::upper_bound(m_times, limit) - m_times.begin();
    drawNote(painter, panel.area, *pointer() + QPointF(8, -lineHeight()),
             tr("%1 within %2")
                 .arg(formatRatio(Ratio::of(static_cast<double>(count) / all)), timeText(limit)),
             series(0), Qt::AlignLeft);
}

} // namespace napkin
