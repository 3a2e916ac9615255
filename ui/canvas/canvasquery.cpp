// SPDX-License-Identifier: GPL-3.0-or-later
// What a canvas scene tells of itself: hits, selection, words.

#include "core/quantity/format.h"
#include "ui/canvas/canvasscene.h"

#include <algorithm>

namespace napkin {

std::vector<QGraphicsObject*> CanvasScene::drawnItems() const
{
    std::vector<QGraphicsObject*> items;
    for (const Machine& machine : m_document->drawing().machines) {
        if (MachineItem* item = machineItem(machine.id))
            items.push_back(item);
    }
    for (const Link& link : m_document->drawing().links) {
        if (CableItem* item = cableItem(link.id))
            items.push_back(item);
    }
    return items;
}

MachineItem* CanvasScene::machineAt(const QPointF& point) const
{
    for (QGraphicsItem* item : items(point)) {
        if (auto* machine = qgraphicsitem_cast<MachineItem*>(item))
            return machine;
    }
    return nullptr;
}

DrawnId CanvasScene::drawnAt(const QPointF& point, qreal tolerance) const
{
    for (QGraphicsItem* item : items(point)) {
        if (const auto* machine = qgraphicsitem_cast<MachineItem*>(item))
            return machine->id();
        if (const auto* label = qgraphicsitem_cast<CableLabel*>(item))
            return label->link();
        if (const auto* cable = qgraphicsitem_cast<CableItem*>(item))
            return cable->id();
    }
    const QRectF around(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance);
    for (QGraphicsItem* item : items(around)) {
        if (const auto* cable = qgraphicsitem_cast<CableItem*>(item))
            return cable->id();
    }
    return {};
}

QRectF CanvasScene::drawnBounds() const
{
    QRectF bounds;
    for (const auto& [id, item] : m_machines)
        bounds |= item->box();
    for (const auto& [id, cable] : m_cables) {
        bounds |= cable.item->sceneBoundingRect();
        bounds |= cable.label->sceneBoundingRect();
    }
    return bounds;
}

Selection CanvasScene::selection() const
{
    Selection selection;
    for (const Machine& machine : m_document->drawing().machines) {
        const MachineItem* item = machineItem(machine.id);
        if (item && item->isSelected())
            selection.machines.push_back(machine.id);
    }
    for (const Link& link : m_document->drawing().links) {
        const CableItem* item = cableItem(link.id);
        if (item && item->isSelected())
            selection.links.push_back(link.id);
    }
    return selection;
}

void CanvasScene::select(const Selection& wanted)
{
    if (selection() == wanted)
        return;
    {
        const QSignalBlocker oneSignal(this); // for all of it, below
        clearSelection();
        for (const MachineId id : wanted.machines) {
            if (MachineItem* item = machineItem(id))
                item->setSelected(true);
        }
        for (const LinkId id : wanted.links) {
            if (CableItem* item = cableItem(id))
                item->setSelected(true);
        }
    }
    Q_EMIT selectionChanged();
}

QString CanvasScene::describe(MachineId id) const
{
    const Drawing& drawing = m_document->drawing();
    const Machine* machine = drawing.machine(id);
    if (!machine)
        return {};
    QStringList others;
    for (const Link* link : drawing.linksOf(id)) {
        const Machine* other = otherEnd(drawing, *link, id);
        if (other && !others.contains(other->name))
            others << other->name;
    }
    return others.isEmpty()
               ? tr("Machine %1, no cables").arg(machine->name)
               : tr("Machine %1, cables to %2")
                     .arg(machine->name, others.join(tr(", ", "between names of machines")));
}

QString CanvasScene::describe(LinkId id) const
{
    const Drawing& drawing = m_document->drawing();
    const Link* link = drawing.link(id);
    const Machine* a = link ? drawing.machineOf(link->a) : nullptr;
    const Machine* b = link ? drawing.machineOf(link->b) : nullptr;
    if (!a || !b)
        return {};
    const LinkClass* kind = linkClass(*link);
    const auto end = [&](const Machine& machine, PortId port) {
        return tr("%1 %2", "machine port")
            .arg(machine.name, portTitle(machine, *drawing.port(port)));
    };
    QStringList parts;
    QString first = kind ? tr("Cable %1 between %2 and %3")
                               .arg(kind->shortName, end(*a, link->a), end(*b, link->b))
                         : tr("Cable between %1 and %2").arg(end(*a, link->a), end(*b, link->b));
    if (!link->name.isEmpty())
        first = tr("%1: %2", "name of a cable: what it is").arg(link->name, first);
    parts << first;
    const auto ratings = kind ? kind->ratings() : std::vector<Fact<BitRate>>();
    parts << (ratings.empty() ? tr("not rated") : tr("rated %1").arg(formatRatings(ratings)));
    const WorksheetRow* known = row(*link);
    const auto rate = [](const MeasuredRate& measured) {
        return formatBitRate(measured.rate.value());
    };
    if (known && known->forward)
        parts << tr("measured %1").arg(rate(*known->forward));
    if (known && known->reverse)
        parts << tr("measured %1 coming back").arg(rate(*known->reverse));
    if (known && parts.size() == 2 && known->bothForward) {
        parts << tr("measured %1 with both ways at once").arg(rate(*known->bothForward));
    }
    if (parts.size() == 2)
        parts << tr("not measured");
    return parts.join(tr(", ", "between parts of a description"));
}

DrawnId CanvasScene::idOf(const QGraphicsObject* item)
{
    if (const auto* machine = qobject_cast<const MachineItem*>(item))
        return machine->id();
    if (const auto* cable = qobject_cast<const CableItem*>(item))
        return cable->id();
    return {};
}

} // namespace napkin
