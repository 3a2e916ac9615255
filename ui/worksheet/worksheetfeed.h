// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/notebook/notebook.h"
#include "core/notebook/worksheet.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <optional>

namespace napkin {

// The worksheet's rows and the runs behind them, kept up to date with the notebook, also with what
// other programs write into it. Table, canvas and search read from here, so that all show the same.
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
    // How often it looks whether another program wrote; within twice that it is shown.
    static constexpr std::chrono::milliseconds lookEvery{1'500};

Q_SIGNALS:
    void changed();
    void failed(const napkin::Error& error); // what is shown stays as it was

private:
    static QCoro::Task<void> load(QPointer<WorksheetFeed> self, QPointer<Notebook> notebook);
    void look();
    static QCoro::Task<void> lookTask(QPointer<WorksheetFeed> self, QPointer<Notebook> notebook);
    void take(const std::vector<LinkEntry>& links, std::vector<RecordSummary> records);

    QPointer<Notebook> m_notebook;
    const Catalogue* m_catalogue;
    TaskScope m_scope;
    std::vector<WorksheetRow> m_rows;
    std::vector<RecordSummary> m_records;
    bool m_loaded = false;
    bool m_loading = false;
    bool m_again = false;
    bool m_looking = false;
    std::optional<std::int64_t> m_version; // of the notebook when it was read last
    QTimer m_watch;
};

} // namespace napkin
