// SPDX-License-Identifier: GPL-3.0-or-later
// How a canvas is worked without a mouse.

#include "ui/canvas/cableitem.h"
#include "ui/canvas/canvasview.h"
#include "ui/canvas/tools/canvastool.h"

#include <QKeyEvent>

#include <algorithm>

namespace napkin {

namespace {

QPointF direction(int key)
{
    switch (key) {
    case Qt::Key_Left:
        return {-1, 0};
    case Qt::Key_Right:
        return {1, 0};
    case Qt::Key_Up:
        return {0, -1};
    case Qt::Key_Down:
        return {0, 1};
    default:
        return {};
    }
}

} // namespace

// Keys that the canvas uses come to it even where a menu has them as a shortcut.
bool CanvasView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = key->modifiers() == Qt::NoModifier;
        if (plain &&
            (key->key() == Qt::Key_B || key->key() == Qt::Key_C || key->key() == Qt::Key_Escape ||
             key->key() == Qt::Key_Delete || key->key() == Qt::Key_F2)) {
            event->accept();
            return true;
        }
    }
    return QGraphicsView::event(event);
}

void CanvasView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = true;
        updateCursor();
    } else if (!handleZoomKey(event) && !handleEditKey(event)) {
        event->ignore();
        return;
    }
    event->accept();
}

void CanvasView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        updateCursor();
    }
    event->accept();
}

bool CanvasView::handleZoomKey(QKeyEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier))
        return false;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return true;
    case Qt::Key_Minus:
        zoomOut();
        return true;
    case Qt::Key_0:
        setZoom(1);
        return true;
    case Qt::Key_9:
        fit();
        return true;
    case Qt::Key_A:
        selectAll();
        return true;
    default:
        return false;
    }
}

bool CanvasView::handleEditKey(QKeyEvent* event)
{
    const Qt::KeyboardModifiers others =
        event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    if (others != Qt::NoModifier)
        return false;
    if (const QPointF by = direction(event->key()); !by.isNull()) {
        moveSelected(by * (event->modifiers().testFlag(Qt::ShiftModifier) ? 1 : grid));
        return true;
    }
    const auto* machine = std::get_if<MachineId>(&m_current);
    switch (event->key()) {
    case Qt::Key_B:
    case Qt::Key_Insert:
        setTool(ToolKind::Select);
        addMachineByKeyboard();
        return true;
    case Qt::Key_C:
        machine ? startCable(*machine) : setTool(ToolKind::Cable);
        return true;
    case Qt::Key_F2:
        if (!selection().isEmpty())
            Q_EMIT nameEditRequested();
        return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        removeSelected();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!activeTool().accept())
            Q_EMIT inspectorRequested();
        return true;
    case Qt::Key_Escape:
        if (!activeTool().cancel())
            m_tool == ToolKind::Select ? setCurrent({}) : setTool(ToolKind::Select);
        else
            setTool(ToolKind::Select);
        return true;
    default:
        return false;
    }
}

void CanvasView::moveSelected(const QPointF& by)
{
    std::map<MachineId, QPointF> places;
    for (const MachineId id : selection().machines)
        places.emplace(id, m_document->layout().machines.at(id) + by);
    if (places.empty())
        return;
    m_document->moveMachines(places, DrawingDocument::MoveKind::Keyboard);
    growSceneRect();
    if (const QGraphicsObject* item = currentItem())
        ensureVisible(item->sceneBoundingRect(), 24, 24);
}

MachineId CanvasView::addMachineByKeyboard()
{
    const auto* near = std::get_if<MachineId>(&m_current);
    const QPointF step(256, 0);
    QPointF at = snapped(near ? m_document->layout().machines.at(*near) + step
                              : mapToScene(viewport()->rect().center()));
    const auto taken = [this](const QPointF& centre) {
        const QRectF room(centre - QPointF(72, 40), QSizeF(144, 80));
        return std::ranges::any_of(
                   m_document->drawing().machines,
                   [&](const Machine& machine) {
                       return m_scene->machineItem(machine.id)->box().intersects(room);
                   }) ||
               std::ranges::any_of(m_scene->items(room), [](QGraphicsItem* item) {
                   return dynamic_cast<CableItem*>(item) != nullptr;
               });
    };
    // To the right, then a row below.
    const QPointF rowStart = at;
    for (int tries = 0; taken(at); ++tries)
        at = tries % 4 == 3 ? QPointF(rowStart.x(), at.y() + 160) : at + step;
    const MachineId id = m_document->addMachine(at);
    setCurrent(id);
    ensureVisible(m_scene->machineItem(id)->sceneBoundingRect(), 24, 24);
    return id;
}

bool CanvasView::focusNextPrevChild(bool next)
{
    std::vector<QGraphicsObject*> items = m_scene->drawnItems();
    if (activeTool().wantsMachinesOnly())
        std::erase_if(items,
                      [](QGraphicsObject* item) { return !qobject_cast<MachineItem*>(item); });
    const auto at = std::ranges::find(items, currentItem());
    QGraphicsObject* target = nullptr;
    if (at == items.end()) {
        if (!items.empty() && std::holds_alternative<std::monostate>(m_current))
            target = next ? items.front() : items.back();
    } else if (next ? at + 1 != items.end() : at != items.begin()) {
        target = next ? *(at + 1) : *(at - 1);
    } else if (activeTool().wantsMachinesOnly()) {
        target = next ? items.front() : items.back(); // round and round until Enter or Escape
    }
    if (!target) {
        m_current = {};
        showCurrent();
        // Not QGraphicsView's: it walks the items by itself.
        return QAbstractScrollArea::focusNextPrevChild(
            next); // NOLINT(bugprone-parent-virtual-call)
    }
    setCurrent(CanvasScene::idOf(target));
    ensureVisible(target->sceneBoundingRect(), 24, 24);
    return true;
}

} // namespace napkin
