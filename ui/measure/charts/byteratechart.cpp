// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/byteratechart.h"

#include "core/quantity/format.h"
#include "core/results/machinesummary.h"

#include <QLocale>
#include <QPainterPath>

#include <algorithm>

namespace napkin {

namespace {

constexpr std::size_t mostDots = 3'000;

} // namespace

ByteRateChart::ByteRateChart(Of of, QWidget* parent)
    : PlotView(parent)
    , m_of(of)
{
    setAccessibleName(of == Of::Memory ? tr("Chart of the memory bandwidth of each pass")
                                       : tr("Chart of the rate of reading over time"));
    begin(m_expected);
}

void ByteRateChart::begin(double expectedSeconds)
{
    m_expected = std::max(expectedSeconds, 1.0);
    m_points.clear();
    m_figure.reset();
    tell(tr("Nothing measured yet"));
}

void ByteRateChart::tell(const QString& words)
{
    setAccessibleDescription(words);
    update();
}

void ByteRateChart::setData(const MemoryData& data)
{
    m_points.clear();
    for (const MemorySample& sample : data.samples) {
        if (const auto rate = byteRateOf(bytesOfPass(data), sample.time))
            m_points.push_back({inSeconds(sample.start), inSeconds(sample.start + sample.time),
                                static_cast<double>(rate->bytesPerSecond()), sample.warmUp});
    }
    const MemorySummary summary = summarise(data);
    m_figure = summary.median;
    tell(summary.median && summary.best
             ? tr("Median %1, best %2, %n passes", nullptr, summary.passes)
                   .arg(formatByteRate(*summary.median), formatByteRate(*summary.best))
             : tr("Nothing measured yet"));
}

void ByteRateChart::setData(const StorageData& data)
{
    m_points.clear();
    for (const StorageSample& sample : data.samples) {
        if (const auto rate = byteRateOf(sample.bytes, sample.length))
            m_points.push_back({inSeconds(sample.start), inSeconds(sample.start + sample.length),
                                static_cast<double>(rate->bytesPerSecond()), false});
    }
    const StorageSummary summary = summarise(data);
    m_figure = summary.mean;
    tell(summary.mean
             ? tr("Mean %1, %2 read").arg(formatByteRate(*summary.mean), formatBytes(summary.read))
             : tr("Nothing measured yet"));
}

void ByteRateChart::paintPlot(QPainter& painter)
{
    PlotPanel panel;
    double highest = 0;
    double end = 0;
    for (const Point& point : m_points) {
        highest = std::max(highest, point.rate);
        end = std::max(end, point.end);
    }
    const double top = highest > 0 ? highest * 1.05 : 1e9;
    const double scale = top >= 1e9 ? 1e9 : 1e6;
    panel.y.setFromZero(top,
                        [scale](double rate) { return QLocale().toString(rate / scale, 'g', 6); });
    panel.y.title = scale >= 1e9 ? QStringLiteral("GB/s") : QStringLiteral("MB/s");
    // A file may be read before its time is up.
    panel.x.setFromZero(m_of == Of::Storage && end > 0 ? end : std::max(m_expected, end));
    panel.x.title = tr("Time (s)");
    layOut(panel, inner());
    drawAxes(painter, panel, Grid::Horizontal);
    drawPoints(painter, panel);
    drawFigure(painter, panel);
    drawReadout(painter, panel);
}

void ByteRateChart::drawPoints(QPainter& painter, const PlotPanel& panel) const
{
    if (m_of == Of::Storage) {
        QPainterPath path;
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            const QPointF from = panel.place(m_points[i].start, m_points[i].rate);
            i == 0 ? path.moveTo(from) : path.lineTo(from);
            path.lineTo(panel.place(m_points[i].end, m_points[i].rate));
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(series(0), 1.8));
        painter.drawPath(path);
        return;
    }
    painter.setPen(Qt::NoPen);
    const std::size_t stride = m_points.size() / mostDots + 1;
    for (std::size_t i = 0; i < m_points.size(); i += stride) {
        QColor ink = series(0);
        if (m_points[i].isFaint)
            ink.setAlphaF(0.3F);
        painter.setBrush(ink);
        painter.drawEllipse(panel.place(m_points[i].start, m_points[i].rate), 2.2, 2.2);
    }
}

void ByteRateChart::drawFigure(QPainter& painter, const PlotPanel& panel) const
{
    if (!m_figure)
        return;
    const auto rate = static_cast<double>(m_figure->bytesPerSecond());
    const QColor ink = color(ColorRole::Measured);
    painter.setPen(QPen(ink, 1.2, Qt::DashLine));
    painter.drawLine(panel.place(panel.x.low, rate), panel.place(panel.x.high, rate));
    const QString words = m_of == Of::Memory ? tr("median %1") : tr("mean %1");
    drawNote(painter, panel.area, panel.place(panel.x.high, rate) - QPointF(0, lineHeight()),
             words.arg(formatByteRate(*m_figure)), ink, Qt::AlignRight);
}

void ByteRateChart::drawReadout(QPainter& painter, const PlotPanel& panel) const
{
    if (!pointer() || m_points.empty() || !panel.area.contains(*pointer()))
        return;
    const double when = panel.x.value((pointer()->x() - panel.area.left()) / panel.area.width());
    const auto nearest = std::ranges::min_element(m_points, {}, [when](const Point& point) {
        return std::abs((point.start + point.end) / 2 - when);
    });
    const double x = pointer()->x();
    painter.setPen(QPen(color(ColorRole::Secondary), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, panel.area.top()), QPointF(x, panel.area.bottom()));
    drawNote(painter, panel.area, {x + 6, panel.area.top() + lineHeight()},
             formatByteRate(ByteRate::bytesPerSecond(std::llround(nearest->rate))), series(0),
             Qt::AlignLeft);
}

} // namespace napkin
