// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/topology.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Drawing)
};

Machine machineWithPort(const QString& name)
{
    return {MachineId::create(), name, {}, {Port{PortId::create(), {}, {}}}};
}

} // namespace

DrawingWithLayout twoMachinesTemplate()
{
    const Machine here = machineWithPort(Words::tr("This machine"));
    const Machine there = machineWithPort(Words::tr("Other machine"));
    const Link cable{
        LinkId::create(),      LinkPeriodId::create(), {}, QStringLiteral("ethernet-10g"),
        here.ports.front().id, there.ports.front().id};
    DrawingWithLayout made;
    made.drawing = {DrawingId::create(), Words::tr("My machines"), {here, there}, {cable}};
    made.layout.machines = {{here.id, {-220.0, 0.0}}, {there.id, {220.0, 0.0}}};
    return made;
}

} // namespace napkin
