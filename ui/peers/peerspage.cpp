// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/peerspage.h"

#include "ui/peers/factsview.h"
#include "ui/peers/peerforms.h"
#include "ui/peers/peersmodel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/ledger.h"

#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QNetworkInterface>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>

namespace napkin {

namespace {

// Where others may reach this machine, IPv4 first; without loopback and link-local ones.
QStringList ownAddresses()
{
    QStringList four;
    QStringList six;
    const auto all = QNetworkInterface::allAddresses();
    for (const QHostAddress& address : all) {
        if (address.isLoopback() || address.isLinkLocal())
            continue;
        (address.protocol() == QAbstractSocket::IPv4Protocol ? four : six) << address.toString();
    }
    return four + six;
}

} // namespace

void PeersPage::focusList()
{
    if (m_model->rowCount() > 0)
        m_view->setFocus();
    else
        m_serve->setFocus();
}

void PeersPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_desk->refresh();
    m_desk->askAll();
}

void PeersPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_serve)
        outlineBoxes();
}

// The style draws the frame of a box darker than the window, which nobody sees on a dark ground.
void PeersPage::outlineBoxes()
{
    QPalette p = palette();
    p.setColor(QPalette::Window, themeColor(ColorRole::Secondary, p).lighter(140));
    m_serve->setPalette(p);
    m_throughput->setPalette(p);
}

void PeersPage::refreshPeers()
{
    m_model->setPeers(m_desk->peers());
    m_listStack->setCurrentIndex(m_model->rowCount() == 0 ? 1 : 0);
    m_view->fitColumns();
    if (m_model->rowCount() > 0 && !m_view->currentIndex().isValid())
        m_view->selectRow(0);
    refreshActions();
}

void PeersPage::refreshActions()
{
    const bool chosen = current() != nullptr;
    for (QPushButton* button : {m_rename, m_revoke, m_showFacts})
        button->setEnabled(chosen);
    m_askAgain->setEnabled(m_model->rowCount() > 0);
}

void PeersPage::refreshServing()
{
    const QSignalBlocker quietServe(m_serve);
    const QSignalBlocker quietThroughput(m_throughput);
    m_serve->setChecked(m_desk->isServing());
    m_throughput->setChecked(m_desk->isThroughputOn());
    const QStringList who = m_desk->connected();
    if (!m_desk->isServing())
        m_serveText->setText(tr("Off. It is off again at the next start."));
    else if (who.isEmpty())
        m_serveText->setText(tr("On, port %1. Nobody is connected.").arg(m_desk->servingPort()));
    else
        m_serveText->setText(tr("On, port %1. Connected: %2.")
                                 .arg(m_desk->servingPort())
                                 .arg(who.join(QStringLiteral(", "))));
    const QString client = m_desk->throughputClient();
    if (!m_desk->isThroughputOn())
        m_throughputText->setText(tr("Off. For machines without Napkin; it asks nobody who they "
                                     "are."));
    else if (client.isEmpty())
        m_throughputText->setText(
            tr("On, port %1. Anybody who reaches it may measure.").arg(m_desk->throughputPort()));
    else
        m_throughputText->setText(tr("On. %1 is measuring.").arg(client));
}

const PeerEntry* PeersPage::current() const
{
    const auto rows = m_view->selectionModel()->selectedRows();
    return rows.size() == 1 ? m_model->peer(m_sorter->mapToSource(rows.front()).row()) : nullptr;
}

void PeersPage::showSide(QWidget* panel)
{
    cancelTask();
    m_banner->dismiss();
    m_pages->setCurrentWidget(panel == m_factsPanel ? m_factsPanel : m_overview);
    if (panel != m_factsPanel)
        m_side->setCurrentWidget(panel);
}

void PeersPage::leaveSide()
{
    showSide(m_guide);
    focusList();
}

void PeersPage::cancelTask()
{
    m_cancel.request_stop();
    m_cancel = CancelSource();
}

void PeersPage::startPairing(const QString& place)
{
    showSide(m_pairForm);
    m_pairForm->begin(place);
}

void PeersPage::select(PeerId id)
{
    if (const int row = m_model->rowOf(id); row >= 0)
        m_view->selectRow(m_sorter->mapFromSource(m_model->index(row, 0)).row());
}

void PeersPage::startInviting()
{
    const auto code = m_desk->invite();
    if (!code) {
        m_banner->showError(code.error());
        return;
    }
    showSide(m_inviteForm);
    m_inviteForm->present(*code, m_desk->servingPort(), ownAddresses(),
                          QDateTime::currentDateTimeUtc().addDuration(PeerStore::invitationLife));
}

QCoro::Task<void> PeersPage::pairTask(QPointer<PeersPage> self, PeerPlace place, QString code,
                                      CancelToken cancel)
{
    const auto paired = co_await PeerDesk::pair(self->m_desk, place, code, cancel);
    if (!self || cancel.stop_requested())
        co_return;
    self->m_pairForm->setBusy(false);
    if (!paired) {
        self->m_banner->showError(paired.error());
        co_return;
    }
    self->leaveSide();
    self->select(paired->id);
}

void PeersPage::showFacts(std::optional<PeerId> id)
{
    const PeerEntry* entry = id ? m_desk->find(*id) : nullptr;
    const QString name = entry ? entry->peer.name : m_desk->ownName();
    showSide(m_factsPanel);
    m_facts->hide();
    m_factsWait->setText(tr("Asking %1…").arg(name));
    m_factsWait->show();
    m_scope.start(factsTask(this, id, name, m_cancel.get_token()));
}

QCoro::Task<void> PeersPage::factsTask(QPointer<PeersPage> self, std::optional<PeerId> id,
                                       QString name, CancelToken cancel)
{
    const auto facts = co_await PeerDesk::facts(self->m_desk, id, cancel);
    if (!self || cancel.stop_requested())
        co_return;
    if (!facts) {
        self->m_factsWait->setText(tr("Nothing is known of %1 at the moment.").arg(name));
        self->m_banner->showError(facts.error());
        co_return;
    }
    self->m_factsWait->hide();
    self->m_facts->present(*facts, name);
    self->m_facts->show();
}

void PeersPage::askToRevoke()
{
    const PeerEntry* entry = current();
    if (!entry)
        return;
    m_revoking = entry->peer.id;
    m_revokeText->setText(
        tr("Revoke %1? It can no longer measure this machine, nor this machine ask it, until they "
           "are paired again. What it measures here at this moment ends at once. Runs that are "
           "recorded stay.")
            .arg(entry->peer.name));
    showSide(m_revokePanel);
    m_confirm->setFocus();
}

void PeersPage::confirmRevoke()
{
    const auto done = m_desk->revoke(m_revoking);
    leaveSide();
    if (!done)
        m_banner->showError(done.error());
}

void PeersPage::lookAround()
{
    showSide(m_lookPanel);
    m_found->clear();
    m_lookText->setText(tr("Asking the local network…"));
    m_scope.start(lookTask(this, m_cancel.get_token()));
}

QCoro::Task<void> PeersPage::lookTask(QPointer<PeersPage> self, CancelToken cancel)
{
    const auto found = co_await PeerDesk::lookAround(self->m_desk, cancel);
    if (!self || cancel.stop_requested())
        co_return;
    if (!found) {
        self->m_lookText->setText(tr("The local network could not be asked."));
        self->m_banner->showError(found.error());
        co_return;
    }
    self->m_lookText->setText(
        found->empty() ? tr("No machine said that it is a Napkin peer. Most keep quiet: only those "
                            "that were told to announce themselves answer.")
                       : tr("%n machines answered. Names are claims: anybody on this network can "
                            "use any name. Only a code makes sure.",
                            nullptr, static_cast<int>(found->size())));
    for (const FoundPeer& one : *found) {
        auto* item = new QListWidgetItem(tr("“%1” at %2").arg(one.name, one.place), self->m_found);
        item->setData(Qt::UserRole, one.place);
    }
    if (self->m_found->count() > 0)
        self->m_found->setCurrentRow(0);
}

} // namespace napkin
