// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/topology.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Drawing)
};

template <typename List, typename IdType>
auto findById(List& list, IdType id) -> decltype(list.data())
{
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.id == id; });
    return found == list.end() ? nullptr : &*found;
}

QString endTitle(const Drawing& drawing, PortId portId)
{
    const Machine* machine = drawing.machineOf(portId);
    const Port* port = drawing.port(portId);
    if (machine == nullptr || port == nullptr)
        return Words::tr("nothing");
    const QString name = machine->name.isEmpty() ? Words::tr("Unnamed machine") : machine->name;
    return port->name.isEmpty() ? name : name + QLatin1Char(' ') + port->name;
}

} // namespace

const Machine* Drawing::machine(MachineId machineId) const
{
    return findById(machines, machineId);
}

Machine* Drawing::machine(MachineId machineId)
{
    return findById(machines, machineId);
}

const Link* Drawing::link(LinkId linkId) const
{
    return findById(links, linkId);
}

Link* Drawing::link(LinkId linkId)
{
    return findById(links, linkId);
}

const Port* Drawing::port(PortId portId) const
{
    const Machine* owner = machineOf(portId);
    return owner == nullptr ? nullptr : findById(owner->ports, portId);
}

Port* Drawing::port(PortId portId)
{
    for (Machine& machine : machines) {
        if (Port* found = findById(machine.ports, portId))
            return found;
    }
    return nullptr;
}

const Machine* Drawing::machineOf(PortId portId) const
{
    for (const Machine& machine : machines) {
        if (findById(machine.ports, portId) != nullptr)
            return &machine;
    }
    return nullptr;
}

std::vector<const Link*> Drawing::linksOf(MachineId machineId) const
{
    std::vector<const Link*> found;
    const Machine* owner = machine(machineId);
    if (owner == nullptr)
        return found;
    for (const Link& link : links) {
        if (findById(owner->ports, link.a) != nullptr || findById(owner->ports, link.b) != nullptr)
            found.push_back(&link);
    }
    return found;
}

QString linkTitle(const Drawing& drawing, const Link& link)
{
    if (!link.name.isEmpty())
        return link.name;
    return endTitle(drawing, link.a) + QStringLiteral(" ⇄ ") + endTitle(drawing, link.b);
}

} // namespace napkin
