// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a drawing that put something in or take something out.

#include "ui/document/drawingcommands.h"
#include "ui/document/drawingdocument.h"

#include <algorithm>
#include <set>

namespace napkin {

namespace {

template <typename T>
void insertAt(std::vector<T>& list, std::size_t index, const T& value)
{
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(std::min(index, list.size())), value);
}

} // namespace

void DrawingDocument::insertPart(const DrawingPart& part)
{
    std::set<MachineId> changed;
    for (const auto& [index, machine, centre] : part.machines) {
        insertAt(m_state.drawing.machines, index, machine);
        m_state.layout.machines.insert_or_assign(machine.id, centre);
    }
    for (const auto& [machine, index, port] : part.ports) {
        insertAt(m_state.drawing.machine(machine)->ports, index, port);
        changed.insert(machine);
    }
    for (const auto& [index, link] : part.links) {
        insertAt(m_state.drawing.links, index, link);
    }
    for (const auto& placed : part.machines) {
        Q_EMIT machineAdded(placed.machine.id);
    }
    for (const MachineId id : changed) {
        Q_EMIT machineChanged(id);
    }
    for (const auto& placed : part.links) {
        Q_EMIT linkAdded(placed.link.id);
    }
}

void DrawingDocument::removePart(const DrawingPart& part)
{
    std::set<MachineId> changed;
    for (const auto& placed : part.links) {
        std::erase_if(m_state.drawing.links,
                      [&](const Link& link) { return link.id == placed.link.id; });
    }
    for (const auto& placed : part.ports) {
        std::erase_if(m_state.drawing.machine(placed.machine)->ports,
                      [&](const Port& port) { return port.id == placed.port.id; });
        changed.insert(placed.machine);
    }
    for (const auto& placed : part.machines) {
        std::erase_if(m_state.drawing.machines,
                      [&](const Machine& machine) { return machine.id == placed.machine.id; });
        m_state.layout.machines.erase(placed.machine.id);
    }
    for (const auto& placed : part.links) {
        Q_EMIT linkRemoved(placed.link.id);
    }
    for (const MachineId id : changed) {
        Q_EMIT machineChanged(id);
    }
    for (const auto& placed : part.machines) {
        Q_EMIT machineRemoved(placed.machine.id);
    }
}

void DrawingDocument::pushInsertion(DrawingPart part, const QString& text)
{
    m_undoStack.push(new PartCommand(*this, std::move(part), PartCommand::Way::Insert, text));
}

void DrawingDocument::pushRemoval(DrawingPart part, const QString& text)
{
    if (!part.isEmpty()) {
        m_undoStack.push(new PartCommand(*this, std::move(part), PartCommand::Way::Remove, text));
    }
}

DrawingPart DrawingDocument::partOf(std::span<const MachineId> machines,
                                    std::span<const LinkId> links,
                                    std::span<const PortId> ports) const
{
    DrawingPart part;
    const Drawing& drawing = m_state.drawing;
    std::set<PortId> lost(ports.begin(), ports.end());
    for (std::size_t i = 0; i < drawing.machines.size(); ++i) {
        const Machine& machine = drawing.machines[i];
        if (std::ranges::find(machines, machine.id) != machines.end()) {
            part.machines.push_back({i, machine, m_state.layout.machines.at(machine.id)});
            for (const Port& port : machine.ports) {
                lost.insert(port.id);
            }
            continue;
        }
        for (std::size_t p = 0; p < machine.ports.size(); ++p) {
            if (lost.contains(machine.ports[p].id)) {
                part.ports.push_back({machine.id, p, machine.ports[p]});
            }
        }
    }
    for (std::size_t i = 0; i < drawing.links.size(); ++i) {
        const Link& link = drawing.links[i];
        if (lost.contains(link.a) || lost.contains(link.b) ||
            std::ranges::find(links, link.id) != links.end()) {
            part.links.push_back({i, link});
        }
    }
    return part;
}

MachineId DrawingDocument::addMachine(QPointF centre, const QString& name)
{
    const QString trimmed = name.trimmed();
    Machine machine{.id = MachineId::create(),
                    .name = trimmed.isEmpty() ? freshMachineName() : trimmed,
                    .typeId = {},
                    .ports = {Port{PortId::create(), {}, {}}}};
    const MachineId id = machine.id;
    const QString text = tr("Add %1").arg(machine.name);
    DrawingPart part;
    part.machines.push_back({m_state.drawing.machines.size(), std::move(machine), centre});
    pushInsertion(std::move(part), text);
    return id;
}

void DrawingDocument::remove(std::span<const MachineId> machines, std::span<const LinkId> links)
{
    pushRemoval(partOf(machines, links, {}), removalText(machines, links));
}

QString DrawingDocument::removalText(std::span<const MachineId> machines,
                                     std::span<const LinkId> links) const
{
    if (machines.size() == 1 && links.empty()) {
        const Machine* machine = m_state.drawing.machine(machines.front());
        return tr("Remove %1").arg(machine ? machine->name : QString());
    }
    if (machines.empty()) {
        return links.size() == 1 ? tr("Remove cable")
                                 : tr("Remove %n cables", nullptr, static_cast<int>(links.size()));
    }
    return tr("Remove %n items", nullptr, static_cast<int>(machines.size() + links.size()));
}

PortId DrawingDocument::addPort(MachineId machine, const QString& name)
{
    const Machine* it = m_state.drawing.machine(machine);
    if (!it) {
        return {};
    }
    const Port port{PortId::create(), name.trimmed(), {}};
    DrawingPart part;
    part.ports.push_back({machine, it->ports.size(), port});
    pushInsertion(std::move(part), tr("Add port to %1").arg(it->name));
    return port.id;
}

void DrawingDocument::removePort(PortId port)
{
    if (const Machine* machine = m_state.drawing.machineOf(port)) {
        pushRemoval(partOf({}, {}, {&port, 1}), tr("Remove port of %1").arg(machine->name));
    }
}

// The first port of `machine` without a cable, else a new one that joins `part`.
PortId DrawingDocument::freePort(const Machine& machine, DrawingPart* part) const
{
    for (const Port& port : machine.ports) {
        if (!isPortTaken(port.id)) {
            return port.id;
        }
    }
    const Port fresh{PortId::create(), {}, {}};
    part->ports.push_back({machine.id, machine.ports.size(), fresh});
    return fresh.id;
}

Result<LinkId> DrawingDocument::addLink(MachineId a, MachineId b, const QString& classId)
{
    const Machine* first = m_state.drawing.machine(a);
    const Machine* second = m_state.drawing.machine(b);
    if (!first || !second) {
        return fail(ErrorCode::NotFound);
    }
    if (first == second) {
        return fail(ErrorCode::InvalidArgument, first->name, tr("A cable needs two machines."));
    }
    DrawingPart part;
    const PortId from = freePort(*first, &part);
    const PortId to = freePort(*second, &part);
    const Link link{LinkId::create(), LinkPeriodId::create(), {}, classId, from, to};
    part.links.push_back({m_state.drawing.links.size(), link});
    pushInsertion(std::move(part), tr("Add cable %1 to %2").arg(first->name, second->name));
    return link.id;
}

Result<LinkId> DrawingDocument::addLinkBetween(PortId a, PortId b, const QString& classId)
{
    return checkEnds(a, b, {}).map([&] {
        const Link link{LinkId::create(), LinkPeriodId::create(), {}, classId, a, b};
        DrawingPart part;
        part.links.push_back({m_state.drawing.links.size(), link});
        pushInsertion(std::move(part), tr("Add cable %1 to %2")
                                           .arg(m_state.drawing.machineOf(a)->name,
                                                m_state.drawing.machineOf(b)->name));
        return link.id;
    });
}

} // namespace napkin
