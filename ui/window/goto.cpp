// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/napkinpage.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/measurewords.h"
#include "ui/peers/peerdesk.h"
#include "ui/peers/peerspage.h"
#include "ui/window/gotobox.h"
#include "ui/window/mainwindow.h"
#include "ui/worksheet/worksheetfeed.h"
#include "ui/worksheet/worksheetpage.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace napkin {

std::vector<GoToItem> MainWindow::goToItems()
{
    std::vector<GoToItem> items;
    addDrawn(items);
    addPeers(items);
    addCommands(items);
    addRuns(items);
    return items;
}

void MainWindow::addDrawn(std::vector<GoToItem>& items)
{
    const Drawing& drawing = m_workspace->document().drawing();
    for (const Machine& machine : drawing.machines) {
        items.push_back(
            {machine.name, tr("machine"), themeIcon(u"machine"), [this, id = machine.id] {
                 setMode(WindowMode::Napkin);
                 m_napkin->canvas()->select({{id}, {}});
             }});
    }
    for (const Link& link : drawing.links) {
        const QString title = linkTitle(drawing, link);
        items.push_back({title, tr("cable"), themeIcon(u"cable"), [this, id = link.id] {
                             setMode(WindowMode::Napkin);
                             m_napkin->canvas()->select({{}, {id}});
                         }});
        items.push_back({tr("Measure %1").arg(title), tr("command"), themeIcon(u"play"),
                         [this, id = link.id] { measureLink(id); }});
        items.push_back({tr("%1 in the worksheet").arg(title), tr("row"), themeIcon(u"worksheet"),
                         [this, id = link.id] {
                             setMode(WindowMode::Worksheet);
                             m_worksheet->showLink(id);
                         }});
    }
}

void MainWindow::addPeers(std::vector<GoToItem>& items)
{
    if (!m_peers)
        return;
    for (const PairedPeer& peer : m_services.peers->book().peers) {
        items.push_back(
            {peer.name, tr("paired machine"), themeIcon(u"machine"), [this, id = peer.id] {
                 setMode(WindowMode::Peers);
                 m_peers->select(id);
             }});
    }
}

void MainWindow::addCommands(std::vector<GoToItem>& items)
{
    for (const QAction* menu : menuBar()->actions()) {
        for (QAction* action : menu->menu()->actions()) {
            if (action->isSeparator() || action->menu() || !action->isEnabled() ||
                action->text().isEmpty())
                continue;
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            items.push_back({action->text().remove(QLatin1Char('&')),
                             keys.isEmpty() ? tr("command") : keys, action->icon(),
                             [pointer = QPointer<QAction>(action)] {
                                 if (pointer)
                                     pointer->trigger();
                             }});
        }
    }
}

void MainWindow::addRuns(std::vector<GoToItem>& items)
{
    for (const RecordSummary& record : m_workspace->feed().records()) {
        const QString what = isOfMachine(record.kind)    ? record.nearName
                             : record.linkName.isEmpty() ? record.farName
                                                         : record.linkName;
        QString title = tr("Run %1: %2").arg(QLocale().toString(qint64(record.number)), what);
        if (!record.label.isEmpty())
            title += QStringLiteral(", ") + record.label;
        items.push_back({title, kindWords(record.kind), themeIcon(u"measure"),
                         [this, id = record.id] { showRecord(id); }});
    }
}

} // namespace napkin
