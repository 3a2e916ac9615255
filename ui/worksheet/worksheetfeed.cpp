// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/worksheetfeed.h"

namespace napkin {

WorksheetFeed::WorksheetFeed(Notebook* notebook, const Catalogue* catalogue, QObject* parent)
    : QObject(parent)
    , m_notebook(notebook)
    , m_catalogue(catalogue)
{
    connect(notebook, &Notebook::recordsChanged, this, &WorksheetFeed::refresh);
    connect(notebook, &Notebook::drawingsChanged, this, &WorksheetFeed::refresh);
    connect(&m_watch, &QTimer::timeout, this, &WorksheetFeed::look);
    m_watch.start(lookEvery);
}

void WorksheetFeed::look()
{
    if (m_looking || m_loading || !m_loaded || !m_notebook)
        return;
    m_looking = true;
    m_scope.start(lookTask(this, m_notebook));
}

QCoro::Task<void> WorksheetFeed::lookTask(QPointer<WorksheetFeed> self, QPointer<Notebook> notebook)
{
    const auto version = co_await notebook->version();
    if (!self)
        co_return;
    self->m_looking = false;
    if (version && self->m_version != *version)
        self->refresh();
}

void WorksheetFeed::refresh()
{
    if (m_loading) {
        m_again = true;
        return;
    }
    if (!m_notebook)
        return;
    m_loading = true;
    m_scope.start(load(this, m_notebook));
}

QCoro::Task<void> WorksheetFeed::load(QPointer<WorksheetFeed> self, QPointer<Notebook> notebook)
{
    const auto version = co_await notebook->version();
    if (!self || !notebook)
        co_return;
    self->m_version = version ? std::optional(*version) : std::nullopt;
    const auto links = co_await notebook->links();
    if (!self || !notebook)
        co_return;
    auto records = co_await notebook->records({});
    if (!self)
        co_return;
    self->m_loading = false;
    if (!links)
        Q_EMIT self->failed(links.error());
    else if (!records)
        Q_EMIT self->failed(records.error());
    else
        self->take(*links, std::move(*records));
    if (self && self->m_again) {
        self->m_again = false;
        self->refresh();
    }
}

void WorksheetFeed::take(const std::vector<LinkEntry>& links, std::vector<RecordSummary> records)
{
    m_records = alongLinks(std::move(records), links);
    m_rows = buildWorksheet(links, m_records, *m_catalogue);
    m_loaded = true;
    Q_EMIT changed();
}

} // namespace napkin
