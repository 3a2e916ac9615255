// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tools/selecttool.h"

#include "ui/canvas/canvasview.h"

#include <QApplication>
#include <QGraphicsRectItem>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

template <typename T>
void toggle(std::vector<T>& list, const T& value)
{
    if (std::erase(list, value) == 0)
        list.push_back(value);
}

template <typename T>
bool contains(const std::vector<T>& list, const T& value)
{
    return std::ranges::find(list, value) != list.end();
}

} // namespace

void SelectTool::press(const CanvasMouse& mouse)
{
    m_doing = Doing::Pressed;
    m_from = mouse.scene;
    m_fromView = mouse.view;
    m_before = m_view.canvasScene().selection();
    m_grasped = m_view.drawnAt(mouse.view);
    const bool adding = mouse.modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    Selection selection = m_before;
    if (std::holds_alternative<std::monostate>(m_grasped)) {
        if (!adding)
            m_view.setCurrent({});
        return;
    }
    const auto* machine = std::get_if<MachineId>(&m_grasped);
    const auto* link = std::get_if<LinkId>(&m_grasped);
    if (adding) {
        machine ? toggle(selection.machines, *machine) : toggle(selection.links, *link);
    } else if (machine ? !contains(selection.machines, *machine)
                       : !contains(selection.links, *link)) {
        selection = machine ? Selection{{*machine}, {}} : Selection{{}, {*link}};
    }
    m_view.setCurrent(m_grasped, CanvasView::Follow::No);
    m_view.canvasScene().select(selection);
}

void SelectTool::move(const CanvasMouse& mouse)
{
    if (m_doing == Doing::Pressed &&
        (mouse.view - m_fromView).manhattanLength() >= QApplication::startDragDistance())
        beginDrag();
    if (m_doing == Doing::Moving)
        dragTo(mouse.scene);
    else if (m_doing == Doing::Band)
        spanBand(mouse.scene);
}

void SelectTool::beginDrag()
{
    if (std::holds_alternative<std::monostate>(m_grasped)) {
        m_doing = Doing::Band;
        const QColor accent = m_view.canvasScene().style().color(ColorRole::Accent);
        QPen pen(accent, 1);
        pen.setCosmetic(true);
        QColor tint = accent;
        tint.setAlphaF(0.1F);
        m_band = m_view.canvasScene().addRect({}, pen, tint);
        m_band->setZValue(10);
        return;
    }
    m_origins.clear();
    if (std::holds_alternative<MachineId>(m_grasped)) {
        for (const MachineId id : m_view.canvasScene().selection().machines)
            m_origins.emplace(id, m_view.document().layout().machines.at(id));
    }
    m_doing = m_origins.empty() ? Doing::Nothing : Doing::Moving;
}

// The grasped machine snaps to the grid, the others keep their distance to it.
std::map<MachineId, QPointF> SelectTool::draggedPlaces(const QPointF& scene) const
{
    const auto* grasped = std::get_if<MachineId>(&m_grasped);
    const auto lead = grasped ? m_origins.find(*grasped) : m_origins.end();
    const QPointF origin = lead == m_origins.end() ? m_origins.begin()->second : lead->second;
    const QPointF by = CanvasView::snapped(origin + scene - m_from) - origin;
    std::map<MachineId, QPointF> places = m_origins;
    for (auto& [id, centre] : places)
        centre += by;
    return places;
}

void SelectTool::dragTo(const QPointF& scene)
{
    m_view.canvasScene().previewPlaces(draggedPlaces(scene));
}

void SelectTool::spanBand(const QPointF& scene)
{
    const QRectF rect = QRectF(m_from, scene).normalized();
    m_band->setRect(rect);
    Selection selection;
    for (const Machine& machine : m_view.document().drawing().machines) {
        const MachineItem* item = m_view.canvasScene().machineItem(machine.id);
        if (rect.intersects(item->box()))
            selection.machines.push_back(machine.id);
    }
    for (const Link& link : m_view.document().drawing().links) {
        if (rect.contains(m_view.canvasScene().cableItem(link.id)->curve().path().boundingRect()))
            selection.links.push_back(link.id);
    }
    m_view.canvasScene().select(selection);
}

void SelectTool::release(const CanvasMouse& mouse)
{
    const Doing done = std::exchange(m_doing, Doing::Nothing);
    if (done == Doing::Moving) {
        const auto places = draggedPlaces(mouse.scene);
        m_view.document().moveMachines(places, DrawingDocument::MoveKind::Drag);
        m_view.canvasScene().endPreview();
        m_view.growSceneRect();
        return;
    }
    if (done == Doing::Band) {
        delete std::exchange(m_band, nullptr);
        return;
    }
    const bool adding = mouse.modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    if (done != Doing::Pressed || adding)
        return;
    // A plain click leaves one thing selected, or none.
    Selection selection;
    if (const auto* machine = std::get_if<MachineId>(&m_grasped))
        selection.machines.push_back(*machine);
    if (const auto* link = std::get_if<LinkId>(&m_grasped))
        selection.links.push_back(*link);
    m_view.canvasScene().select(selection);
}

void SelectTool::doubleClick(const CanvasMouse& mouse)
{
    m_doing = Doing::Nothing;
    if (!std::holds_alternative<std::monostate>(m_view.drawnAt(mouse.view)))
        Q_EMIT m_view.nameEditRequested();
}

bool SelectTool::cancel()
{
    const Doing done = std::exchange(m_doing, Doing::Nothing);
    if (done == Doing::Moving)
        m_view.canvasScene().endPreview();
    if (done == Doing::Band) {
        delete std::exchange(m_band, nullptr);
        m_view.canvasScene().select(m_before);
    }
    return done == Doing::Moving || done == Doing::Band;
}

} // namespace napkin
