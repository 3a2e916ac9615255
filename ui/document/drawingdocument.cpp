// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/drawingdocument.h"

#include "ui/document/drawingcommands.h"

#include <algorithm>

namespace napkin {

QString portTitle(const Machine& machine, const Port& port)
{
    if (!port.name.isEmpty()) {
        return port.name;
    }
    const auto at = std::ranges::find(machine.ports, port.id, &Port::id);
    return DrawingDocument::tr("port %1").arg(std::distance(machine.ports.begin(), at) + 1);
}

const Machine* otherEnd(const Drawing& drawing, const Link& link, MachineId machine)
{
    const Machine* a = drawing.machineOf(link.a);
    return a && a->id == machine ? drawing.machineOf(link.b) : a;
}

DrawingDocument::DrawingDocument(QObject* parent)
    : QObject(parent)
{
    m_state.drawing.id = DrawingId::create();
}

DrawingDocument::~DrawingDocument() = default;

void DrawingDocument::load(DrawingWithLayout drawing)
{
    m_undoStack.clear();
    m_state = std::move(drawing);
    // A row below everything for machines that nobody placed.
    QPointF free(0, 0);
    for (const auto& [id, centre] : m_state.layout.machines) {
        free.setY(std::max(free.y(), centre.y() + 160));
    }
    for (const Machine& machine : m_state.drawing.machines) {
        if (m_state.layout.machines.emplace(machine.id, free).second) {
            free.rx() += 240;
        }
    }
    Q_EMIT wasReset();
}

template <typename Field>
void DrawingDocument::change(Field field, typename Field::Value value, const QString& text)
{
    if (field.read(m_state) == value) {
        return;
    }
    m_undoStack.push(
        new ChangeValueCommand<Field>(*this, std::move(field), std::move(value), text));
}

void DrawingDocument::renameDrawing(const QString& name)
{
    change(DrawingNameField{}, name.trimmed(), tr("Rename drawing"));
}

Result<void> DrawingDocument::renameMachine(MachineId machine, const QString& name)
{
    const Machine* it = m_state.drawing.machine(machine);
    const QString trimmed = name.trimmed();
    if (!it) {
        return fail(ErrorCode::NotFound);
    }
    if (trimmed.isEmpty()) {
        return fail(ErrorCode::InvalidArgument, it->name, tr("A machine needs a name."));
    }
    change(MachineField<&Machine::name>{machine}, trimmed, tr("Rename %1").arg(it->name));
    return {};
}

void DrawingDocument::setMachineType(MachineId machine, const QString& typeId)
{
    if (const Machine* it = m_state.drawing.machine(machine)) {
        change(MachineField<&Machine::typeId>{machine}, typeId,
               tr("Change type of %1").arg(it->name));
    }
}

Result<void> DrawingDocument::setMachinePeer(MachineId machine, std::optional<PeerId> peer)
{
    const Machine* it = m_state.drawing.machine(machine);
    if (!it) {
        return fail(ErrorCode::NotFound);
    }
    for (const Machine& other : m_state.drawing.machines) {
        if (peer && other.peer == peer && !(other.id == machine)) {
            return fail(ErrorCode::InvalidArgument, it->name,
                        tr("%1 is that machine already.").arg(other.name));
        }
    }
    change(MachinePeerField{machine}, peer, tr("Say which machine %1 is").arg(it->name));
    return {};
}

void DrawingDocument::moveMachines(const std::map<MachineId, QPointF>& centres, MoveKind kind)
{
    PlacesField field{{}, kind};
    std::map<MachineId, QPointF> known;
    for (const auto& [id, centre] : centres) {
        if (m_state.drawing.machine(id)) {
            field.ids.push_back(id);
            known.emplace(id, centre);
        }
    }
    if (known.empty()) {
        return;
    }
    const QString text = known.size() == 1
                             ? tr("Move %1").arg(m_state.drawing.machine(field.ids.front())->name)
                             : tr("Move %n machines", nullptr, static_cast<int>(known.size()));
    change(std::move(field), std::move(known), text);
}

void DrawingDocument::renamePort(PortId port, const QString& name)
{
    if (const Machine* machine = m_state.drawing.machineOf(port)) {
        change(PortField<&Port::name>{port}, name.trimmed(),
               tr("Rename port of %1").arg(machine->name));
    }
}

void DrawingDocument::setPortAddress(PortId port, const QString& address)
{
    if (const Machine* machine = m_state.drawing.machineOf(port)) {
        change(PortField<&Port::address>{port}, address.trimmed(),
               tr("Change address of %1").arg(machine->name));
    }
}

void DrawingDocument::renameLink(LinkId link, const QString& name)
{
    if (m_state.drawing.link(link)) {
        change(LinkNameField{link}, name.trimmed(), tr("Rename cable"));
    }
}

void DrawingDocument::setLinkClass(LinkId link, const QString& classId)
{
    const Link* it = m_state.drawing.link(link);
    if (it && it->classId != classId) {
        change(LinkClassField{link}, {classId, LinkPeriodId::create()}, tr("Change link class"));
    }
}

Result<void> DrawingDocument::setLinkEnds(LinkId link, PortId a, PortId b)
{
    if (!m_state.drawing.link(link)) {
        return fail(ErrorCode::NotFound);
    }
    return checkEnds(a, b, link).map([&] {
        change(LinkEndsField{link}, {a, b}, tr("Move cable to another port"));
    });
}

bool DrawingDocument::isPortTaken(PortId port, LinkId except) const
{
    return std::ranges::any_of(m_state.drawing.links, [&](const Link& link) {
        return link.id != except && (link.a == port || link.b == port);
    });
}

Result<void> DrawingDocument::checkEnds(PortId a, PortId b, LinkId except) const
{
    const Machine* first = m_state.drawing.machineOf(a);
    const Machine* second = m_state.drawing.machineOf(b);
    if (!first || !second) {
        return fail(ErrorCode::NotFound);
    }
    if (first == second) {
        return fail(ErrorCode::InvalidArgument, first->name, tr("A cable needs two machines."));
    }
    for (const auto& [machine, port] : {std::pair{first, a}, std::pair{second, b}}) {
        if (isPortTaken(port, except)) {
            return fail(ErrorCode::InvalidArgument, machine->name,
                        tr("This port has a cable already."));
        }
    }
    return {};
}

QString DrawingDocument::freshMachineName() const
{
    for (int number = 1;; ++number) {
        QString name = tr("machine-%1").arg(number);
        if (std::ranges::find(m_state.drawing.machines, name, &Machine::name) ==
            m_state.drawing.machines.end()) {
            return name;
        }
    }
}

} // namespace napkin
