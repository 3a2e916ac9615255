// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/taskscope.h"
#include "ui/peers/peerdesk.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QCheckBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace napkin {

class EmptyState;
class ErrorBanner;
class FactsView;
class InviteForm;
class LedgerView;
class LedgerSorter;
class PairForm;
class PeersModel;

// Peers: the machines that this one is paired with, what they are, and whether they may measure
// this one.
class PeersPage : public QWidget
{
    Q_OBJECT
public:
    PeersPage(PeerDesk* desk, std::shared_ptr<const Clock> clock, QWidget* parent = nullptr);
    ~PeersPage() override;

    void startPairing(const QString& place = {});
    void startInviting();
    void showFacts(std::optional<PeerId> id); // null: of this machine
    void askToRevoke();                       // the selected one
    void lookAround();

    [[nodiscard]] LedgerView* view() const { return m_view; }
    [[nodiscard]] PeersModel* model() const { return m_model; }
    [[nodiscard]] QCheckBox* serveSwitch() const { return m_serve; }
    [[nodiscard]] QCheckBox* throughputSwitch() const { return m_throughput; }
    [[nodiscard]] PairForm* pairForm() const { return m_pairForm; }
    [[nodiscard]] InviteForm* inviteForm() const { return m_inviteForm; }
    [[nodiscard]] FactsView* factsView() const { return m_facts; }
    [[nodiscard]] ErrorBanner* banner() const { return m_banner; }
    [[nodiscard]] QPushButton* revokeButton() const { return m_confirm; }
    void select(PeerId id); // in the list
    void focusList();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // peerspagelayout.cpp
    QWidget* makeServePanel();
    QWidget* makeList();
    QWidget* makeSide();
    QWidget* makeRevokeForm();
    QWidget* makeFactsPanel();
    QWidget* makeLookPanel();
    QWidget* makeGuide();

    // peerspage.cpp
    void outlineBoxes();
    void refreshPeers();
    void refreshServing();
    void refreshActions();
    void showSide(QWidget* panel);
    void leaveSide();
    void confirmRevoke();
    void cancelTask();
    [[nodiscard]] const PeerEntry* current() const;
    static QCoro::Task<void> pairTask(QPointer<PeersPage> self, PeerPlace place, QString code,
                                      CancelToken cancel);
    static QCoro::Task<void> factsTask(QPointer<PeersPage> self, std::optional<PeerId> id,
                                       QString name, CancelToken cancel);
    static QCoro::Task<void> lookTask(QPointer<PeersPage> self, CancelToken cancel);

    PeerDesk* m_desk;
    std::shared_ptr<const Clock> m_clock;
    TaskScope m_scope;
    CancelSource m_cancel; // of what the side panel waits for
    PeersModel* m_model;
    LedgerSorter* m_sorter;
    LedgerView* m_view = nullptr;
    ErrorBanner* m_banner;
    QCheckBox* m_serve = nullptr;
    QLabel* m_serveText = nullptr;
    QCheckBox* m_throughput = nullptr;
    QLabel* m_throughputText = nullptr;
    QStackedWidget* m_listStack = nullptr;
    QStackedWidget* m_pages = nullptr;
    QWidget* m_overview = nullptr;
    QStackedWidget* m_side = nullptr;
    QWidget* m_guide = nullptr;
    PairForm* m_pairForm = nullptr;
    InviteForm* m_inviteForm = nullptr;
    QWidget* m_factsPanel = nullptr;
    QLabel* m_factsWait = nullptr;
    FactsView* m_facts = nullptr;
    QWidget* m_revokePanel = nullptr;
    QLabel* m_revokeText = nullptr;
    QPushButton* m_confirm = nullptr;
    QWidget* m_lookPanel = nullptr;
    QLabel* m_lookText = nullptr;
    QListWidget* m_found = nullptr;
    QPushButton* m_rename = nullptr;
    QPushButton* m_revoke = nullptr;
    QPushButton* m_showFacts = nullptr;
    QPushButton* m_askAgain = nullptr;
    QTimer m_watch; // other programs change the file, too
    PeerId m_revoking;
};

} // namespace napkin
