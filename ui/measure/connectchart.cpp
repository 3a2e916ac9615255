// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/connectchart.h"

#include "core/quantity/format.h"
#include "core/results/summary.h"
#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QLocale>
#include <QtCharts/QChart>
#include <QtCharts/QScatterSeries>
#include <QtCharts/QValueAxis>

#include <cmath>

namespace napkin {

namespace {

constexpr std::size_t mostPoints = 2'000;

} // namespace

ConnectChart::ConnectChart(QWidget* parent)
    : ChartFrame(parent)
    , m_connected(new QScatterSeries)
    , m_others(new QScatterSeries)
{
    setAccessibleName(tr("Chart of the time each connection took"));
    m_connected->setMarkerShape(QScatterSeries::MarkerShapeCircle);
    m_connected->setMarkerSize(7);
    m_others->setMarkerShape(QScatterSeries::MarkerShapeRectangle);
    m_others->setMarkerSize(7);
    attach(m_connected);
    attach(m_others);
    begin(1);
    ConnectChart::restyle();
}

void ConnectChart::begin(double expected)
{
    m_expected = expected;
    setSamples({});
}

void ConnectChart::setSamples(const std::vector<ConnectSample>& samples)
{
    m_samples = samples;
    double longest = 0;
    double last = m_expected;
    for (const ConnectSample& sample : samples) {
        longest = std::max(longest, inSeconds(sample.time));
        last = std::max(last, inSeconds(sample.start));
    }
    m_scale = longest > 0 && longest < 1e-3 ? 1e-6 : 1e-3;
    valueAxis()->setTitleText(m_scale < 1e-4 ? QStringLiteral("µs") : QStringLiteral("ms"));
    setRoundRange(valueAxis(), longest > 0 ? longest * 1.1 / m_scale : 1);
    setRoundRange(timeAxis(), last);
    leaveRoomForDots();
    QList<QPointF> connected;
    QList<QPointF> others;
    const std::size_t stride = samples.size() / mostPoints + 1;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const bool isConnected = samples[i].outcome == ConnectSample::Outcome::Connected;
        if (isConnected && i % stride != 0)
            continue; // thinned out; what went wrong is always seen
        const QPointF point(inSeconds(samples[i].start), inSeconds(samples[i].time) / m_scale);
        (isConnected ? connected : others).append(point);
    }
    m_connected->replace(connected);
    m_others->replace(others);
    makeRoomForMarks();
    setAccessibleDescription(inWords());
    viewport()->update();
}

QString ConnectChart::inWords() const
{
    const ConnectSummary summary = summarise(ConnectData{m_samples});
    if (summary.attempts == 0)
        return tr("Nothing measured yet");
    QStringList words{
        tr("%1 of %2 connected")
            .arg(QLocale().toString(summary.connected), QLocale().toString(summary.attempts))};
    const auto add = [&words](const std::optional<Duration>& time, const QString& text) {
        if (time)
            words << text.arg(formatDuration(*time));
    };
    add(summary.median, tr("median %1"));
    add(summary.least, tr("least %1"));
    add(summary.most, tr("most %1"));
    if (summary.connected > 2) {
        add(summary.p10, tr("10 % under %1"));
        add(summary.p90, tr("90 % under %1"));
    }
    return words.join(QStringLiteral(", "));
}

int ConnectChart::pointCount() const
{
    return static_cast<int>(m_connected->count() + m_others->count());
}

void ConnectChart::restyle()
{
    ChartFrame::restyle();
    m_connected->setColor(seriesColor(0, palette()));
    m_connected->setBorderColor(Qt::transparent);
    m_others->setColor(Qt::transparent);
    m_others->setBorderColor(themeColor(ColorRole::Problem, palette()));
}

std::vector<ConnectChart::Mark> ConnectChart::marks() const
{
    const ConnectSummary summary = summarise(ConnectData{m_samples});
    std::vector<Mark> marks;
    const auto add = [&marks](const std::optional<Duration>& value, const QString& text,
                              Qt::PenStyle style) {
        if (value)
            marks.push_back(
                {*value, tr("%1 %2", "what, time").arg(text, formatDuration(*value)), style});
    };
    if (summary.connected > 2)
        add(summary.p90, tr("90 % under"), Qt::DotLine);
    add(summary.median, tr("median"), Qt::SolidLine);
    if (summary.connected > 2)
        add(summary.p10, tr("10 % under"), Qt::DotLine);
    return marks;
}

void ConnectChart::makeRoomForMarks()
{
    const QFontMetrics metrics(sized(font(), TypeSize::Small));
    int room = 0;
    for (const Mark& mark : marks())
        room = std::max(room, metrics.horizontalAdvance(mark.text) + gap(2));
    QMargins margins = chart()->margins();
    margins.setRight(gap(3) + room);
    chart()->setMargins(margins);
}

// In the margin, where they hide no dot; apart even where the lines lie close together.
void ConnectChart::drawMarks(QPainter& painter) const
{
    const QRectF area = plot();
    const QColor color = themeColor(ColorRole::Measured, palette());
    const QFont small = sized(font(), TypeSize::Small);
    const double height = QFontMetricsF(small).height();
    painter.setFont(small);
    double free = area.top() - height;
    for (const Mark& mark : marks()) {
        const double y = place(0, inSeconds(mark.value) / m_scale).y();
        painter.setPen(QPen(color, 1.2, mark.style));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const double top = std::max(y - height / 2, free);
        painter.setPen(color);
        painter.drawText(QRectF(area.right() + gap(1), top, width(), height),
                         Qt::AlignLeft | Qt::AlignVCenter, mark.text);
        free = top + height;
    }
}

void ConnectChart::drawNotes(QPainter& painter)
{
    const QRectF area = plot();
    drawMarks(painter);
    if (!hoveredX())
        return;
    const ConnectSample* nearest = nullptr;
    for (const ConnectSample& sample : m_samples) {
        if (!nearest || std::abs(inSeconds(sample.start) - *hoveredX()) <
                            std::abs(inSeconds(nearest->start) - *hoveredX()))
            nearest = &sample;
    }
    if (nearest) {
        drawNote(painter, QPointF(place(*hoveredX(), 0).x() + 6, area.top() + 10),
                 formatDuration(nearest->time), seriesColor(0, palette()), Qt::AlignLeft);
    }
}

} // namespace napkin
