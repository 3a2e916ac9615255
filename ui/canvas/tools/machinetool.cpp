// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tools/machinetool.h"

#include "ui/canvas/canvasview.h"

#include <QGraphicsRectItem>

#include <utility>

namespace napkin {

void MachineTool::start()
{
    QPen pen(m_view.canvasScene().style().color(ColorRole::Accent), 1, Qt::DashLine);
    pen.setCosmetic(true);
    m_ghost = m_view.canvasScene().addRect(QRectF(-64, -24, 128, 48), pen, Qt::NoBrush);
    m_ghost->setZValue(10);
    m_ghost->hide();
    m_view.say(CanvasView::tr("Click where the machine stands. Shift keeps the tool."));
}

void MachineTool::stop()
{
    delete std::exchange(m_ghost, nullptr);
}

void MachineTool::move(const CanvasMouse& mouse)
{
    m_ghost->setPos(CanvasView::snapped(mouse.scene));
    m_ghost->show();
}

void MachineTool::press(const CanvasMouse& mouse)
{
    const MachineId id = m_view.document().addMachine(CanvasView::snapped(mouse.scene));
    m_view.setCurrent(id);
    if (!mouse.modifiers.testFlag(Qt::ShiftModifier))
        m_view.setTool(ToolKind::Select);
}

bool MachineTool::accept()
{
    m_view.addMachineByKeyboard();
    m_view.setTool(ToolKind::Select);
    return true;
}

} // namespace napkin
