// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/loadchart.h"

#include "core/quantity/format.h"
#include "core/workflow/resulttext.h"
#include "ui/measure/charts/latencybands.h"
#include "ui/measure/measurewords.h"

#include <QLocale>

#include <algorithm>

namespace napkin {

namespace {

constexpr int phases = 4;
constexpr std::size_t mostDots = 1'500;

QString capital(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

LoadChart::LoadChart(QWidget* parent)
    : PlotView(parent)
{
    setAccessibleName(tr("Chart of the RTT idle and under load"));
    begin();
}

void LoadChart::begin()
{
    setData({}, {});
}

void LoadChart::setData(const LoadedLatencyData& data, std::vector<LoadedPhaseSummary> summaries)
{
    m_rows.clear();
    for (LoadedPhaseSummary& summary : summaries) {
        Row row{std::move(summary), {}, 0};
        for (const LoadPhase& phase : data.phases) {
            if (phase.load == row.summary.load)
                row.times = ascendingTimes(phase.samples);
        }
        if (!row.times.empty())
            row.p10 = row.times[row.times.size() / 10];
        m_rows.push_back(std::move(row));
    }
    setAccessibleDescription(inWords());
    update();
}

QString LoadChart::ratesText(const LoadedPhaseSummary& summary)
{
    QStringList rates;
    if (summary.forward)
        rates << arrow(Direction::Forward) + u' ' + formatBitRate(*summary.forward);
    if (summary.reverse)
        rates << arrow(Direction::Reverse) + u' ' + formatBitRate(*summary.reverse);
    return rates.join(QStringLiteral("  "));
}

QString LoadChart::figuresText(const LoadedPhaseSummary& summary)
{
    if (!summary.p50)
        return tr("no answer");
    QString text = formatDuration(*summary.p50);
    if (summary.ratio)
        text += QStringLiteral(" · ") + timesText(*summary.ratio);
    return text;
}

QString LoadChart::inWords() const
{
    if (m_rows.empty())
        return tr("Nothing measured yet");
    QStringList lines;
    for (const Row& row : m_rows) {
        QStringList words{tr("RTT median %1").arg(figuresText(row.summary))};
        if (row.summary.p99)
            words << tr("99 % under %1").arg(formatDuration(*row.summary.p99));
        if (row.summary.lost > 0)
            words << tr("%1 of %2 lost")
                         .arg(QLocale().toString(qint64(row.summary.lost)),
                              QLocale().toString(qint64(row.summary.sent)));
        if (const QString rates = ratesText(row.summary); !rates.isEmpty())
            words << rates;
        lines << tr("%1: %2", "what, figures")
                     .arg(capital(loadText(row.summary.load)), words.join(QStringLiteral(", ")));
    }
    return lines.join(QLatin1Char('\n'));
}

void LoadChart::setScale(PlotAxis& axis) const
{
    double least = 0;
    double most = 0;
    for (const Row& row : m_rows) {
        if (row.times.empty())
            continue;
        least = least > 0 ? std::min(least, row.times.front()) : row.times.front();
        most = std::max(most, row.times.back());
    }
    if (least > 0 && most > 8 * least) {
        axis.setDecades(least, most, roundTimeText);
        axis.title = tr("RTT, logarithmic");
        return;
    }
    const double top = most > 0 ? most * 1.05 : 1e-3;
    const TimeUnit unit = timeUnitFor(top);
    axis.setFromZero(
        top, [&](double seconds) { return QLocale().toString(seconds * unit.perSecond, 'g', 6); });
    axis.title = tr("RTT (%1)").arg(unit.name);
}

void LoadChart::paintPlot(QPainter& painter)
{
    PlotPanel panel;
    setScale(panel.x);
    double left = 0;
    double right = 0;
    for (const Load load : {Load::Idle, Load::Sending, Load::Receiving, Load::Both})
        left = std::max(left, widthOf(capital(loadText(load))));
    for (const Row& row : m_rows) {
        left = std::max(left, widthOf(ratesText(row.summary)));
        right = std::max(right, widthOf(figuresText(row.summary)));
    }
    left = std::min(left, inner().width() * 0.35);
    layOut(panel, inner().adjusted(left, 0, 0, 0), right + gap(3));
    drawAxes(painter, panel, Grid::Vertical);
    const double height = panel.area.height() / phases;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const QRectF place(panel.area.left(), panel.area.top() + static_cast<double>(i) * height,
                           panel.area.width(), height);
        drawRow(painter, panel, m_rows[i], place);
        drawNames(painter, m_rows[i], place);
    }
    if (m_rows.empty())
        drawNote(painter, panel.area, panel.area.center(), tr("Idle first, then under load"),
                 color(ColorRole::Secondary), Qt::AlignHCenter);
}

void LoadChart::drawRow(QPainter& painter, const PlotPanel& panel, const Row& row,
                        QRectF place) const
{
    const auto x = [&](double seconds) { return panel.place(seconds, 0).x(); };
    const double middle = place.center().y();
    const double half = std::min(place.height() * 0.28, 16.0);
    const QColor ink = series(static_cast<int>(row.summary.load));
    QColor faint = ink;
    faint.setAlphaF(0.35F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(faint);
    const std::size_t stride = row.times.size() / mostDots + 1;
    for (std::size_t i = 0; i < row.times.size(); ++i) {
        const bool extreme = i + 20 >= row.times.size(); // never thinned out
        if (i % stride == 0 || extreme) // spread over the height, so that equal ones are seen
            painter.drawEllipse(
                QPointF(x(row.times[i]), middle + half * (0.9 - double(i * 7 % 19) / 10.5)), 1.6,
                1.6);
    }
    if (!row.summary.p50)
        return;
    const double p50 = x(inSeconds(*row.summary.p50));
    const double low = x(row.p10);
    const double high = row.summary.p90 ? x(inSeconds(*row.summary.p90)) : p50;
    painter.setPen(QPen(ink, 1.4));
    if (row.summary.p99) {
        const double end = x(inSeconds(*row.summary.p99));
        painter.drawLine(QPointF(high, middle), QPointF(end, middle));
        painter.drawLine(QPointF(end, middle - half * 0.5), QPointF(end, middle + half * 0.5));
    }
    QColor pale = ink;
    pale.setAlphaF(0.25F);
    painter.setBrush(pale);
    painter.drawRect(QRectF(low, middle - half, std::max(2.0, high - low), 2 * half));
    painter.setPen(QPen(ink, 3));
    painter.drawLine(QPointF(p50, middle - half), QPointF(p50, middle + half));
}

void LoadChart::drawNames(QPainter& painter, const Row& row, QRectF place) const
{
    const double height = lineHeight();
    const QString rates = ratesText(row.summary);
    const double left = inner().left();
    const double width = place.left() - left - gap(2);
    double top = place.center().y() - (rates.isEmpty() ? height / 2 : height);
    const QFontMetricsF metrics(smallFont());
    painter.setFont(smallFont());
    painter.setPen(color(ColorRole::Text));
    painter.drawText(
        QRectF(left, top, width, height), Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(capital(loadText(row.summary.load)), Qt::ElideRight, width));
    painter.setPen(color(ColorRole::Secondary));
    top += height;
    painter.drawText(QRectF(left, top, width, height), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(rates, Qt::ElideRight, width));
    painter.setPen(color(ColorRole::Measured));
    painter.drawText(QRectF(place.right() + gap(2), place.center().y() - height / 2,
                            this->width() - place.right(), height),
                     Qt::AlignLeft | Qt::AlignVCenter, figuresText(row.summary));
}

} // namespace napkin
