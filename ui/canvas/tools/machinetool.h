// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/tools/canvastool.h"

class QGraphicsRectItem;

namespace napkin {

// Click places a machine; with Shift the tool stays for another one.
class MachineTool final : public CanvasTool
{
public:
    using CanvasTool::CanvasTool;

    void start() override;
    void stop() override;
    void move(const CanvasMouse& mouse) override;
    void press(const CanvasMouse& mouse) override;
    bool accept() override;
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

private:
    QGraphicsRectItem* m_ghost = nullptr; // owned by the scene while it is there
};

} // namespace napkin
