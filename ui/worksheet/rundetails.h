// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/notebook/notebook.h"
#include "ui/worksheet/conditionsmodel.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace napkin {

class ErrorBanner;
class FittedScroll;
class LedgerView;

// One run as it is kept: where it is filed, its flags with their reasons, its figures, and the
// conditions of both ends beside those of the run before.
class RunDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RunDetails(Notebook* notebook, QWidget* parent = nullptr);

    // `all` are the runs among which the one before is looked for.
    void present(RecordId record, const std::vector<RecordSummary>& all);
    void showRecord(const Record& record, const Record* previous);

    [[nodiscard]] LedgerView* view() const { return m_view; }
    [[nodiscard]] ConditionsModel* model() const { return m_model; }
    [[nodiscard]] QString text() const; // every word above the table

Q_SIGNALS:
    void presented(); // what was asked for is shown, or why not
    void closeRequested();

private:
    static QCoro::Task<void> load(QPointer<RunDetails> self, QPointer<Notebook> notebook,
                                  RecordId record, std::vector<RecordSummary> all, int turn);
    void clearWords();
    void addLine(const QString& text, bool caution);
    void addFigures(const Record& record);
    void addFigure(const Record& record, const QString& arrow, const QString& value);
    void headGroups();

    QPointer<Notebook> m_notebook;
    TaskScope m_scope;
    ConditionsModel* m_model;
    LedgerView* m_view;
    QLabel* m_title;
    ErrorBanner* m_banner;
    QWidget* m_holder;
    FittedScroll* m_wordsScroll; // around it: some runs have much to say
    QWidget* m_words = nullptr;
    QVBoxLayout* m_lines = nullptr;
    QLabel* m_compared;
    int m_turn = 0;
};

// The newest run before `record` that is told of the same link, or to the same place where there
// is no link; voided ones are passed over. Null when there is none.
[[nodiscard]] const RecordSummary* runBefore(const Record& record,
                                             const std::vector<RecordSummary>& all);

} // namespace napkin
