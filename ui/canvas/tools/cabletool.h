// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "ui/canvas/tools/canvastool.h"

class QGraphicsPathItem;

namespace napkin {

// Draws a cable from box to box: drag, or click and click, or by keyboard Enter on each. A preview
// follows the mouse or the focus. With Shift the tool stays for another one.
class CableTool final : public CanvasTool
{
public:
    using CanvasTool::CanvasTool;

    void start() override;
    void stop() override;
    void press(const CanvasMouse& mouse) override;
    void move(const CanvasMouse& mouse) override;
    void release(const CanvasMouse& mouse) override;
    bool accept() override;
    bool cancel() override;
    void currentChanged() override;
    [[nodiscard]] bool wantsMachinesOnly() const override { return true; }
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

    // Begins at a machine, as a press on it would.
    void startFrom(MachineId machine);

private:
    enum class After { Leave, Stay };

    void finishAt(MachineId machine, After after);
    void aim(MachineId machine); // null: none
    void previewTo(const QPointF& scene, MachineId over);
    void drop();

    MachineId m_from;
    MachineId m_target;
    QPoint m_pressedAt;
    bool m_dragging = false;
    QGraphicsPathItem* m_preview = nullptr; // owned by the scene while it is there
};

} // namespace napkin
