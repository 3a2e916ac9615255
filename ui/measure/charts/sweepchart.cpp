// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/sweepchart.h"

#include "core/quantity/format.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

constexpr std::size_t mostDots = 4'000;

double sizeOf(ByteCount size)
{
    return static_cast<double>(size.bytes());
}

// RTT(m) = 2 (alpha + m / beta), in seconds.
double fitted(const SweepFit& fit, double size)
{
    return 2 * (inSeconds(fit.alpha.value_or(Duration())) +
                size / static_cast<double>(fit.beta.bytesPerSecond()));
}

} // namespace

SweepChart::SweepChart(QWidget* parent)
    : PlotView(parent)
{
    setAccessibleName(tr("Chart of the RTT by message size"));
    tell();
}

void SweepChart::begin(const SweepOptions& options)
{
    m_options = options;
    setSamples({});
}

void SweepChart::add(const std::vector<SweepSample>& fresh)
{
    m_samples.insert(m_samples.end(), fresh.begin(), fresh.end());
    tell();
}

void SweepChart::setSamples(std::vector<SweepSample> samples)
{
    m_samples = std::move(samples);
    m_summary = {};
    tell();
}

void SweepChart::setSummary(const SweepSummary& summary)
{
    m_summary = summary;
    tell();
}

void SweepChart::tell()
{
    setAccessibleDescription(inWords());
    update();
}

QString SweepChart::inWords() const
{
    if (m_samples.empty())
        return tr("Nothing measured yet");
    if (m_summary.points.empty())
        return tr("%Ln messages so far", nullptr, static_cast<int>(m_samples.size()));
    QStringList words;
    for (const SweepPoint* one : {&m_summary.points.front(), &m_summary.points.back()})
        words << tr("%1 median of messages of %2")
                     .arg(formatDuration(one->median), roundSizeText(sizeOf(one->size)));
    if (const auto& fit = m_summary.fit) {
        if (fit->alpha)
            words << tr("alpha %1 one way, half of an RTT").arg(formatDuration(*fit->alpha));
        words << tr("beta %1").arg(formatByteRate(fit->beta));
        for (const ByteCount size : fit->breaks)
            words << tr("the line breaks at %1").arg(roundSizeText(sizeOf(size)));
    } else {
        words << tr("no line fits");
    }
    return words.join(QStringLiteral(", "));
}

void SweepChart::paintPlot(QPainter& painter)
{
    PlotPanel panel;
    panel.x.setDoublings(sizeOf(m_options.least), sizeOf(m_options.most), roundSizeText);
    double least = 0;
    double most = 0;
    for (const SweepSample& one : m_samples) {
        const double time = inSeconds(one.time);
        if (time <= 0)
            continue;
        least = least > 0 ? std::min(least, time) : time;
        most = std::max(most, time);
    }
    panel.x.title = tr("Message size");
    panel.y.setDecades(least > 0 ? least : 1e-5, most > 0 ? most : 1e-2, roundTimeText);
    panel.y.title = tr("RTT");
    layOut(panel, inner());
    drawAxes(painter, panel, Grid::Both);
    drawBreaks(painter, panel);
    drawSamples(painter, panel);
    drawFit(painter, panel);
    drawPoints(painter, panel);
    drawReadout(painter, panel);
}

void SweepChart::drawSamples(QPainter& painter, const PlotPanel& panel) const
{
    QColor ink = series(0);
    ink.setAlphaF(m_summary.points.empty() ? 0.7F : 0.22F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    const std::size_t stride = m_samples.size() / mostDots + 1;
    for (std::size_t i = 0; i < m_samples.size(); i += stride) {
        const SweepSample& one = m_samples[i];
        if (one.round > 0 && inSeconds(one.time) > 0)
            painter.drawEllipse(panel.place(sizeOf(one.size), inSeconds(one.time)), 1.8, 1.8);
    }
}

void SweepChart::drawPoints(QPainter& painter, const PlotPanel& panel) const
{
    for (const SweepPoint& one : m_summary.points) {
        const QPointF at = panel.place(sizeOf(one.size), inSeconds(one.median));
        painter.setPen(QPen(series(0), 1.4));
        painter.drawLine(panel.place(sizeOf(one.size), inSeconds(one.least)),
                         panel.place(sizeOf(one.size), inSeconds(one.p90)));
        // Hollow: not part of the fit.
        painter.setBrush(one.residual ? QBrush(series(0)) : QBrush(color(ColorRole::Ground)));
        painter.drawEllipse(at, 3.2, 3.2);
    }
}

void SweepChart::drawFit(QPainter& painter, const PlotPanel& panel) const
{
    if (!m_summary.fit || m_summary.fit->beta <= ByteRate())
        return;
    const SweepFit& fit = *m_summary.fit;
    QPainterPath path;
    const int columns = static_cast<int>(panel.area.width());
    for (int i = 0; i <= columns; ++i) {
        const double size = panel.x.value(double(i) / columns);
        const QPointF at = panel.place(size, fitted(fit, size));
        if (i == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    painter.save();
    painter.setClipRect(panel.area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(ColorRole::Modelled), 1.8, Qt::DashLine));
    painter.drawPath(path);
    painter.restore();
    drawNote(painter, panel.area, {panel.area.left() + 6, panel.area.top() + lineHeight()},
             tr("≈ 2 (α + m/β), α %1, β %2", "fitted line; m is the size of a message")
                 .arg(fit.alpha ? formatDuration(*fit.alpha) : QStringLiteral("–"),
                      formatByteRate(fit.beta)),
             color(ColorRole::Modelled), Qt::AlignLeft);
}

void SweepChart::drawBreaks(QPainter& painter, const PlotPanel& panel) const
{
    if (!m_summary.fit)
        return;
    double row = panel.area.bottom() - lineHeight();
    for (const ByteCount size : m_summary.fit->breaks) {
        const double x = panel.place(sizeOf(size), panel.y.low).x();
        painter.setPen(QPen(color(ColorRole::Caution), 1.2, Qt::DotLine));
        painter.drawLine(QPointF(x, panel.area.top()), QPointF(x, panel.area.bottom()));
        drawNote(painter, panel.area, {x + 4, row},
                 tr("breaks at %1").arg(roundSizeText(sizeOf(size))), color(ColorRole::Caution),
                 Qt::AlignLeft);
        row -= lineHeight() + 4;
    }
}

void SweepChart::drawReadout(QPainter& painter, const PlotPanel& panel) const
{
    if (!pointer() || !panel.area.contains(*pointer()) || m_summary.points.empty())
        return;
    const auto away = [&](const SweepPoint& one) {
        return std::abs(panel.place(sizeOf(one.size), panel.y.low).x() - pointer()->x());
    };
    const auto nearest = std::ranges::min_element(m_summary.points, {}, away);
    QString text = tr("%1: median %2, 90 % under %3")
                       .arg(roundSizeText(sizeOf(nearest->size)), formatDuration(nearest->median),
                            formatDuration(nearest->p90));
    if (nearest->residual)
        text = tr("%1, off the line by %2").arg(text, formatRatio(Ratio::of(*nearest->residual)));
    drawNote(painter, panel.area, *pointer() + QPointF(8, -lineHeight()), text, series(0),
             Qt::AlignLeft);
}

} // namespace napkin
