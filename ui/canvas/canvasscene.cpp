// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvasscene.h"

#include <algorithm>
#include <set>

namespace napkin {

CanvasScene::CanvasScene(DrawingDocument* document, const Catalogue* catalogue, QObject* parent)
    : QGraphicsScene(parent)
    , m_document(document)
    , m_catalogue(catalogue)
    , m_style(CanvasStyle::from(palette(), font()))
{
    setItemIndexMethod(BspTreeIndex);
    connectDocument();
    connect(this, &QGraphicsScene::selectionChanged, this, &CanvasScene::markLabels);
    rebuild();
}

CanvasScene::~CanvasScene()
{
    blockSignals(true); // of items that still count as selected while they go
}

void CanvasScene::connectDocument()
{
    connect(m_document, &DrawingDocument::wasReset, this, &CanvasScene::rebuild);
    connect(m_document, &DrawingDocument::machineAdded, this, [this](MachineId id) {
        addMachine(id);
        Q_EMIT itemsChanged();
        Q_EMIT contentChanged();
    });
    connect(m_document, &DrawingDocument::machineChanged, this, [this](MachineId id) {
        refreshMachine(id);
        layCablesOf(id);
        Q_EMIT contentChanged();
    });
    connect(m_document, &DrawingDocument::machineRemoved, this, [this](MachineId id) {
        removeMachine(id);
        Q_EMIT itemsChanged();
        Q_EMIT contentChanged();
    });
    connect(m_document, &DrawingDocument::layoutChanged, this, [this](MachineId id) {
        placeMachine(id, m_document->layout().machines.at(id));
        Q_EMIT contentChanged();
    });
    connect(m_document, &DrawingDocument::linkAdded, this, [this](LinkId id) {
        addLink(id);
        indexLanes();
        layCable(id);
        putLabel(id);
        Q_EMIT itemsChanged();
        Q_EMIT contentChanged();
    });
    connect(m_document, &DrawingDocument::linkChanged, this, [this](LinkId id) {
        indexLanes();
        refreshLink(id);
        layCable(id);
        putLabel(id);
        Q_EMIT contentChanged();
    });
    connect(m_document, &DrawingDocument::linkRemoved, this, [this](LinkId id) {
        removeLink(id);
        indexLanes();
        Q_EMIT itemsChanged();
        Q_EMIT contentChanged();
    });
}

void CanvasScene::rebuild()
{
    while (!m_cables.empty())
        removeLink(m_cables.begin()->first);
    while (!m_machines.empty())
        removeMachine(m_machines.begin()->first);
    for (const Machine& machine : m_document->drawing().machines)
        addMachine(machine.id);
    for (const Link& link : m_document->drawing().links)
        addLink(link.id);
    indexLanes();
    for (const auto& [id, cable] : m_cables)
        layCable(id);
    putAllLabels();
    Q_EMIT itemsChanged();
    Q_EMIT contentChanged();
}

void CanvasScene::setStyle(const CanvasStyle& style)
{
    m_style = style;
    for (const auto& [id, item] : m_machines)
        refreshMachine(id);
    for (const auto& [id, cable] : m_cables) {
        refreshLink(id);
        layCable(id);
    }
    putAllLabels();
    update();
}

void CanvasScene::setWorksheet(const std::vector<WorksheetRow>& rows)
{
    m_rows.clear();
    for (const WorksheetRow& row : rows) {
        if (row.link && row.period)
            m_rows.insert_or_assign({*row.link, *row.period}, row);
    }
    for (const auto& [id, cable] : m_cables) {
        refreshLink(id);
        layCable(id);
    }
    putAllLabels();
    Q_EMIT contentChanged();
}

const WorksheetRow* CanvasScene::row(const Link& link) const
{
    const auto it = m_rows.find({link.id, link.period});
    return it != m_rows.end() ? &it->second : nullptr;
}

const LinkClass* CanvasScene::linkClass(const Link& link) const
{
    return m_catalogue && !link.classId.isEmpty() ? m_catalogue->linkClass(link.classId) : nullptr;
}

void CanvasScene::addMachine(MachineId id)
{
    auto* item = new MachineItem(id);
    m_machines.emplace(id, item);
    refreshMachine(id);
    item->setPos(m_document->layout().machines.at(id));
    addItem(item);
}

void CanvasScene::addLink(LinkId id)
{
    Cable cable{new CableItem(id), new CableLabel(id), {}};
    m_cables.emplace(id, cable);
    addItem(cable.item);
    addItem(cable.label);
    refreshLink(id);
}

void CanvasScene::removeMachine(MachineId id)
{
    const auto it = m_machines.find(id);
    if (it == m_machines.end())
        return;
    Q_EMIT aboutToRemove(it->second);
    // Forgotten first: its end changes the selection, which asks the items that are left.
    const std::unique_ptr<MachineItem> gone(it->second);
    m_machines.erase(it);
}

void CanvasScene::removeLink(LinkId id)
{
    const auto it = m_cables.find(id);
    if (it == m_cables.end())
        return;
    Q_EMIT aboutToRemove(it->second.item);
    const std::unique_ptr<CableLabel> label(it->second.label);
    const std::unique_ptr<CableItem> gone(it->second.item);
    m_cables.erase(it);
}

void CanvasScene::markLabels()
{
    for (const auto& [id, cable] : m_cables)
        cable.label->setMarked(cable.item->isSelected());
}

void CanvasScene::refreshMachine(MachineId id)
{
    const Machine* machine = m_document->drawing().machine(id);
    MachineItem* item = machineItem(id);
    if (!machine || !item)
        return;
    const MachineType* type = m_catalogue && !machine->typeId.isEmpty()
                                  ? m_catalogue->machineType(machine->typeId)
                                  : nullptr;
    item->setContent(*machine, type ? type->name : machine->typeId, m_style);
    item->setToolTip(machine->name); // whole, where the box shows it shortened
}

void CanvasScene::refreshLink(LinkId id)
{
    const Link* link = m_document->drawing().link(id);
    const auto it = m_cables.find(id);
    if (!link || it == m_cables.end())
        return;
    const LinkClass* kind = linkClass(*link);
    const WorksheetRow* known = row(*link);
    const bool measured = known && (known->forward || known->reverse || known->bothForward);
    it->second.item->setLook(kind ? kind->rated : std::nullopt,
                             measured ? CableItem::Known::Measured : CableItem::Known::Unmeasured,
                             m_style);
    it->second.item->setToolTip(describe(id));
    it->second.label->setToolTip(describe(id));
    it->second.label->setContent(cableLabelLines(*link, kind, known), m_style);
}

void CanvasScene::placeMachine(MachineId id, const QPointF& centre)
{
    if (MachineItem* item = machineItem(id)) {
        item->setPos(centre);
        layCablesOf(id);
    }
}

std::pair<MachineId, MachineId> CanvasScene::endsOf(LinkId id) const
{
    const Drawing& drawing = m_document->drawing();
    const Link* link = drawing.link(id);
    const Machine* a = link ? drawing.machineOf(link->a) : nullptr;
    const Machine* b = link ? drawing.machineOf(link->b) : nullptr;
    return {a ? a->id : MachineId(), b ? b->id : MachineId()};
}

void CanvasScene::indexLanes()
{
    std::map<std::pair<MachineId, MachineId>, std::vector<LinkId>> pairs;
    for (const Link& link : m_document->drawing().links) {
        auto [a, b] = endsOf(link.id);
        if (b < a)
            std::swap(a, b);
        pairs[{a, b}].push_back(link.id);
    }
    for (const auto& [ends, links] : pairs) {
        for (std::size_t i = 0; i < links.size(); ++i) {
            const auto it = m_cables.find(links[i]);
            const CableLane lane{static_cast<int>(i), static_cast<int>(links.size())};
            if (it == m_cables.end() || it->second.lane == lane)
                continue;
            it->second.lane = lane;
            layCable(links[i]);
            putLabel(links[i]);
        }
    }
}

void CanvasScene::layCable(LinkId id)
{
    const auto it = m_cables.find(id);
    const auto [a, b] = endsOf(id);
    const MachineItem* from = machineItem(a);
    const MachineItem* to = machineItem(b);
    if (it == m_cables.end() || !from || !to)
        return;
    const Cable& cable = it->second;
    cable.item->setCurve(
        cableCurve(from->box(), to->box(), cable.lane, cable.label->size().height()));
}

void CanvasScene::layCablesOf(MachineId id)
{
    for (const Link* link : m_document->drawing().linksOf(id)) {
        layCable(link->id);
        putLabel(link->id);
    }
}

void CanvasScene::putLabel(LinkId id)
{
    const auto it = m_cables.find(id);
    if (it == m_cables.end())
        return;
    const Cable& cable = it->second;
    const QSizeF size = cable.label->size();
    const QRectF reach = cable.item->boundingRect().adjusted(-size.width(), -size.height() * 2,
                                                             size.width(), size.height() * 2);
    std::vector<QRectF> obstacles;
    for (const auto& [machine, item] : m_machines) {
        if (item->box().intersects(reach))
            obstacles.push_back(item->box());
    }
    for (const auto& [other, otherCable] : m_cables) {
        QRectF rect(QPointF(), otherCable.label->size());
        rect.moveCenter(otherCable.label->pos());
        if (other != id && otherCable.label->isVisible() && rect.intersects(reach))
            obstacles.push_back(rect);
    }
    cable.label->setPos(placeLabel(cable.item->curve(), size, obstacles));
    cable.label->setVisible(true);
}

void CanvasScene::putAllLabels()
{
    // Labels not placed yet are no obstacles to the others.
    for (const auto& [id, cable] : m_cables)
        cable.label->setVisible(false);
    for (const Link& link : m_document->drawing().links)
        putLabel(link.id);
}

MachineItem* CanvasScene::machineItem(MachineId id) const
{
    const auto it = m_machines.find(id);
    return it == m_machines.end() ? nullptr : it->second;
}

CableItem* CanvasScene::cableItem(LinkId id) const
{
    const auto it = m_cables.find(id);
    return it == m_cables.end() ? nullptr : it->second.item;
}

CableLabel* CanvasScene::cableLabel(LinkId id) const
{
    const auto it = m_cables.find(id);
    return it == m_cables.end() ? nullptr : it->second.label;
}

void CanvasScene::previewPlaces(const std::map<MachineId, QPointF>& centres)
{
    for (const auto& [id, centre] : centres) {
        if (MachineItem* item = machineItem(id))
            item->setPos(centre);
    }
    std::set<LinkId> touched;
    for (const auto& [id, centre] : centres) {
        for (const Link* link : m_document->drawing().linksOf(id))
            touched.insert(link->id);
    }
    for (const LinkId id : touched) {
        layCable(id);
        putLabel(id);
    }
}

void CanvasScene::endPreview()
{
    previewPlaces(m_document->layout().machines);
}

} // namespace napkin
