// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/worksheet.h"
#include "ui/canvas/cableitem.h"
#include "ui/canvas/cablelabel.h"
#include "ui/canvas/canvasstyle.h"
#include "ui/canvas/machineitem.h"
#include "ui/document/drawingdocument.h"
#include "ui/document/selection.h"

#include <QGraphicsScene>

#include <map>
#include <memory>
#include <vector>

namespace napkin {

// A drawing's items, kept in step with its document and the worksheet. Changes nothing itself.
class CanvasScene final : public QGraphicsScene
{
    Q_OBJECT
public:
    // `catalogue` may be null: no types, no ratings.
    CanvasScene(DrawingDocument* document, const Catalogue* catalogue, QObject* parent = nullptr);
    ~CanvasScene() override;

    void setStyle(const CanvasStyle& style);
    [[nodiscard]] const CanvasStyle& style() const { return m_style; }
    // Rows are matched by link and its present period.
    void setWorksheet(const std::vector<WorksheetRow>& rows);
    // Null when the link was never looked at or its row belongs to an earlier period.
    [[nodiscard]] const WorksheetRow* row(const Link& link) const;
    [[nodiscard]] const LinkClass* linkClass(const Link& link) const;

    [[nodiscard]] MachineItem* machineItem(MachineId id) const;
    [[nodiscard]] CableItem* cableItem(LinkId id) const;
    [[nodiscard]] CableLabel* cableLabel(LinkId id) const;
    // Of a machine or a cable; nothing for anything else.
    [[nodiscard]] static DrawnId idOf(const QGraphicsObject* item);
    // Machines first, then cables, each in the drawing's order.
    [[nodiscard]] std::vector<QGraphicsObject*> drawnItems() const;
    [[nodiscard]] DrawnId drawnAt(const QPointF& point, qreal tolerance) const;
    [[nodiscard]] MachineItem* machineAt(const QPointF& point) const;
    [[nodiscard]] QRectF drawnBounds() const; // without margins; empty when nothing is drawn

    [[nodiscard]] Selection selection() const;
    void select(const Selection& wanted);

    // Shows machines elsewhere until the document's positions change or previews end.
    void previewPlaces(const std::map<MachineId, QPointF>& centres);
    void endPreview();

    // "Machine spark-a, cables to spark-b", "Cable 10 GbE between spark-a eth0 and spark-b eth0,
    // rated 10 Gb/s, measured 9.42 Gb/s".
    [[nodiscard]] QString describe(MachineId id) const;
    [[nodiscard]] QString describe(LinkId id) const;

Q_SIGNALS:
    void itemsChanged();   // some came or went
    void contentChanged(); // anything looks different
    void aboutToRemove(QGraphicsObject* item);

private:
    void rebuild();
    void connectDocument();
    void addMachine(MachineId id);
    void addLink(LinkId id);
    void removeMachine(MachineId id);
    void removeLink(LinkId id);
    void refreshMachine(MachineId id);
    void refreshLink(LinkId id);
    void placeMachine(MachineId id, const QPointF& centre);
    void markLabels();
    void indexLanes();
    void layCable(LinkId id);
    void layCablesOf(MachineId id);
    void putLabel(LinkId id);
    void putAllLabels();
    [[nodiscard]] std::pair<MachineId, MachineId> endsOf(LinkId id) const;

    struct Cable
    {
        CableItem* item = nullptr;
        CableLabel* label = nullptr;
        CableLane lane;
    };

    DrawingDocument* m_document;
    const Catalogue* m_catalogue;
    CanvasStyle m_style;
    std::map<std::pair<LinkId, LinkPeriodId>, WorksheetRow> m_rows;
    std::map<MachineId, MachineItem*> m_machines;
    std::map<LinkId, Cable> m_cables;
};

} // namespace napkin
