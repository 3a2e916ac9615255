// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"

#include <QPointF>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace napkin {

// What is drawn. Values only; positions are kept apart, in Layout.

struct Port
{
    PortId id;
    QString name;    // as the system calls it: "enp1s0f0np0"; may be empty
    QString address; // IP address or host name under which this port is reached; may be empty
    bool operator==(const Port&) const = default;
};

struct Machine
{
    MachineId id;
    QString name;
    QString typeId; // catalogue id, or empty
    std::vector<Port> ports;
    std::optional<PeerId> peer{}; // the paired machine that it is; none: not known, or not paired
    bool operator==(const Machine&) const = default;
};

// A link between two ports, drawn as a cable. A period is the time during which it was of one
// class: giving it another class starts a new one, so that old measurements stay with the rating
// they were held against.
struct Link
{
    LinkId id;
    LinkPeriodId period;
    QString name;
    QString classId; // catalogue id, or empty: not known
    PortId a;
    PortId b;
    bool operator==(const Link&) const = default;
};

struct Drawing
{
    DrawingId id;
    QString name;
    std::vector<Machine> machines;
    std::vector<Link> links;
    bool operator==(const Drawing&) const = default;

    [[nodiscard]] const Machine* machine(MachineId machineId) const;
    [[nodiscard]] Machine* machine(MachineId machineId);
    [[nodiscard]] const Link* link(LinkId linkId) const;
    [[nodiscard]] Link* link(LinkId linkId);
    [[nodiscard]] const Port* port(PortId portId) const;
    [[nodiscard]] Port* port(PortId portId);
    [[nodiscard]] const Machine* machineOf(PortId portId) const;
    [[nodiscard]] std::vector<const Link*> linksOf(MachineId machineId) const;
};

// Where things stand on the canvas, in scene units (one unit is one pixel at 100 %).
struct Layout
{
    std::map<MachineId, QPointF> machines; // centres
    bool operator==(const Layout&) const = default;
};

// Fault in a drawing that keeps it from being stored or used: dangling ids, an id twice, a cable
// with both ends at one port, two machines that are one peer, more than limits.h allows. The first
// one found.
[[nodiscard]] Result<void> validate(const Drawing& drawing);

// "spark-a qsfp0 ⇄ spark-b qsfp0", or the link's own name if it has one.
[[nodiscard]] QString linkTitle(const Drawing& drawing, const Link& link);

// JSON, as stored and exported; drawingFromJson refuses what validate() refuses.
[[nodiscard]] QByteArray toJson(const Drawing& drawing, const Layout& layout);
struct DrawingWithLayout
{
    Drawing drawing;
    Layout layout;
    bool operator==(const DrawingWithLayout&) const = default;
};
[[nodiscard]] Result<DrawingWithLayout> drawingFromJson(const QByteArray& text);

// Templates for a first start: ids are fresh on every call.
[[nodiscard]] DrawingWithLayout twoMachinesTemplate();

} // namespace napkin
