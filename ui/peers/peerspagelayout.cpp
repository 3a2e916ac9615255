// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/factsview.h"
#include "ui/peers/peerforms.h"
#include "ui/peers/peersmodel.h"
#include "ui/peers/peerspage.h"
#include "ui/theme/theme.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/ledger.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>

namespace napkin {

namespace {

QVBoxLayout* plainColumn(QWidget* widget)
{
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(2));
    return column;
}

QPushButton* addButton(QHBoxLayout* row, const QString& text, const QString& tip)
{
    auto* button = new QPushButton(text);
    button->setToolTip(tip);
    row->addWidget(button);
    return button;
}

} // namespace

PeersPage::PeersPage(PeerDesk* desk, std::shared_ptr<const Clock> clock, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_clock(std::move(clock))
    , m_model(new PeersModel(m_clock, this))
    , m_sorter(new LedgerSorter(this))
    , m_banner(new ErrorBanner)
{
    m_sorter->setSourceModel(m_model);
    auto* splitter = new QSplitter(Qt::Horizontal);
    auto* left = new QWidget;
    auto* leftColumn = plainColumn(left);
    leftColumn->setSpacing(0);
    leftColumn->addWidget(makeServePanel());
    leftColumn->addWidget(makeList(), 1);
    splitter->addWidget(left);
    splitter->addWidget(makeSide());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* column = plainColumn(this);
    column->setSpacing(0);
    m_pages = new QStackedWidget; // facts want the whole width
    m_overview = splitter;
    m_factsPanel = makeFactsPanel();
    m_pages->addWidget(m_overview);
    m_pages->addWidget(m_factsPanel);
    column->addWidget(m_banner);
    column->addWidget(m_pages, 1);

    connect(m_desk, &PeerDesk::peersChanged, this, &PeersPage::refreshPeers);
    connect(m_desk, &PeerDesk::servingChanged, this, &PeersPage::refreshServing);
    connect(m_desk, &PeerDesk::failed, m_banner, &ErrorBanner::showError);
    connect(m_desk, &PeerDesk::paired, this, [this] {
        if (m_side->currentWidget() == m_inviteForm)
            leaveSide();
    });
    connect(m_model, &PeersModel::renameRequested, this, [this](PeerId id, const QString& name) {
        if (const auto done = m_desk->rename(id, name); !done)
            m_banner->showError(done.error());
    });
    connect(&m_watch, &QTimer::timeout, m_desk, &PeerDesk::refresh);
    m_watch.start(std::chrono::seconds(3)); // hidden, too: other pages show the names
    outlineBoxes();
    refreshPeers();
    refreshServing();
}

PeersPage::~PeersPage()
{
    m_cancel.request_stop();
}

QWidget* PeersPage::makeServePanel()
{
    auto* panel = new QWidget;
    m_serve = new QCheckBox(tr("Let paired machines measure this one"));
    m_serveText = new TypeLabel({}, TypeSize::Small);
    m_throughput = new QCheckBox(tr("Run the iperf3 service for anybody"));
    m_throughputText = new TypeLabel({}, TypeSize::Small);
    auto* own = new QPushButton(tr("This machine’s facts"));
    connect(own, &QPushButton::clicked, this, [this] { showFacts(std::nullopt); });
    connect(m_serve, &QCheckBox::toggled, this, [this](bool on) {
        m_banner->dismiss();
        if (!on)
            m_desk->stopServing();
        else if (const auto done = m_desk->startServing(); !done)
            m_banner->showError(done.error());
        refreshServing();
    });
    connect(m_throughput, &QCheckBox::toggled, this, [this](bool on) {
        m_banner->dismiss();
        if (!on)
            m_desk->stopThroughput();
        else if (const auto done = m_desk->startThroughput(); !done)
            m_banner->showError(done.error());
        refreshServing();
    });
    auto* head = new QHBoxLayout;
    head->addWidget(new TypeLabel(tr("This machine"), TypeSize::Heading), 1);
    head->addWidget(own);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(gap(3), gap(2), gap(3), gap(2));
    column->setSpacing(gap(1));
    column->addLayout(head);
    for (auto& [box, text] :
         {std::pair(m_serve, m_serveText), std::pair(m_throughput, m_throughputText)}) {
        text->setWordWrap(true);
        text->setContentsMargins(gap(6), 0, 0, gap(1));
        column->addWidget(box);
        column->addWidget(text);
    }
    return panel;
}

QWidget* PeersPage::makeList()
{
    auto* panel = new QWidget;
    m_view = new LedgerView;
    m_view->setModel(m_sorter);
    m_view->setAccessibleName(tr("Paired machines"));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->sortByColumn(PeersModel::Name, Qt::AscendingOrder);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_view->horizontalHeader()->setStretchLastSection(true);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &PeersPage::refreshActions);

    auto* first = new QHBoxLayout;
    first->setSpacing(gap(2));
    QPushButton* pair =
        addButton(first, tr("Pair"), tr("Take the code that another machine shows"));
    QPushButton* invite = addButton(first, tr("Invite"), tr("Show a code for another machine"));
    QPushButton* look = addButton(first, tr("Look around"),
                                  tr("Ask the local network who says to be a Napkin peer"));
    look->setVisible(m_desk->canLookAround());
    first->addStretch();
    connect(pair, &QPushButton::clicked, this, [this] { startPairing(); });
    connect(invite, &QPushButton::clicked, this, &PeersPage::startInviting);
    connect(look, &QPushButton::clicked, this, &PeersPage::lookAround);
    auto* second = new QHBoxLayout;
    second->setSpacing(gap(2));
    m_showFacts = addButton(second, tr("Facts"), tr("What the selected machine is"));
    m_rename = addButton(second, tr("Rename"), tr("Call the selected machine something else"));
    m_revoke = addButton(second, tr("Revoke"), tr("Pair the selected machine no longer"));
    m_askAgain = addButton(second, tr("Ask again"), tr("Who of them answers now"));
    second->addStretch();
    connect(m_showFacts, &QPushButton::clicked, this, [this] {
        if (const PeerEntry* entry = current())
            showFacts(entry->peer.id);
    });
    connect(m_rename, &QPushButton::clicked, this, [this] {
        const auto rows = m_view->selectionModel()->selectedRows();
        if (!rows.isEmpty())
            m_view->edit(rows.front().siblingAtColumn(PeersModel::Name));
    });
    connect(m_revoke, &QPushButton::clicked, this, &PeersPage::askToRevoke);
    connect(m_askAgain, &QPushButton::clicked, m_desk, &PeerDesk::askAll);
    auto* removeKey = new QShortcut(QKeySequence(Qt::Key_Delete), m_view);
    removeKey->setContext(Qt::WidgetShortcut);
    connect(removeKey, &QShortcut::activated, this, &PeersPage::askToRevoke);

    auto* empty = new EmptyState(
        themeIcon(u"peers"), tr("No paired machines yet"),
        tr("A paired machine tells what it is, measures towards others for you, and lets you see "
           "both ends of a cable. A code shown on one machine and typed on the other pairs them."));
    connect(empty->addStep(tr("Pair with a machine")), &QPushButton::clicked, this,
            [this] { startPairing(); });
    connect(empty->addStep(tr("Show a code here")), &QPushButton::clicked, this,
            &PeersPage::startInviting);
    m_listStack = new QStackedWidget;
    m_listStack->addWidget(m_view);
    m_listStack->addWidget(empty);
    auto* bars = new QVBoxLayout;
    bars->setContentsMargins(gap(3), gap(2), gap(3), gap(2));
    bars->setSpacing(gap(2));
    bars->addWidget(new TypeLabel(tr("Paired machines"), TypeSize::Heading));
    bars->addLayout(first);
    bars->addLayout(second);
    auto* column = plainColumn(panel);
    column->setSpacing(0);
    column->addLayout(bars);
    column->addWidget(m_listStack, 1);
    return panel;
}

QWidget* PeersPage::makeSide()
{
    m_side = new QStackedWidget;
    m_guide = makeGuide();
    m_pairForm = new PairForm;
    m_inviteForm = new InviteForm;
    m_revokePanel = makeRevokeForm();
    m_lookPanel = makeLookPanel();
    for (QWidget* panel : {m_guide, static_cast<QWidget*>(m_pairForm),
                           static_cast<QWidget*>(m_inviteForm), m_revokePanel, m_lookPanel})
        m_side->addWidget(panel);
    connect(m_pairForm, &PairForm::pairRequested, this,
            [this](const QString& text, const QString& code) {
                m_banner->dismiss();
                const auto place = peerPlaceFromText(text);
                if (!place) {
                    m_banner->showError(place.error());
                    return;
                }
                m_pairForm->setBusy(true);
                m_scope.start(pairTask(this, *place, code, m_cancel.get_token()));
            });
    connect(m_pairForm, &PairForm::cancelled, this, &PeersPage::leaveSide);
    connect(m_inviteForm, &InviteForm::closed, this, &PeersPage::leaveSide);
    connect(m_inviteForm, &InviteForm::anotherRequested, this, &PeersPage::startInviting);
    auto* inner = new QWidget;
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(gap(4), gap(3), gap(4), gap(3));
    column->addWidget(m_side);
    auto* scroll = new QScrollArea;
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumWidth(300);
    scroll->setAccessibleName(tr("Details"));
    return scroll;
}

QWidget* PeersPage::makeGuide()
{
    auto* guide = new QWidget;
    auto* column = plainColumn(guide);
    column->addWidget(new TypeLabel(tr("What pairing brings"), TypeSize::Heading));
    for (const QString& text :
         {tr("Facts of both ends with every run: system, interface, negotiated speed, MTU, route."),
          tr("Which wire the bytes took, and what else went over it."),
          tr("Cables between two other machines, measured from here: say in the inspector which "
             "drawn machine is which peer."),
          tr("Pairing goes by a code. Machines that are not paired are refused.")}) {
        auto* label = new QLabel(QStringLiteral("•  ") + text);
        label->setWordWrap(true);
        column->addWidget(label);
    }
    column->addStretch();
    return guide;
}

QWidget* PeersPage::makeRevokeForm()
{
    auto* panel = new QWidget;
    m_revokeText = new QLabel;
    m_revokeText->setTextFormat(Qt::PlainText);
    m_revokeText->setWordWrap(true);
    m_confirm = new QPushButton(tr("Revoke"));
    m_confirm->setAccessibleName(tr("Revoke for good"));
    auto* keep = new QPushButton(tr("Keep it"));
    connect(m_confirm, &QPushButton::clicked, this, &PeersPage::confirmRevoke);
    connect(keep, &QPushButton::clicked, this, &PeersPage::leaveSide);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), panel);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &PeersPage::leaveSide);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_confirm);
    buttons->addWidget(keep);
    buttons->addStretch();
    auto* column = plainColumn(panel);
    column->addWidget(new TypeLabel(tr("Revoke a pairing"), TypeSize::Heading));
    column->addWidget(m_revokeText);
    column->addLayout(buttons);
    column->addStretch();
    return panel;
}

QWidget* PeersPage::makeFactsPanel()
{
    auto* panel = new QWidget;
    m_factsWait = new QLabel;
    m_factsWait->setWordWrap(true);
    m_facts = new FactsView;
    auto* close = new QPushButton(tr("Back to the peers"));
    close->setToolTip(tr("Back to the peers (Esc)"));
    connect(close, &QPushButton::clicked, this, &PeersPage::leaveSide);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), panel);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &PeersPage::leaveSide);
    auto* column = plainColumn(panel);
    column->setContentsMargins(gap(4), gap(3), gap(4), gap(3));
    column->addWidget(close, 0, Qt::AlignRight);
    column->addWidget(m_factsWait);
    column->addWidget(m_facts, 1);
    column->addStretch();
    return panel;
}

QWidget* PeersPage::makeLookPanel()
{
    auto* panel = new QWidget;
    m_lookText = new QLabel;
    m_lookText->setWordWrap(true);
    m_found = new QListWidget;
    m_found->setAccessibleName(tr("Machines that say to be a Napkin peer"));
    m_found->setFrameShape(QFrame::NoFrame);
    auto* pair = new QPushButton(tr("Pair with it"));
    auto* close = new QPushButton(tr("Close"));
    close->setAccessibleName(tr("Close the list"));
    const auto pairWithIt = [this] {
        if (const QListWidgetItem* item = m_found->currentItem())
            startPairing(item->data(Qt::UserRole).toString());
    };
    pair->setEnabled(false);
    connect(m_found, &QListWidget::currentRowChanged, pair,
            [pair](int row) { pair->setEnabled(row >= 0); });
    connect(m_found, &QListWidget::itemActivated, this, pairWithIt);
    connect(pair, &QPushButton::clicked, this, pairWithIt);
    connect(close, &QPushButton::clicked, this, &PeersPage::leaveSide);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(pair);
    buttons->addWidget(close);
    buttons->addStretch();
    auto* column = plainColumn(panel);
    column->addWidget(new TypeLabel(tr("On the local network"), TypeSize::Heading));
    column->addWidget(m_lookText);
    column->addWidget(m_found, 1);
    column->addLayout(buttons);
    return panel;
}

} // namespace napkin
