// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/chartframe.h"

#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QEvent>
#include <QGraphicsLayout>
#include <QMouseEvent>
#include <QtCharts/QAbstractSeries>
#include <QtCharts/QChart>
#include <QtCharts/QValueAxis>

#include <cmath>

namespace napkin {

ChartFrame::ChartFrame(QWidget* parent)
    : QChartView(new QChart, parent) // a chart set later would leak the default one
    , m_x(new QValueAxis)
    , m_y(new QValueAxis)
{
    chart()->addAxis(m_x, Qt::AlignBottom);
    chart()->addAxis(m_y, Qt::AlignLeft);
    chart()->legend()->hide();
    chart()->setLocalizeNumbers(true);
    chart()->setBackgroundRoundness(0);
    chart()->setMargins(QMargins(gap(1), gap(2), gap(3), gap(1)));
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    m_x->setTitleText(tr("Time (s)"));
    setRoundRange(m_x, 10);
    setRoundRange(m_y, 1);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setMinimumSize(280, 140);
    setFocusPolicy(Qt::NoFocus);
    ChartFrame::restyle();
}

void ChartFrame::attach(QAbstractSeries* series)
{
    chart()->addSeries(series);
    series->attachAxis(m_x);
    series->attachAxis(m_y);
}

void ChartFrame::setRoundRange(QValueAxis* axis, double top)
{
    const double wanted = std::isfinite(top) && top > 0 ? top : 1;
    const double magnitude = std::pow(10.0, std::floor(std::log10(wanted / 4)));
    double step = magnitude;
    for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        step = factor * magnitude;
        if (step * 5 >= wanted)
            break;
    }
    const double ticks = std::ceil(wanted / step - 1e-9);
    if (qFuzzyCompare(axis->max(), ticks * step) &&
        axis->tickCount() == static_cast<int>(ticks) + 1)
        return;
    axis->setRange(0, ticks * step);
    axis->setTickCount(static_cast<int>(ticks) + 1);
    const bool half = std::abs(step / magnitude - 2.5) < 0.1;
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(magnitude) + 1e-9))) +
                         (half && magnitude <= 1 ? 1 : 0);
    axis->setLabelFormat(QStringLiteral("%.%1f").arg(decimals));
}

void ChartFrame::leaveRoomForDots()
{
    const double top = m_x->max();
    m_x->setTickType(QValueAxis::TicksDynamic); // the numbers stay where they are
    m_x->setTickAnchor(0);
    m_x->setTickInterval(top / (m_x->tickCount() - 1));
    m_x->setRange(-0.015 * top, top);
}

QPointF ChartFrame::place(double x, double y) const
{
    const QRectF area = plot();
    const double w = m_x->max() - m_x->min();
    const double h = m_y->max() - m_y->min();
    return {area.left() + (x - m_x->min()) / w * area.width(),
            area.bottom() - (y - m_y->min()) / h * area.height()};
}

QRectF ChartFrame::plot() const
{
    return chart()->mapRectToScene(chart()->plotArea());
}

void ChartFrame::drawNote(QPainter& painter, QPointF at, const QString& text, const QColor& color,
                          Qt::Alignment alignment) const
{
    const QFont small = sized(font(), TypeSize::Small);
    const QFontMetricsF metrics(small);
    QRectF box(QPointF(), QSizeF(metrics.horizontalAdvance(text) + 8, metrics.height() + 2));
    box.moveCenter(at);
    if (alignment & Qt::AlignRight)
        box.moveRight(at.x());
    else if (alignment & Qt::AlignLeft)
        box.moveLeft(at.x());
    const QRectF area = plot();
    box.moveLeft(
        std::clamp(box.left(), area.left(), std::max(area.left(), area.right() - box.width())));
    box.moveTop(std::clamp(box.top(), area.top() - metrics.height() / 2,
                           std::max(area.top(), area.bottom() - box.height())));
    QColor ground = themeColor(ColorRole::Ground, palette());
    ground.setAlphaF(0.82F);
    painter.setFont(small);
    painter.fillRect(box, ground);
    painter.setPen(color);
    painter.drawText(box, Qt::AlignCenter, text);
}

void ChartFrame::restyle()
{
    const QPalette& p = palette();
    const QColor secondary = themeColor(ColorRole::Secondary, p);
    QColor faint = themeColor(ColorRole::Line, p);
    setBackgroundBrush(themeColor(ColorRole::Ground, p));
    chart()->setBackgroundBrush(themeColor(ColorRole::Ground, p));
    chart()->setBackgroundPen(Qt::NoPen);
    const QFont small = sized(font(), TypeSize::Small);
    for (QValueAxis* axis : {m_x, m_y}) {
        axis->setLabelsBrush(secondary);
        axis->setTitleBrush(secondary);
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
        axis->setLinePen(QPen(faint, 1));
        axis->setGridLinePen(QPen(faint, 1));
    }
    faint.setAlphaF(0.5F);
    m_x->setGridLineVisible(false);
    m_y->setGridLinePen(QPen(faint, 1));
    m_y->setLineVisible(false);
    viewport()->update();
}

void ChartFrame::drawForeground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_hoveredX) {
        const double x = place(*m_hoveredX, 0).x();
        painter->setPen(QPen(themeColor(ColorRole::Secondary, palette()), 1, Qt::DotLine));
        painter->drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    }
    drawNotes(*painter);
    painter->restore();
}

void ChartFrame::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
}

void ChartFrame::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF area = plot();
    const QPointF at = mapToScene(event->position().toPoint());
    m_hoveredX.reset();
    if (area.contains(at))
        m_hoveredX = m_x->min() + (at.x() - area.left()) / area.width() * (m_x->max() - m_x->min());
    viewport()->update();
    QChartView::mouseMoveEvent(event);
}

void ChartFrame::leaveEvent(QEvent* event)
{
    m_hoveredX.reset();
    viewport()->update();
    QChartView::leaveEvent(event);
}

} // namespace napkin
