// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/worksheet.h"
#include "ui/worksheet/runsmodel.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace napkin {

class LedgerSorter;
class LedgerView;

// The runs of one row of the worksheet, or all. Labels are edited in the table; a run is voided
// with a reason typed below it.
class RunsPane : public QWidget
{
    Q_OBJECT
public:
    explicit RunsPane(QWidget* parent = nullptr);

    void setRecords(const std::vector<RecordSummary>& records);
    void showRow(const WorksheetRow* row); // null: the runs of all rows
    void selectRecord(RecordId record);
    [[nodiscard]] LedgerView* view() const { return m_view; }
    [[nodiscard]] RunsModel* model() const { return m_model; }

Q_SIGNALS:
    void labelEdited(napkin::RecordId record, const QString& label);
    void voidRequested(napkin::RecordId record, const QString& reason);
    void detailsRequested(napkin::RecordId record);
    void measureRequested(); // the step offered when there are no runs

private:
    QWidget* makeVoidBar();
    void refill();
    void openDetails(); // of the current run
    void openMenu(QPoint at);
    void askReason();
    void confirmVoid();
    void leaveVoidBar(); // the keyboard goes back to the runs
    [[nodiscard]] const RecordSummary* current() const;

    RunsModel* m_model;
    LedgerSorter* m_sorter;
    LedgerView* m_view;
    QLabel* m_title;
    QToolButton* m_details;
    QToolButton* m_machines; // only the runs of machines
    QToolButton* m_all;
    QStackedWidget* m_stack;
    QWidget* m_voidBar = nullptr;
    QLabel* m_voidWhat = nullptr;
    QLineEdit* m_voidReason = nullptr;
    QPushButton* m_voidButton = nullptr;
    RecordId m_voiding;
    std::vector<RecordSummary> m_records;
    std::optional<WorksheetRow> m_row;
};

} // namespace napkin
