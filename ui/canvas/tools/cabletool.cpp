// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tools/cabletool.h"

#include "core/base/errortext.h"
#include "ui/canvas/canvasview.h"

#include <QApplication>
#include <QGraphicsPathItem>

#include <utility>

namespace napkin {

namespace {

MachineId idOf(const MachineItem* item)
{
    return item ? item->id() : MachineId();
}

} // namespace

void CableTool::start()
{
    m_view.say(CanvasView::tr("Drag from one box to another, or click both. By keyboard: Tab to a "
                              "box, Enter, Tab to the other, Enter."));
}

void CableTool::stop()
{
    drop();
}

void CableTool::drop()
{
    aim({});
    m_from = {};
    m_dragging = false;
    delete std::exchange(m_preview, nullptr);
}

void CableTool::startFrom(MachineId machine)
{
    drop();
    m_from = machine;
    QPen pen(m_view.canvasScene().style().color(ColorRole::Accent), 2, Qt::DashLine);
    m_preview = m_view.canvasScene().addPath({}, pen);
    m_preview->setZValue(0.5); // above cables, below boxes
    const Machine* from = m_view.document().drawing().machine(machine);
    m_view.say(CanvasView::tr("Cable from %1: choose the other box, Escape gives up.")
                   .arg(from ? from->name : QString()));
}

void CableTool::press(const CanvasMouse& mouse)
{
    const MachineItem* item = m_view.canvasScene().machineAt(mouse.scene);
    m_pressedAt = mouse.view;
    m_dragging = false;
    if (!item) {
        if (!m_from.isNull())
            m_view.say(CanvasView::tr("No box there: the cable was not drawn."));
        drop();
        return;
    }
    if (m_from.isNull()) {
        startFrom(item->id());
        m_dragging = true;
        return;
    }
    finishAt(item->id(), mouse.modifiers.testFlag(Qt::ShiftModifier) ? After::Stay : After::Leave);
}

void CableTool::move(const CanvasMouse& mouse)
{
    const MachineId over = idOf(m_view.canvasScene().machineAt(mouse.scene));
    if (m_from.isNull()) {
        aim(over);
        return;
    }
    previewTo(mouse.scene, over);
}

void CableTool::release(const CanvasMouse& mouse)
{
    if (!std::exchange(m_dragging, false) || m_from.isNull())
        return;
    const bool moved =
        (mouse.view - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const MachineId over = idOf(m_view.canvasScene().machineAt(mouse.scene));
    if (over == m_from && !moved)
        return; // a click: the second one ends it
    if (!over.isNull()) {
        finishAt(over, mouse.modifiers.testFlag(Qt::ShiftModifier) ? After::Stay : After::Leave);
        return;
    }
    m_view.say(CanvasView::tr("No box there: the cable was not drawn."));
    drop();
}

bool CableTool::accept()
{
    const auto* current = std::get_if<MachineId>(&m_view.current());
    if (!current) {
        m_view.say(CanvasView::tr("Tab to a box first."));
        return true;
    }
    if (m_from.isNull())
        startFrom(*current);
    else
        finishAt(*current, After::Leave);
    return true;
}

bool CableTool::cancel()
{
    const bool half = !m_from.isNull();
    drop();
    return half;
}

void CableTool::currentChanged()
{
    const auto* current = std::get_if<MachineId>(&m_view.current());
    const MachineItem* item = current ? m_view.canvasScene().machineItem(*current) : nullptr;
    if (item && !m_from.isNull() && !m_dragging)
        previewTo(item->pos(), item->id());
}

void CableTool::finishAt(MachineId machine, After after)
{
    const MachineId from = m_from;
    const Result<LinkId> link = m_view.document().addLink(from, machine);
    if (!link) {
        m_view.say(link.error().detail);
        drop();
        return;
    }
    drop();
    m_view.setCurrent(*link);
    if (after == After::Leave)
        m_view.setTool(ToolKind::Select);
}

void CableTool::aim(MachineId machine)
{
    if (MachineItem* old = m_view.canvasScene().machineItem(m_target))
        old->setTarget(false);
    m_target = machine;
    if (MachineItem* item = m_view.canvasScene().machineItem(machine))
        item->setTarget(true);
}

void CableTool::previewTo(const QPointF& scene, MachineId over)
{
    const MachineItem* from = m_view.canvasScene().machineItem(m_from);
    if (!from || !m_preview) {
        drop();
        return;
    }
    aim(over == m_from ? MachineId() : over);
    const MachineItem* to = m_view.canvasScene().machineItem(m_target);
    const QRectF end = to ? to->box() : QRectF(scene, QSizeF(0, 0));
    m_preview->setPath(over == m_from ? QPainterPath()
                                      : cableCurve(from->box(), end, {}, 0).path());
}

} // namespace napkin
