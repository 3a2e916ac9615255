// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/taskscope.h"
#include "core/notebook/notebook.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QSettings;
class QSplitter;
class QStackedWidget;

namespace napkin {

class ErrorBanner;
class LedgerSorter;
class LedgerView;
class RunDetails;
class RunsPane;
class WorksheetFeed;
class WorksheetModel;

// Worksheet: rated beside measured, and below it the runs of the selected row.
class WorksheetPage : public QWidget
{
    Q_OBJECT
public:
    WorksheetPage(WorksheetFeed* feed, Notebook* notebook, std::shared_ptr<const Clock> clock,
                  QWidget* parent = nullptr);

    void showRecord(RecordId record);
    void showDetails(RecordId record); // in place of the tables, until closed
    void showLink(LinkId link);
    void copy() const; // from the table that has the focus
    void exportCsv();  // asks for a file, then writes it
    Result<void> writeCsv(const QString& path) const;
    [[nodiscard]] bool savePicture(const QString& path, qreal scale); // of the page as it is

    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

    [[nodiscard]] LedgerView* view() const { return m_view; }
    [[nodiscard]] WorksheetModel* model() const { return m_model; }
    [[nodiscard]] RunsPane* runs() const { return m_runs; }
    [[nodiscard]] RunDetails* details() const { return m_details; }
    [[nodiscard]] bool areDetailsShown() const;

Q_SIGNALS:
    void measureRequested(std::optional<napkin::LinkId> link);
    void linkSelected(napkin::LinkId link); // by the user, in the upper table
    void drawRequested();                   // the step offered when nothing is there at all

private:
    QWidget* makeTop();
    void leaveDetails();
    void onFeedChanged();
    void onSelectionChanged();
    void selectRow(int row);              // of the model
    [[nodiscard]] int currentRow() const; // of the model; -1: none
    static QCoro::Task<void> writeLabel(QPointer<WorksheetPage> self, QPointer<Notebook> notebook,
                                        RecordId record, QString label);
    static QCoro::Task<void> writeVoid(QPointer<WorksheetPage> self, QPointer<Notebook> notebook,
                                       RecordId record, QString reason);

    WorksheetFeed* m_feed;
    QPointer<Notebook> m_notebook;
    TaskScope m_scope;
    WorksheetModel* m_model;
    LedgerSorter* m_sorter;
    LedgerView* m_view;
    RunsPane* m_runs;
    RunDetails* m_details;
    ErrorBanner* m_banner;
    QSplitter* m_splitter;
    QStackedWidget* m_stack;
    QTimer m_minute;
};

} // namespace napkin
