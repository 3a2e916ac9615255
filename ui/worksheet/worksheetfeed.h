// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/notebook/notebook.h"
#include "core/notebook/worksheet.h"

#include <QObject>
#include <QPointer>

namespace napkin {

// The worksheet's rows and the runs behind them, kept up to date with the notebook. Table, canvas
// and search read from here, so that all show the same.
class WorksheetFeed : public QObject
{
    Q_OBJECT
public:
    // Both must outlive this. Call refresh() once to begin.
    WorksheetFeed(Notebook* notebook, const Catalogue* catalogue, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<WorksheetRow>& rows() const { return m_rows; }
    [[nodiscard]] const std::vector<RecordSummary>& records() const
    {
        return m_records;
    } // newest first, each along its link
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    void refresh(); // several in a row become one

Q_SIGNALS:
    void changed();
    void failed(const napkin::Error& error); // what is shown stays as it was

private:
    static QCoro::Task<void> load(QPointer<WorksheetFeed> self, QPointer<Notebook> notebook);
    void take(const std::vector<LinkEntry>& links, std::vector<RecordSummary> records);

    QPointer<Notebook> m_notebook;
    const Catalogue* m_catalogue;
    TaskScope m_scope;
    std::vector<WorksheetRow> m_rows;
    std::vector<RecordSummary> m_records;
    bool m_loaded = false;
    bool m_loading = false;
    bool m_again = false;
};

} // namespace napkin
