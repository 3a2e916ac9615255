// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "ui/canvas/tools/canvastool.h"
#include "ui/document/selection.h"

#include <map>

class QGraphicsRectItem;

namespace napkin {

// Click selects, Ctrl or Shift adds and takes away, a drag moves machines or spans a rubber band,
// a double click asks for the name.
class SelectTool final : public CanvasTool
{
public:
    using CanvasTool::CanvasTool;

    void stop() override { cancel(); }
    void press(const CanvasMouse& mouse) override;
    void move(const CanvasMouse& mouse) override;
    void release(const CanvasMouse& mouse) override;
    void doubleClick(const CanvasMouse& mouse) override;
    bool cancel() override;

private:
    enum class Doing { Nothing, Pressed, Moving, Band };

    void beginDrag();
    void dragTo(const QPointF& scene);
    void spanBand(const QPointF& scene);
    [[nodiscard]] std::map<MachineId, QPointF> draggedPlaces(const QPointF& scene) const;

    Doing m_doing = Doing::Nothing;
    DrawnId m_grasped;
    QPointF m_from;
    QPoint m_fromView;
    std::map<MachineId, QPointF> m_origins;
    Selection m_before;
    QGraphicsRectItem* m_band = nullptr; // owned by the scene while it is there
};

} // namespace napkin
