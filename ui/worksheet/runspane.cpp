// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/runspane.h"

#include "ui/theme/theme.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/worksheetmodel.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace napkin {

RunsPane::RunsPane(QWidget* parent)
    : QWidget(parent)
    , m_model(new RunsModel(this))
    , m_sorter(new LedgerSorter(this))
    , m_view(new LedgerView)
    , m_title(new TypeLabel({}, TypeSize::Heading))
    , m_details(new QToolButton)
    , m_machines(new QToolButton)
    , m_all(new QToolButton)
    , m_stack(new QStackedWidget)
{
    m_sorter->setSourceModel(m_model);
    m_view->setModel(m_sorter);
    m_view->setAccessibleName(tr("Runs"));
    m_view->sortByColumn(RunsModel::Number, Qt::DescendingOrder);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    connect(m_view, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != RunsModel::Label) // that is edited
            openDetails();
    });
    for (const auto key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* enter = new QShortcut(QKeySequence(key), m_view);
        enter->setContext(Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, &RunsPane::openDetails);
    }
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this] { m_details->setEnabled(current() != nullptr); });
    connect(m_view, &QWidget::customContextMenuRequested, this, &RunsPane::openMenu);
    connect(m_model, &RunsModel::labelEdited, this, &RunsPane::labelEdited);

    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_details->setText(tr("Details"));
    m_details->setAccessibleName(tr("Details of the run"));
    m_details->setToolTip(tr("The run’s flags and the conditions of both ends (Enter)"));
    m_details->setFocusPolicy(Qt::StrongFocus);
    m_details->setEnabled(false);
    connect(m_details, &QToolButton::clicked, this, &RunsPane::openDetails);
    m_all->setText(tr("All runs"));
    m_all->setAccessibleName(tr("All runs"));
    m_all->setToolTip(tr("Show the runs of every row"));
    m_all->setCheckable(true);
    m_all->setFocusPolicy(Qt::StrongFocus);
    connect(m_all, &QToolButton::toggled, this, &RunsPane::refill);
    m_machines->setText(tr("Machines"));
    m_machines->setAccessibleName(tr("Runs of machines"));
    m_machines->setToolTip(tr("Show what the machines can do by themselves: memory and storage"));
    m_machines->setCheckable(true);
    m_machines->setFocusPolicy(Qt::StrongFocus);
    connect(m_machines, &QToolButton::toggled, this, &RunsPane::refill);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(gap(3), gap(2), gap(3), gap(2));
    head->addWidget(m_title, 1);
    head->addWidget(m_details);
    head->addWidget(m_machines);
    head->addWidget(m_all);

    auto* empty = new EmptyState(themeIcon(u"measure"), tr("No runs yet"),
                                 tr("Every measurement is kept here, with its date and label."));
    connect(empty->addStep(tr("Measure")), &QPushButton::clicked, this,
            &RunsPane::measureRequested);
    m_stack->addWidget(m_view);
    m_stack->addWidget(empty);
    m_voidBar = makeVoidBar();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_stack, 1);
    column->addWidget(m_voidBar);
    refill();
}

QWidget* RunsPane::makeVoidBar()
{
    auto* bar = new QWidget;
    m_voidWhat = new QLabel;
    m_voidReason = new QLineEdit;
    m_voidReason->setPlaceholderText(tr("Why it does not count"));
    m_voidReason->setAccessibleName(tr("Reason for voiding the run"));
    m_voidReason->setMaxLength(300);
    m_voidButton = new QPushButton(tr("Void the run"));
    auto* keep = new QPushButton(tr("Keep it"));
    const auto ready = [this] {
        m_voidButton->setEnabled(!m_voidReason->text().trimmed().isEmpty());
    };
    connect(m_voidReason, &QLineEdit::textChanged, this, ready);
    connect(m_voidReason, &QLineEdit::returnPressed, this, &RunsPane::confirmVoid);
    connect(m_voidButton, &QPushButton::clicked, this, &RunsPane::confirmVoid);
    connect(keep, &QPushButton::clicked, this, &RunsPane::leaveVoidBar);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), bar);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &RunsPane::leaveVoidBar);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(gap(3), gap(2), gap(3), gap(2));
    row->setSpacing(gap(2));
    row->addWidget(m_voidWhat);
    row->addWidget(m_voidReason, 1);
    row->addWidget(m_voidButton);
    row->addWidget(keep);
    bar->hide();
    return bar;
}

void RunsPane::setRecords(const std::vector<RecordSummary>& records)
{
    m_records = records;
    refill();
}

void RunsPane::showRow(const WorksheetRow* row)
{
    const bool isOther = row && (!m_row || row->link != m_row->link || row->name != m_row->name);
    m_row = row ? std::optional(*row) : std::nullopt;
    if (isOther) { // whoever chooses a row wants its runs
        const QSignalBlocker blocker(m_machines);
        m_machines->setChecked(false);
    }
    refill();
}

void RunsPane::refill()
{
    const bool hasMachines = std::ranges::any_of(
        m_records, [](const RecordSummary& record) { return isOfMachine(record.kind); });
    const bool machines = hasMachines && m_machines->isChecked();
    const bool all = !machines && (m_all->isChecked() || !m_row);
    m_machines->setVisible(hasMachines);
    m_all->setVisible(m_row.has_value() && !machines);
    std::vector<RecordSummary> shown;
    for (const RecordSummary& record : m_records) {
        const bool isShown =
            machines ? isOfMachine(record.kind) : all || WorksheetModel::belongs(record, *m_row);
        if (isShown)
            shown.push_back(record);
    }
    m_title->setText(machines ? tr("Runs of machines")
                     : all    ? tr("All runs")
                              : tr("Runs of %1").arg(m_row->name));
    m_stack->setCurrentIndex(shown.empty() ? 1 : 0);
    m_model->setRecords(std::move(shown));
    m_view->fitColumns();
    m_details->setEnabled(current() != nullptr);
}

void RunsPane::selectRecord(RecordId record)
{
    const bool isMachine = std::ranges::any_of(m_records, [record](const RecordSummary& one) {
        return one.id == record && isOfMachine(one.kind);
    });
    if (m_model->rowOf(record) < 0)
        m_machines->setChecked(isMachine);
    if (m_model->rowOf(record) < 0)
        m_all->setChecked(true);
    const QModelIndex index = m_sorter->mapFromSource(m_model->index(m_model->rowOf(record), 0));
    if (!index.isValid())
        return;
    m_view->selectRow(index.row());
    m_view->scrollTo(index);
}

const RecordSummary* RunsPane::current() const
{
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? m_model->record(m_sorter->mapToSource(index).row()) : nullptr;
}

void RunsPane::openDetails()
{
    if (const RecordSummary* record = current())
        Q_EMIT detailsRequested(record->id);
}

void RunsPane::openMenu(QPoint at)
{
    const RecordSummary* record = current();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* details = menu->addAction(tr("Details"), this, &RunsPane::openDetails);
    details->setEnabled(record != nullptr);
    menu->addAction(themeIcon(u"copy"), tr("Copy"), m_view, &LedgerView::copy);
    QAction* edit = menu->addAction(tr("Edit label"), this, [this] {
        const QModelIndex index = m_view->currentIndex();
        m_view->edit(index.siblingAtColumn(RunsModel::Label));
    });
    QAction* voiding = menu->addAction(tr("Void this run…"), this, &RunsPane::askReason);
    edit->setEnabled(record != nullptr);
    voiding->setEnabled(record != nullptr && !record->voided);
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

void RunsPane::askReason()
{
    const RecordSummary* record = current();
    if (!record)
        return;
    m_voiding = record->id;
    m_voidWhat->setText(
        tr("Void run %1. This cannot be undone.").arg(QLocale().toString(qint64(record->number))));
    m_voidReason->clear();
    m_voidButton->setEnabled(false);
    m_voidBar->show();
    m_voidReason->setFocus();
}

void RunsPane::leaveVoidBar()
{
    m_view->setFocus();
    m_voidBar->hide();
}

void RunsPane::confirmVoid()
{
    const QString reason = m_voidReason->text().trimmed();
    if (reason.isEmpty())
        return;
    leaveVoidBar();
    Q_EMIT voidRequested(m_voiding, reason);
}

} // namespace napkin
