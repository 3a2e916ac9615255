// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvasaccessible.h"

#include "ui/canvas/canvasview.h"

#include <QAccessible>
#include <QAccessibleActionInterface>
#include <QAccessibleObject>
#include <QAccessibleWidget>

#include <algorithm>

namespace napkin {

namespace {

CanvasView* viewOf(const QGraphicsObject* item)
{
    const QGraphicsScene* scene = item->scene();
    return scene && !scene->views().isEmpty()
               ? qobject_cast<CanvasView*>(scene->views().constFirst())
               : nullptr;
}

// A machine or a cable: a thing with a name that can be gone to and opened.
class DrawnInterface final : public QAccessibleObject, public QAccessibleActionInterface
{
public:
    explicit DrawnInterface(QGraphicsObject* item)
        : QAccessibleObject(item)
    {}

    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(viewOf(item()));
    }
    int childCount() const override { return 0; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Button; }

    QString text(QAccessible::Text kind) const override
    {
        const CanvasView* view = viewOf(item());
        if (!view || kind != QAccessible::Name)
            return {};
        const DrawnId id = CanvasScene::idOf(item());
        if (const auto* machine = std::get_if<MachineId>(&id))
            return view->canvasScene().describe(*machine);
        if (const auto* link = std::get_if<LinkId>(&id))
            return view->canvasScene().describe(*link);
        return {};
    }

    QRect rect() const override
    {
        const CanvasView* view = viewOf(item());
        if (!view)
            return {};
        const QRect inView = view->mapFromScene(item()->sceneBoundingRect()).boundingRect();
        return {view->viewport()->mapToGlobal(inView.topLeft()), inView.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        const CanvasView* view = viewOf(item());
        if (!view) {
            state.invalid = true;
            return state;
        }
        state.focusable = true;
        state.selectable = true;
        state.multiSelectable = true;
        state.movable = qobject_cast<MachineItem*>(item()) != nullptr;
        state.focused = view->hasFocus() && view->current() == CanvasScene::idOf(item());
        state.selected = item()->isSelected();
        const QRect inView = view->mapFromScene(item()->sceneBoundingRect()).boundingRect();
        state.offscreen = !view->viewport()->rect().intersects(inView);
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString& name) override
    {
        CanvasView* view = viewOf(item());
        if (!view)
            return;
        view->setFocus();
        view->setCurrent(CanvasScene::idOf(item()));
        if (name == pressAction())
            Q_EMIT view->inspectorRequested();
    }
    QStringList keyBindingsForAction(const QString& name) const override
    {
        return name == pressAction() ? QStringList{QStringLiteral("Return")} : QStringList{};
    }

private:
    QGraphicsObject* item() const { return static_cast<QGraphicsObject*>(object()); }
};

class CanvasInterface final : public QAccessibleWidget
{
public:
    explicit CanvasInterface(CanvasView* view)
        : QAccessibleWidget(view, QAccessible::Canvas)
    {}

    int childCount() const override { return static_cast<int>(items().size()); }
    QAccessibleInterface* child(int index) const override
    {
        const auto all = items();
        return index >= 0 && index < static_cast<int>(all.size())
                   ? QAccessible::queryAccessibleInterface(all[static_cast<std::size_t>(index)])
                   : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto all = items();
        const auto at = std::ranges::find(all, child->object(), [](QGraphicsObject* item) {
            return static_cast<QObject*>(item);
        });
        return at == all.end() ? -1 : static_cast<int>(at - all.begin());
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const DrawnId id = view()->drawnAt(view()->viewport()->mapFromGlobal(QPoint(x, y)));
        return interfaceOf(id);
    }
    QAccessibleInterface* focusChild() const override
    {
        return view()->hasFocus() ? interfaceOf(view()->current()) : nullptr;
    }

private:
    CanvasView* view() const { return static_cast<CanvasView*>(widget()); }
    std::vector<QGraphicsObject*> items() const { return view()->canvasScene().drawnItems(); }
    QAccessibleInterface* interfaceOf(const DrawnId& id) const
    {
        QGraphicsObject* item = nullptr;
        if (const auto* machine = std::get_if<MachineId>(&id))
            item = view()->canvasScene().machineItem(*machine);
        if (const auto* link = std::get_if<LinkId>(&id))
            item = view()->canvasScene().cableItem(*link);
        return item ? QAccessible::queryAccessibleInterface(item) : nullptr;
    }
};

QAccessibleInterface* canvasFactory(const QString&, QObject* object)
{
    if (auto* view = qobject_cast<CanvasView*>(object))
        return new CanvasInterface(view);
    if (qobject_cast<MachineItem*>(object) || qobject_cast<CableItem*>(object))
        return new DrawnInterface(static_cast<QGraphicsObject*>(object));
    return nullptr;
}

} // namespace

void installCanvasAccessibility()
{
    QAccessible::installFactory(canvasFactory); // Qt keeps one of each
}

} // namespace napkin
