// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/plotview.h"

#include "ui/widgets/headings.h"

#include <QEvent>
#include <QMouseEvent>

#include <algorithm>

namespace napkin {

QPointF PlotPanel::place(double xValue, double yValue) const
{
    return {area.left() + x.share(xValue) * area.width(),
            area.bottom() - y.share(yValue) * area.height()};
}

PlotView::PlotView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setMinimumSize(280, 140);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QFont PlotView::smallFont() const
{
    return sized(font(), TypeSize::Small);
}

double PlotView::lineHeight() const
{
    return QFontMetricsF(smallFont()).height();
}

double PlotView::widthOf(const QString& text) const
{
    return QFontMetricsF(smallFont()).horizontalAdvance(text);
}

QRectF PlotView::inner() const
{
    return QRectF(rect()).adjusted(gap(3), gap(2), -gap(4), -gap(2));
}

void PlotView::layOut(PlotPanel& panel, const QRectF& outer, double right) const
{
    double numbers = 0;
    for (const PlotAxis::Tick& tick : panel.y.ticks)
        numbers = std::max(numbers, widthOf(tick.text));
    double last = 0; // half of the last number stands out at the right
    if (!panel.x.ticks.isEmpty())
        last = widthOf(panel.x.ticks.back().text) / 2;
    const double titleY = panel.y.title.isEmpty() ? 0 : lineHeight() + gap(1);
    const double titleX = panel.x.title.isEmpty() ? 0 : lineHeight();
    const double numbersX = panel.x.ticks.isEmpty() ? 0 : lineHeight() + gap(1);
    panel.area = outer.adjusted(titleY + numbers + gap(2), lineHeight() / 2, -std::max(right, last),
                                -(numbersX + titleX));
    panel.area.setWidth(std::max(panel.area.width(), 10.0));
    panel.area.setHeight(std::max(panel.area.height(), 10.0));
}

void PlotView::drawAxes(QPainter& painter, const PlotPanel& panel, Grid grid) const
{
    const QRectF& area = panel.area;
    const QColor secondary = color(ColorRole::Secondary);
    QColor faint = color(ColorRole::Line);
    painter.setFont(smallFont());
    faint.setAlphaF(0.6F);
    const double height = lineHeight();
    double above = 1e9; // numbers that would touch are left out, from below
    for (const PlotAxis::Tick& tick : panel.y.ticks) {
        const double y = panel.place(panel.x.low, tick.value).y();
        painter.setPen(QPen(faint, 1));
        if (grid != Grid::Vertical)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (y + height / 2 > above)
            continue;
        above = y - height / 2;
        painter.setPen(secondary);
        painter.drawText(QRectF(0, y - height / 2, area.left() - gap(2), height),
                         Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    double free = -1e9; // numbers that would touch are left out, from the left
    for (const PlotAxis::Tick& tick : panel.x.ticks) {
        const double x = panel.place(tick.value, panel.y.low).x();
        painter.setPen(QPen(faint, 1));
        if (grid != Grid::Horizontal)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const double half = widthOf(tick.text) / 2;
        if (x - half < free)
            continue;
        free = x + half + gap(2);
        painter.setPen(secondary);
        painter.drawText(QRectF(x - half - 4, area.bottom() + gap(1), 2 * half + 8, height),
                         Qt::AlignCenter, tick.text);
    }
    painter.setPen(QPen(color(ColorRole::Line), 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(secondary);
    if (!panel.x.title.isEmpty()) {
        painter.drawText(QRectF(area.left(), area.bottom() + gap(1) + height, area.width(), height),
                         Qt::AlignCenter, panel.x.title);
    }
    if (!panel.y.title.isEmpty()) {
        painter.save();
        double numbers = 0;
        for (const PlotAxis::Tick& tick : panel.y.ticks)
            numbers = std::max(numbers, widthOf(tick.text));
        painter.translate(area.left() - gap(3) - numbers - height / 2, area.center().y());
        painter.rotate(-90);
        const double length = std::max(area.height(), widthOf(panel.y.title) + 2);
        painter.drawText(QRectF(-length / 2, -height / 2, length, height), Qt::AlignCenter,
                         panel.y.title);
        painter.restore();
    }
}

void PlotView::drawNote(QPainter& painter, const QRectF& area, QPointF at, const QString& text,
                        const QColor& ink, Qt::Alignment alignment) const
{
    const double height = lineHeight();
    QRectF box(0, 0, widthOf(text) + gap(2), height + 2);
    box.moveCenter(at);
    if (alignment & Qt::AlignRight)
        box.moveRight(at.x());
    else if (alignment & Qt::AlignLeft)
        box.moveLeft(at.x());
    box.moveLeft(
        std::clamp(box.left(), area.left(), std::max(area.left(), area.right() - box.width())));
    box.moveTop(std::clamp(box.top(), area.top() - height / 2,
                           std::max(area.top(), area.bottom() - box.height())));
    QColor ground = color(ColorRole::Ground);
    ground.setAlphaF(0.85F);
    painter.setFont(smallFont());
    painter.fillRect(box, ground);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

void PlotView::drawEmpty(QPainter& painter, const QString& text) const
{
    painter.setFont(font());
    painter.setPen(color(ColorRole::Secondary));
    painter.drawText(inner(), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void PlotView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), color(ColorRole::Ground));
    paintPlot(painter);
}

void PlotView::mouseMoveEvent(QMouseEvent* event)
{
    m_pointer = event->position();
    update();
    QWidget::mouseMoveEvent(event);
}

void PlotView::leaveEvent(QEvent* event)
{
    m_pointer.reset();
    update();
    QWidget::leaveEvent(event);
}

void PlotView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

} // namespace napkin
