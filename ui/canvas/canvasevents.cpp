// SPDX-License-Identifier: GPL-3.0-or-later
// How a canvas takes mouse, wheel, focus and paint.

#include "ui/canvas/canvasview.h"
#include "ui/canvas/tools/canvastool.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <cmath>

namespace napkin {

namespace {

constexpr qreal dotSpacing = 32;
constexpr qreal dotsFrom = 0.5; // zoom below which the ground is plain

CanvasMouse canvasMouse(const QGraphicsView& view, const QMouseEvent& event)
{
    const QPoint at = event.position().toPoint();
    return {view.mapToScene(at), at, event.modifiers()};
}

} // namespace

void CanvasView::mousePressEvent(QMouseEvent* event)
{
    const bool pans =
        event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld);
    if (pans)
        beginPan(event->position().toPoint());
    else if (event->button() == Qt::LeftButton) {
        m_pressed = true;
        activeTool().press(canvasMouse(*this, *event));
    }
    event->accept();
}

void CanvasView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_panFrom) {
        panTo(event->position().toPoint());
        return;
    }
    activeTool().move(canvasMouse(*this, *event));
    if (event->buttons() == Qt::NoButton)
        QGraphicsView::mouseMoveEvent(event); // for hovering
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_panFrom)
        endPan();
    else if (event->button() == Qt::LeftButton && std::exchange(m_pressed, false))
        activeTool().release(canvasMouse(*this, *event));
    event->accept();
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_pressed = false;
        m_tool == ToolKind::Select ? activeTool().doubleClick(canvasMouse(*this, *event))
                                   : activeTool().press(canvasMouse(*this, *event));
    }
    event->accept();
}

void CanvasView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        setZoom(zoom() * std::pow(1.0015, event->angleDelta().y()));
        event->accept();
        return;
    }
    const QPoint by = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    const QPoint turned =
        event->modifiers().testFlag(Qt::ShiftModifier) ? QPoint(by.y(), by.x()) : by;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - turned.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - turned.y());
    event->accept();
}

void CanvasView::beginPan(const QPoint& at)
{
    m_panFrom = at;
    updateCursor();
}

void CanvasView::panTo(const QPoint& at)
{
    const QPoint by = at - *m_panFrom;
    m_panFrom = at;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void CanvasView::endPan()
{
    m_panFrom.reset();
    updateCursor();
}

void CanvasView::updateCursor()
{
    if (m_panFrom)
        viewport()->setCursor(Qt::ClosedHandCursor);
    else
        viewport()->setCursor(m_spaceHeld ? QCursor(Qt::OpenHandCursor) : activeTool().cursor());
}

void CanvasView::focusInEvent(QFocusEvent* event)
{
    QGraphicsView::focusInEvent(event);
    const bool first = event->reason() == Qt::TabFocusReason;
    if ((first || event->reason() == Qt::BacktabFocusReason) &&
        std::holds_alternative<std::monostate>(m_current)) {
        const auto items = m_scene->drawnItems();
        if (!items.empty()) {
            QGraphicsObject* item = first ? items.front() : items.back();
            if (const auto* machine = qobject_cast<MachineItem*>(item))
                setCurrent(machine->id());
            else if (const auto* cable = qobject_cast<CableItem*>(item))
                setCurrent(cable->id());
        }
    }
    showCurrent();
    if (QGraphicsObject* item = currentItem())
        announce(QAccessible::Focus, item);
    viewport()->update();
}

void CanvasView::focusOutEvent(QFocusEvent* event)
{
    QGraphicsView::focusOutEvent(event);
    m_spaceHeld = false;
    updateCursor();
    showCurrent();
    viewport()->update();
}

void CanvasView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    placeMessage();
}

void CanvasView::showEvent(QShowEvent* event)
{
    QGraphicsView::showEvent(event);
    if (m_fitWhenShown)
        fit();
}

void CanvasView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange)
        restyle();
}

void CanvasView::drawBackground(QPainter* painter, const QRectF& rect)
{
    QGraphicsView::drawBackground(painter, rect);
    if (zoom() < dotsFrom)
        return;
    QPolygonF dots;
    for (qreal x = std::floor(rect.left() / dotSpacing) * dotSpacing; x <= rect.right();
         x += dotSpacing) {
        for (qreal y = std::floor(rect.top() / dotSpacing) * dotSpacing; y <= rect.bottom();
             y += dotSpacing)
            dots << QPointF(x, y);
    }
    QPen pen(m_scene->style().color(ColorRole::Line), 1.5, Qt::SolidLine, Qt::RoundCap);
    pen.setCosmetic(true);
    painter->setPen(pen);
    painter->drawPoints(dots);
}

// What to do with an empty drawing, and where the keyboard is when no item has it.
void CanvasView::drawForeground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->resetTransform();
    const CanvasStyle& style = m_scene->style();
    const QRectF area = viewport()->rect();
    if (m_document->drawing().machines.empty()) {
        QRectF title = area.adjusted(gap(4), 0, -gap(4), 0);
        title.setBottom(area.center().y() - gap(1));
        painter->setFont(style.name);
        painter->setPen(style.color(ColorRole::Text));
        painter->drawText(title, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap,
                          tr("An empty napkin"));
        QRectF text = area.adjusted(gap(4), 0, -gap(4), 0);
        text.setTop(area.center().y() + gap(1));
        painter->setFont(style.text);
        painter->setPen(style.color(ColorRole::Secondary));
        painter->drawText(text, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                          tr("Press B to add a machine, or choose Machine above and click here.\n"
                             "Press C to draw a cable from one machine to the next."));
    }
    if (hasFocus() && !currentItem()) {
        painter->setPen(QPen(style.color(ColorRole::Accent), 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter->restore();
}

} // namespace napkin
