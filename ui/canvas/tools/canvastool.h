// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCursor>
#include <QPointF>
#include <Qt>

namespace napkin {

class CanvasView;

struct CanvasMouse
{
    QPointF scene;
    QPoint view;
    Qt::KeyboardModifiers modifiers;
};

// What the left mouse button and a few keys do on the canvas. One class a tool; a tool sees input
// only while it is the chosen one, and edits through the view's document.
class CanvasTool
{
public:
    explicit CanvasTool(CanvasView& view)
        : m_view(view)
    {}
    virtual ~CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;

    virtual void start() {}
    virtual void stop() {} // drops whatever is half done
    virtual void press(const CanvasMouse&) {}
    virtual void move(const CanvasMouse&) {} // with or without the button held
    virtual void release(const CanvasMouse&) {}
    virtual void doubleClick(const CanvasMouse&) {}
    // Return and Enter. False: not used.
    virtual bool accept() { return false; }
    // Escape. False: nothing was half done.
    virtual bool cancel() { return false; }
    // The focus moved to another item.
    virtual void currentChanged() {}
    // Tab visits machines only.
    [[nodiscard]] virtual bool wantsMachinesOnly() const { return false; }
    [[nodiscard]] virtual QCursor cursor() const { return Qt::ArrowCursor; }

protected:
    CanvasView& m_view;
};

} // namespace napkin
