// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/limits.h"
#include "core/topology/topology.h"

#include <QCoreApplication>

#include <set>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Drawing)
};

Result<void> refuse(const QString& what, const QString& why)
{
    return fail(ErrorCode::InvalidArgument, what, why);
}

// Enters the id, or says what is wrong with it.
template <typename IdType>
Result<void> enter(std::set<IdType>& seen, IdType id, const QString& what)
{
    if (id.isNull())
        return refuse(what, Words::tr("it has no id"));
    if (!seen.insert(id).second)
        return refuse(what, Words::tr("its id %1 is used twice").arg(id.text()));
    return {};
}

Result<void> checkText(const QString& text, const QString& what)
{
    if (text.size() <= detail::longestText)
        return {};
    return refuse(what, Words::tr("a text of it has %1 characters, %2 are allowed")
                            .arg(text.size())
                            .arg(detail::longestText));
}

Result<void> checkTexts(std::initializer_list<QString> texts, const QString& what)
{
    for (const QString& text : texts) {
        if (auto checked = checkText(text, what); !checked)
            return checked;
    }
    return {};
}

struct Seen
{
    std::set<MachineId> machines;
    std::set<PeerId> peers;
    std::set<PortId> ports;
    std::set<LinkId> links;
    std::set<LinkPeriodId> periods;
};

Result<void> checkMachine(const Machine& machine, Seen& seen)
{
    const QString what = Words::tr("The machine “%1”").arg(machine.name.left(40));
    return enter(seen.machines, machine.id, what)
        .and_then([&] { return checkTexts({machine.name, machine.typeId}, what); })
        .and_then([&]() -> Result<void> {
            if (!machine.peer)
                return {};
            if (machine.peer->isNull())
                return refuse(what, Words::tr("the paired machine that it is has no id"));
            if (!seen.peers.insert(*machine.peer).second)
                return refuse(what, Words::tr("another machine of the drawing is the same paired "
                                              "machine"));
            return {};
        })
        .and_then([&]() -> Result<void> {
            for (const Port& port : machine.ports) {
                const QString portName = Words::tr("The port “%1” of the machine “%2”")
                                             .arg(port.name.left(40), machine.name.left(40));
                auto checked = enter(seen.ports, port.id, portName).and_then([&] {
                    return checkTexts({port.name, port.address}, portName);
                });
                if (!checked)
                    return checked;
            }
            return {};
        });
}

Result<void> checkLink(const Link& link, Seen& seen)
{
    const QString what =
        Words::tr("The cable “%1”").arg(link.name.isEmpty() ? link.id.text() : link.name.left(40));
    return enter(seen.links, link.id, what)
        .and_then([&] { return enter(seen.periods, link.period, what); })
        .and_then([&] { return checkTexts({link.name, link.classId}, what); })
        .and_then([&]() -> Result<void> {
            if (!seen.ports.contains(link.a) || !seen.ports.contains(link.b))
                return refuse(what, Words::tr("an end of it is at a port that is not there"));
            if (link.a == link.b)
                return refuse(what, Words::tr("both of its ends are at one port"));
            return {};
        });
}

Result<void> checkCounts(const Drawing& drawing)
{
    size_t ports = 0;
    for (const Machine& machine : drawing.machines)
        ports += machine.ports.size();
    if (drawing.machines.size() > detail::mostMachines || ports > detail::mostPorts ||
        drawing.links.size() > detail::mostLinks)
        return refuse(Words::tr("The drawing “%1”").arg(drawing.name.left(40)),
                      Words::tr("%1 machines, %2 ports and %3 cables are the most that it can hold")
                          .arg(detail::mostMachines)
                          .arg(detail::mostPorts)
                          .arg(detail::mostLinks));
    return {};
}

} // namespace

Result<void> validate(const Drawing& drawing)
{
    const QString what = Words::tr("The drawing “%1”").arg(drawing.name.left(40));
    if (drawing.id.isNull())
        return refuse(what, Words::tr("it has no id"));
    Seen seen;
    auto checked = checkText(drawing.name, what).and_then([&] { return checkCounts(drawing); });
    for (const Machine& machine : drawing.machines) {
        if (checked)
            checked = checkMachine(machine, seen);
    }
    for (const Link& link : drawing.links) {
        if (checked)
            checked = checkLink(link, seen);
    }
    return checked;
}

} // namespace napkin
