// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/worksheetpage.h"

#include "core/notebook/worksheet.h"
#include "ui/theme/theme.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/rundetails.h"
#include "ui/worksheet/runspane.h"
#include "ui/worksheet/worksheetfeed.h"
#include "ui/worksheet/worksheetmodel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSaveFile>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>

namespace napkin {

WorksheetPage::WorksheetPage(WorksheetFeed* feed, Notebook* notebook,
                             std::shared_ptr<const Clock> clock, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_notebook(notebook)
    , m_model(new WorksheetModel(std::move(clock), this))
    , m_sorter(new LedgerSorter(this))
    , m_view(new LedgerView)
    , m_runs(new RunsPane)
    , m_details(new RunDetails(notebook))
    , m_banner(new ErrorBanner)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_stack(new QStackedWidget)
{
    m_sorter->setSourceModel(m_model);
    m_view->setModel(m_sorter);
    m_view->freezeFirstColumn(); // whose figures they are
    m_view->setAccessibleName(tr("Worksheet"));
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); // the notebook's order
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_splitter->addWidget(makeTop());
    m_splitter->addWidget(m_runs);
    m_splitter->setStretchFactor(0, 1); // few links have many runs
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);

    auto* empty = new EmptyState(themeIcon(u"worksheet"), tr("The worksheet is empty"),
                                 tr("Each cable you draw and each far end you measure gets a row "
                                    "here: what it is rated, and what it delivers."));
    connect(empty->addStep(tr("Draw a cable")), &QPushButton::clicked, this,
            &WorksheetPage::drawRequested);
    connect(empty->addStep(tr("Measure an address")), &QPushButton::clicked, this,
            [this] { Q_EMIT measureRequested(std::nullopt); });
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(empty);
    m_stack->addWidget(m_details);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banner);
    column->addWidget(m_stack, 1);

    connect(m_feed, &WorksheetFeed::changed, this, &WorksheetPage::onFeedChanged);
    connect(m_feed, &WorksheetFeed::failed, m_banner, &ErrorBanner::showError);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &WorksheetPage::onSelectionChanged);
    connect(m_runs, &RunsPane::labelEdited, this, [this](RecordId record, const QString& label) {
        m_scope.start(writeLabel(this, m_notebook, record, label));
    });
    connect(m_runs, &RunsPane::voidRequested, this, [this](RecordId record, const QString& why) {
        m_scope.start(writeVoid(this, m_notebook, record, why));
    });
    connect(m_runs, &RunsPane::measureRequested, this, [this] {
        const WorksheetRow* row = m_model->row(currentRow());
        Q_EMIT measureRequested(row ? row->link : std::nullopt);
    });
    connect(m_runs, &RunsPane::detailsRequested, this, &WorksheetPage::showDetails);
    connect(m_details, &RunDetails::closeRequested, this, &WorksheetPage::leaveDetails);
    connect(&m_minute, &QTimer::timeout, m_model, &WorksheetModel::refreshTimes);
    m_minute.start(std::chrono::seconds(30));
    onFeedChanged();
}

QWidget* WorksheetPage::makeTop()
{
    auto* title = new TypeLabel(tr("Rated beside measured"), TypeSize::Heading);
    auto* copyButton = new QPushButton(themeIcon(u"copy"), tr("Copy"));
    copyButton->setToolTip(tr("Copy the selected rows, or all, as text for a spreadsheet"));
    connect(copyButton, &QPushButton::clicked, m_view, &LedgerView::copy);
    auto* csv = new QPushButton(tr("Save as CSV…"));
    connect(csv, &QPushButton::clicked, this, &WorksheetPage::exportCsv);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(gap(3), gap(2), gap(3), gap(2));
    head->setSpacing(gap(2));
    head->addWidget(title, 1);
    head->addWidget(copyButton);
    head->addWidget(csv);
    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_view, 1);
    return top;
}

void WorksheetPage::onFeedChanged()
{
    const WorksheetRow* before = m_model->row(currentRow());
    const std::optional<WorksheetRow> kept = before ? std::optional(*before) : std::nullopt;
    m_model->setRows(m_feed->rows());
    if (kept && currentRow() < 0)
        selectRow(m_model->rowLike(*kept));
    m_runs->setRecords(m_feed->records());
    if (!areDetailsShown())
        m_stack->setCurrentIndex(
            m_feed->rows().empty() && m_feed->records().empty() && m_feed->isLoaded() ? 1 : 0);
    m_view->fitColumns();
    if (m_model->rowCount() > 0 && !m_view->currentIndex().isValid())
        selectRow(0);
    onSelectionChanged();
}

void WorksheetPage::selectRow(int row)
{
    const QModelIndex index = m_sorter->mapFromSource(m_model->index(row, 0));
    if (!index.isValid())
        return;
    m_view->selectRow(index.row());
    m_view->scrollTo(index);
}

int WorksheetPage::currentRow() const
{
    const auto rows = m_view->selectionModel()->selectedRows();
    return rows.size() == 1 ? m_sorter->mapToSource(rows.front()).row() : -1;
}

void WorksheetPage::onSelectionChanged()
{
    const WorksheetRow* row = m_model->row(currentRow());
    m_runs->showRow(row);
    if (row && row->link && isVisible())
        Q_EMIT linkSelected(*row->link);
}

void WorksheetPage::showRecord(RecordId record)
{
    if (areDetailsShown())
        leaveDetails();
    for (const RecordSummary& one : m_feed->records()) {
        if (one.id != record)
            continue;
        selectRow(m_model->rowOf(one));
        m_runs->selectRecord(record);
        return;
    }
}

void WorksheetPage::showDetails(RecordId record)
{
    m_details->present(record, m_feed->records());
    m_stack->setCurrentWidget(m_details);
    m_details->view()->setFocus();
}

bool WorksheetPage::areDetailsShown() const
{
    return m_stack->currentWidget() == m_details;
}

void WorksheetPage::leaveDetails()
{
    m_stack->setCurrentWidget(m_splitter);
    onFeedChanged();
    m_runs->view()->setFocus();
}

void WorksheetPage::showLink(LinkId link)
{
    if (areDetailsShown())
        leaveDetails();
    for (int i = 0; i < m_model->rowCount(); ++i) {
        if (m_model->row(i)->link == link) {
            selectRow(i);
            return;
        }
    }
}

void WorksheetPage::copy() const
{
    if (areDetailsShown())
        m_details->view()->copy();
    else
        (m_runs->view()->hasFocus() ? m_runs->view() : m_view)->copy();
}

void WorksheetPage::exportCsv()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    auto* dialog = new QFileDialog(this, tr("Save the worksheet"), folder,
                                   tr("Comma-separated values (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(QStringLiteral("worksheet.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto written = writeCsv(path); !written)
            m_banner->showError(written.error());
    });
    dialog->open();
}

Result<void> WorksheetPage::writeCsv(const QString& path) const
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return fail(ErrorCode::StorageUnavailable, path, file.errorString());
    file.write(worksheetCsv(m_model->rows()).toUtf8());
    if (!file.commit())
        return fail(ErrorCode::StorageUnavailable, path, file.errorString());
    return {};
}

bool WorksheetPage::savePicture(const QString& path, qreal scale)
{
    QImage image(size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(palette().color(QPalette::Base));
    QPainter painter(&image);
    render(&painter);
    painter.end();
    return image.save(path);
}

void WorksheetPage::saveState(QSettings& settings) const
{
    m_view->saveColumns(settings, QStringLiteral("worksheet/columns3"));
    m_runs->view()->saveColumns(settings, QStringLiteral("worksheet/runs2"));
    settings.setValue(QStringLiteral("worksheet/split"), m_splitter->saveState());
}

void WorksheetPage::restoreState(const QSettings& settings)
{
    m_view->restoreColumns(settings, QStringLiteral("worksheet/columns3"));
    m_runs->view()->restoreColumns(settings, QStringLiteral("worksheet/runs2"));
    m_splitter->restoreState(settings.value(QStringLiteral("worksheet/split")).toByteArray());
}

QCoro::Task<void> WorksheetPage::writeLabel(QPointer<WorksheetPage> self,
                                            QPointer<Notebook> notebook, RecordId record,
                                            QString label)
{
    if (!notebook)
        co_return;
    const auto done = co_await notebook->setLabel(record, label);
    if (self && !done) {
        self->m_banner->showError(done.error());
        self->m_feed->refresh(); // what is shown is what is stored
    }
}

QCoro::Task<void> WorksheetPage::writeVoid(QPointer<WorksheetPage> self,
                                           QPointer<Notebook> notebook, RecordId record,
                                           QString reason)
{
    if (!notebook)
        co_return;
    const auto done = co_await notebook->voidRecord(record, reason);
    if (self && !done)
        self->m_banner->showError(done.error());
}

} // namespace napkin
