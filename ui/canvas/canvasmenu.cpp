// SPDX-License-Identifier: GPL-3.0-or-later
// The context menus of a canvas.

#include "ui/canvas/canvasview.h"
#include "ui/canvas/mediumname.h"

#include <QContextMenuEvent>
#include <QMenu>

namespace napkin {

void CanvasView::contextMenuEvent(QContextMenuEvent* event)
{
    QPoint at = event->pos();
    DrawnId item = m_current;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (const QGraphicsObject* object = currentItem())
            at = mapFromScene(object->sceneBoundingRect().center());
    } else {
        item = drawnAt(at);
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!std::holds_alternative<std::monostate>(item))
        setCurrent(item);
    if (const auto* machine = std::get_if<MachineId>(&item))
        fillMachineMenu(*menu, *machine);
    else if (const auto* link = std::get_if<LinkId>(&item))
        fillLinkMenu(*menu, *link);
    else
        fillGroundMenu(*menu, mapToScene(at));
    menu->popup(viewport()->mapToGlobal(at));
    event->accept();
}

void CanvasView::fillMachineMenu(QMenu& menu, MachineId machine)
{
    menu.addAction(themeIcon(u"cable"), tr("Draw a cable from here"), this,
                   [this, machine] { startCable(machine); });
    menu.addAction(tr("Rename"), this, &CanvasView::nameEditRequested);
    menu.addAction(tr("Add a port"), this, [this, machine] { m_document->addPort(machine); });
    menu.addSeparator();
    menu.addAction(themeIcon(u"card"), tr("Far-end card"), this,
                   [this, machine] { Q_EMIT farEndCardRequested(machine); });
    menu.addSeparator();
    menu.addAction(themeIcon(u"delete"), tr("Remove"), this,
                   [this, machine] { m_document->removeMachine(machine); });
}

void CanvasView::fillLinkMenu(QMenu& menu, LinkId link)
{
    menu.addAction(themeIcon(u"measure"), tr("Measure"), this,
                   [this, link] { Q_EMIT measureRequested(link); });
    fillClassMenu(*menu.addMenu(tr("Link class")), link);
    menu.addAction(tr("Rename"), this, &CanvasView::nameEditRequested);
    menu.addSeparator();
    menu.addAction(themeIcon(u"delete"), tr("Remove"), this,
                   [this, link] { m_document->removeLink(link); });
}

void CanvasView::fillClassMenu(QMenu& menu, LinkId link)
{
    const Link* it = m_document->drawing().link(link);
    const QString chosen = it ? it->classId : QString();
    const auto offer = [&](QMenu& where, const QString& text, const QString& id) {
        QAction* action =
            where.addAction(text, this, [this, link, id] { m_document->setLinkClass(link, id); });
        action->setCheckable(true);
        action->setChecked(id == chosen);
    };
    offer(menu, tr("Not set"), {});
    if (!m_catalogue)
        return;
    for (const Medium medium : allMedia) {
        QMenu* group = nullptr;
        for (const LinkClass& kind : m_catalogue->linkClasses()) {
            if (kind.medium != medium)
                continue;
            if (!group)
                group = menu.addMenu(mediumName(medium));
            offer(*group, kind.name, kind.id);
        }
    }
}

void CanvasView::fillGroundMenu(QMenu& menu, const QPointF& scene)
{
    menu.addAction(themeIcon(u"machine"), tr("Add a machine here"), this,
                   [this, scene] { setCurrent(m_document->addMachine(snapped(scene))); });
    menu.addAction(tr("Select all"), this, &CanvasView::selectAll);
    menu.addAction(themeIcon(u"zoom-fit"), tr("Show everything"), this, &CanvasView::fit);
}

} // namespace napkin
