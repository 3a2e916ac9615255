// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/measurerecord.h"
#include "ui/canvas/napkinpage.h"
#include "ui/document/drawingdocument.h"
#include "ui/inspector/inspector.h"
#include "ui/measure/measureform.h"
#include "ui/measure/measurepage.h"
#include "ui/peers/peerdesk.h"
#include "ui/peers/peerspage.h"
#include "ui/widgets/farendcard.h"
#include "ui/widgets/ledger.h"
#include "ui/window/gotobox.h"
#include "ui/window/mainwindow.h"
#include "ui/worksheet/worksheetfeed.h"
#include "ui/worksheet/worksheetpage.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace napkin {

namespace {

constexpr int narrowWidth = 1'000;

} // namespace

void MainWindow::setMode(WindowMode mode)
{
    m_mode = mode;
    m_modeActions[static_cast<std::size_t>(mode)]->setChecked(true);
    if (!m_workspace)
        return;
    switch (mode) {
    case WindowMode::Napkin:
        m_stack->setCurrentWidget(m_napkin);
        break;
    case WindowMode::Measure:
        offerSelectedCable();
        m_stack->setCurrentWidget(m_measure);
        break;
    case WindowMode::Worksheet:
        m_stack->setCurrentWidget(m_worksheet);
        break;
    case WindowMode::Peers:
        m_stack->setCurrentWidget(m_peers);
        break;
    }
    focusPage();
    foldInspector();
    updateActions();
}

void MainWindow::focusPage()
{
    switch (m_mode) {
    case WindowMode::Napkin:
        m_napkin->canvas()->setFocus();
        break;
    case WindowMode::Measure:
        m_measure->focusAddress();
        break;
    case WindowMode::Worksheet:
        m_worksheet->view()->setFocus();
        break;
    case WindowMode::Peers:
        m_peers->focusList();
        break;
    }
}

// Whoever goes to Measure with one cable selected means that cable.
void MainWindow::offerSelectedCable()
{
    const Selection chosen = m_napkin->canvas()->selection();
    if (chosen.links.size() == 1 && m_measure->form()->link() != chosen.links.front())
        m_measure->selectLink(chosen.links.front());
}

void MainWindow::onPeersChanged()
{
    const PeerBook& book = m_services.peers->book();
    std::vector<PeerChoice> choices;
    if (!book.self.isNull())
        choices.push_back({book.self, book.name, PeerChoice::Kind::ThisMachine});
    for (const PairedPeer& peer : book.peers)
        choices.push_back({peer.id, peer.name, PeerChoice::Kind::Paired});
    m_inspector->setPeers(choices);
    m_measure->form()->setPeers(book);
}

void MainWindow::measureLink(LinkId link, NearEnd near)
{
    setMode(WindowMode::Measure);
    m_measure->selectLink(link);
    m_measure->form()->setNearEnd(near);
    // With an address there is nothing left to ask; without one the form says what it wants.
    if (m_measure->form()->spec())
        m_measure->measure();
    else
        m_measure->focusAddress();
}

void MainWindow::measureSelected()
{
    const auto links = m_napkin->canvas()->selection().links;
    if (links.size() == 1)
        measureLink(links.front());
}

void MainWindow::showFarEndCard(const QString& machine)
{
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(machine.isEmpty() ? tr("Far-end card")
                                             : tr("Far-end card: %1").arg(machine));
    auto* card = new FarEndCard;
    if (m_measure)
        card->setPort(m_measure->form()->port());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(gap(4), gap(4), gap(4), gap(4));
    column->setSpacing(gap(3));
    column->addWidget(card, 1);
    column->addWidget(buttons);
    dialog->resize(560, 560);
    dialog->show();
}

void MainWindow::showRecord(RecordId record)
{
    setMode(WindowMode::Worksheet);
    m_worksheet->showRecord(record);
}

void MainWindow::showInInspector()
{
    setInspectorWanted(true);
    m_dock->raise();
}

void MainWindow::setInspectorWanted(bool wanted)
{
    auto& inMode = m_narrow ? m_inspectorInNarrow : m_inspectorWanted;
    inMode[static_cast<std::size_t>(m_mode)] = wanted;
    m_dock->setVisible(wanted);
}

// Narrow windows fold it away; whoever opens it there keeps it, in that mode, until the window was
// wide again.
void MainWindow::foldInspector()
{
    m_narrow = width() < narrowWidth;
    if (!m_narrow)
        m_inspectorInNarrow = {};
    const auto& inMode = m_narrow ? m_inspectorInNarrow : m_inspectorWanted;
    m_dock->setVisible(m_workspace && inMode[static_cast<std::size_t>(m_mode)]);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if ((width() < narrowWidth) != m_narrow)
        foldInspector();
}

void MainWindow::onDrawingChanged()
{
    m_measure->setDrawing(m_workspace->document().drawing());
    updateActions();
}

void MainWindow::onFeedChanged()
{
    m_napkin->setWorksheet(m_workspace->feed().rows());
    m_inspector->setWorksheet(m_workspace->feed().rows());
}

void MainWindow::goToAnything()
{
    if (m_workspace)
        m_goTo->open(goToItems());
}

} // namespace napkin
