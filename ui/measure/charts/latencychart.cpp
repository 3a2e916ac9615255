// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/latencychart.h"

#include "core/quantity/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

Duration fromSeconds(double seconds)
{
    return Duration(std::llround(seconds * 1e9));
}

} // namespace

LatencyChart::LatencyChart(QWidget* parent)
    : PlotView(parent)
{
    setAccessibleName(tr("Chart of the RTT of each message"));
    begin(1);
}

void LatencyChart::begin(double expected)
{
    m_expected = expected;
    m_decades = false;
    m_view = View::OverTime;
    setSamples({});
}

void LatencyChart::add(const std::vector<RoundTrip>& fresh)
{
    m_samples.insert(m_samples.end(), fresh.begin(), fresh.end());
    m_isStale = true;
    setAccessibleDescription(inWords());
    update();
}

void LatencyChart::setSamples(std::vector<RoundTrip> samples)
{
    m_samples = std::move(samples);
    m_summary.reset();
    m_isStale = true;
    setAccessibleDescription(inWords());
    update();
}

void LatencyChart::setSummary(const LatencySummary& summary)
{
    m_summary = summary;
    m_isStale = true;
    setAccessibleDescription(inWords());
    update();
}

void LatencyChart::setView(View view)
{
    m_view = view;
    m_isStale = true;
    update();
}

std::size_t LatencyChart::warmUp() const
{
    return m_summary
               ? std::min(static_cast<std::size_t>(std::max<std::int64_t>(m_summary->warmUp, 0)),
                          m_samples.size())
               : 0;
}

QString LatencyChart::inWords() const
{
    if (m_samples.empty())
        return tr("Nothing measured yet");
    if (!m_summary)
        return tr("%Ln messages so far", nullptr, static_cast<int>(m_samples.size()));
    QStringList words{tr("%1 of %2 answered")
                          .arg(QLocale().toString(qint64(m_summary->answered)),
                               QLocale().toString(qint64(m_summary->sent)))};
    const auto add = [&words](const std::optional<Duration>& time, const QString& text) {
        if (time)
            words << text.arg(formatDuration(*time));
    };
    add(m_summary->least, tr("RTT least %1"));
    add(m_summary->p50, tr("median %1"));
    add(m_summary->p90, tr("90 % under %1"));
    add(m_summary->p99, tr("99 % under %1"));
    add(m_summary->p999, tr("99.9 % under %1"));
    add(m_summary->most, tr("most %1"));
    if (m_summary->lost > 0)
        words << tr("%1 lost").arg(QLocale().toString(qint64(m_summary->lost)));
    return words.join(QStringLiteral(", "));
}

std::vector<LatencyChart::Mark> LatencyChart::marks() const
{
    std::vector<Mark> marks;
    if (!m_summary)
        return marks;
    const auto add = [&marks](const std::optional<Duration>& value, const QString& name,
                              Qt::PenStyle style) {
        if (value)
            marks.push_back({inSeconds(*value), name, style});
    };
    add(m_summary->p99, QStringLiteral("p99"), Qt::DotLine);
    add(m_summary->p90, QStringLiteral("p90"), Qt::DashLine);
    add(m_summary->p50, QStringLiteral("p50"), Qt::SolidLine);
    return marks; // the highest first
}

void LatencyChart::prepare()
{
    m_isStale = false;
    m_times = ascendingTimes(std::span(m_samples).subspan(warmUp()));
    m_decades = m_decades || wantsDecades(m_times); // a live chart does not change back and forth
    double last = m_expected;
    if (!m_samples.empty())
        last = std::max(m_summary ? 0.0 : last, inSeconds(m_samples.back().start));
    m_panel = {};
    if (m_view == View::OverTime) {
        m_panel.x.setFromZero(last);
        if (m_summary && last > 0)
            m_panel.x.high = std::max(last, m_panel.x.ticks.back().value / 1e3);
        m_panel.x.title = tr("Time (s)");
        while (m_panel.x.ticks.size() > 1 && m_panel.x.ticks.back().value > m_panel.x.high)
            m_panel.x.ticks.removeLast();
        setTimeScale(m_panel.y, true);
    } else {
        setTimeScale(m_panel.x, true);
    }
    double room = 0;
    for (const Mark& mark : marks())
        room = std::max(room, widthOf(timeText(mark.value)) + widthOf(mark.name) + gap(4));
    layOut(m_panel, inner(), m_view == View::OverTime ? room : 0);
    const int columns = static_cast<int>(m_panel.area.width());
    m_bands.clear();
    if (m_view == View::OverTime && static_cast<int>(m_samples.size()) > 3 * columns)
        m_bands = bandsOf(m_samples, 0, m_panel.x.high, columns);
}

QString LatencyChart::timeText(double seconds) const
{
    return formatDuration(fromSeconds(seconds));
}

void LatencyChart::setTimeScale(PlotAxis& axis, bool titled)
{
    const double most = m_times.empty() ? 1e-3 : m_times.back();
    if (m_decades) {
        axis.setDecades(m_times.front(), most, roundTimeText);
        axis.title = titled ? tr("RTT, logarithmic") : QString();
        return;
    }
    const TimeUnit unit = timeUnitFor(most * 1.1);
    axis.setFromZero(most * 1.1, [&](double seconds) {
        return QLocale().toString(seconds * unit.perSecond, 'g', 6);
    });
    axis.title = titled ? tr("RTT (%1)").arg(unit.name) : QString();
}

void LatencyChart::resizeEvent(QResizeEvent* event)
{
    m_isStale = true;
    PlotView::resizeEvent(event);
}

void LatencyChart::paintPlot(QPainter& painter)
{
    if (m_isStale)
        prepare();
    if (m_view == View::OverTime)
        paintTime(painter);
    else if (m_times.empty())
        drawEmpty(painter, tr("No message was answered: there is nothing to count."));
    else if (m_view == View::Histogram)
        paintHistogram(painter);
    else
        paintCumulative(painter);
}

void LatencyChart::paintTime(QPainter& painter)
{
    drawAxes(painter, m_panel, Grid::Horizontal);
    if (warmUp() > 0 && warmUp() < m_samples.size()) {
        QColor shade = color(ColorRole::Secondary);
        shade.setAlphaF(0.12F);
        QRectF left = m_panel.area;
        left.setRight(m_panel.place(inSeconds(m_samples[warmUp()].start), m_panel.y.low).x());
        painter.fillRect(left, shade);
        drawNote(painter, m_panel.area, {left.left() + 4, left.bottom() - lineHeight()},
                 tr("left out"), color(ColorRole::Secondary), Qt::AlignLeft);
    }
    if (m_bands.empty())
        drawDots(painter, m_panel);
    else
        drawBands(painter, m_panel);
    drawLost(painter, m_panel);
    drawMarksBeside(painter, m_panel);
    drawTimeReadout(painter, m_panel);
}

void LatencyChart::drawDots(QPainter& painter, const PlotPanel& panel) const
{
    painter.setPen(Qt::NoPen);
    QColor ink = series(0);
    ink.setAlphaF(0.8F);
    painter.setBrush(ink);
    const double radius = m_samples.size() > 400 ? 1.6 : 2.6;
    for (const RoundTrip& one : m_samples) {
        if (one.outcome == RoundTrip::Outcome::Answered)
            painter.drawEllipse(panel.place(inSeconds(one.start), inSeconds(one.time)), radius,
                                radius);
    }
}

void LatencyChart::drawBands(QPainter& painter, const PlotPanel& panel) const
{
    QColor pale = series(0);
    pale.setAlphaF(0.35F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < m_bands.size(); ++i) {
        const LatencyBand& band = m_bands[i];
        if (band.answered == 0)
            continue; // a gap is a gap
        const double x = panel.area.left() + static_cast<double>(i);
        const double top = panel.place(0, band.most).y();
        const double bottom = panel.place(0, band.least).y();
        painter.fillRect(QRectF(x, top, 1, std::max(1.0, bottom - top)), pale);
        painter.fillRect(QRectF(x, panel.place(0, band.median).y() - 1, 1, 2), series(0));
    }
    painter.restore();
}

void LatencyChart::drawLost(QPainter& painter, const PlotPanel& panel) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(ColorRole::Problem), 1.2));
    double free = -1e9; // one square a place: a thousand on one would be no clearer
    for (const RoundTrip& one : m_samples) {
        if (one.outcome != RoundTrip::Outcome::Lost)
            continue;
        const double x = panel.place(inSeconds(one.start), panel.y.low).x();
        if (x < free)
            continue;
        free = x + 4;
        painter.drawRect(QRectF(x - 3, panel.area.top() - 3, 6, 6));
    }
}

// In the margin, where they hide nothing; apart even where the lines lie close together.
void LatencyChart::drawMarksBeside(QPainter& painter, const PlotPanel& panel) const
{
    const QColor ink = color(ColorRole::Measured);
    const double height = lineHeight();
    painter.setFont(smallFont());
    double free = panel.area.top() - height;
    for (const Mark& mark : marks()) {
        const double y = panel.place(panel.x.low, mark.value).y();
        painter.setPen(QPen(ink, 1.2, mark.style));
        painter.drawLine(QPointF(panel.area.left(), y), QPointF(panel.area.right(), y));
        const double top = std::max(y - height / 2, free);
        painter.setPen(ink);
        painter.drawText(QRectF(panel.area.right() + gap(1), top, width(), height),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         tr("%1 %2", "what, time").arg(mark.name, timeText(mark.value)));
        free = top + height;
    }
}

void LatencyChart::drawTimeReadout(QPainter& painter, const PlotPanel& panel) const
{
    if (!pointer() || !panel.area.contains(*pointer()) || m_samples.empty())
        return;
    const double x = pointer()->x();
    painter.setPen(QPen(color(ColorRole::Secondary), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, panel.area.top()), QPointF(x, panel.area.bottom()));
    const QPointF at(x + 6, panel.area.top() + lineHeight());
    if (!m_bands.empty()) {
        const LatencyBand& band =
            m_bands[std::min(static_cast<std::size_t>(x - panel.area.left()), m_bands.size() - 1)];
        if (band.answered > 0) {
            drawNote(painter, panel.area, at,
                     tr("%1 to %2, median %3")
                         .arg(timeText(band.least), timeText(band.most), timeText(band.median)),
                     series(0), Qt::AlignLeft);
        }
        return;
    }
    const double when = panel.x.value((x - panel.area.left()) / panel.area.width());
    const auto nearest = std::ranges::min_element(m_samples, {}, [when](const RoundTrip& one) {
        return std::abs(inSeconds(one.start) - when);
    });
    const bool lost = nearest->outcome == RoundTrip::Outcome::Lost;
    drawNote(painter, panel.area, at,
             lost ? tr("lost: no answer within %1").arg(formatDuration(nearest->time))
                  : formatDuration(nearest->time),
             lost ? color(ColorRole::Problem) : series(0), Qt::AlignLeft);
}

} // namespace napkin
