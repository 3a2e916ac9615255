// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/notebook.h"

#include "core/base/worker.h"
#include "core/notebook/connection.h"
#include "core/notebook/drawingstore.h"
#include "core/notebook/migrate.h"
#include "core/notebook/open.h"
#include "core/notebook/recordstore.h"
#include "core/notebook/verify.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Notebook)
};

// What jobs hold on to: the notebook may be destroyed while one runs.
struct Side
{
    QString path;
    std::unique_ptr<SQLite::Database> db;
};

template <typename Job>
using OutcomeOf = std::invoke_result_t<Job&, SQLite::Database&>;

template <typename Job>
QCoro::Task<OutcomeOf<Job>> runGuarded(Worker& worker, std::shared_ptr<Side> side, Job job)
{
    return runOn(
        worker, [side = std::move(side), job = std::move(job)]() mutable -> OutcomeOf<Job> {
            return detail::guarded(side->path, [&] { return job(*side->db); }, side->db.get());
        });
}

} // namespace

class Notebook::Private
{
public:
    QString path;
    NotebookId id;
    Mode mode = Mode::ReadOnly;
    std::shared_ptr<const Clock> clock;
    std::shared_ptr<Side> writer; // null when read-only
    std::shared_ptr<Side> reader;
    Worker writing; // last: they end first, with the job under way finished
    Worker reading;

    template <typename Job>
    QCoro::Task<OutcomeOf<Job>> read(Job job)
    {
        return runGuarded(reading, reader, std::move(job));
    }

    template <typename Job>
    QCoro::Task<OutcomeOf<Job>> write(Job job)
    {
        if (!writer)
            return refuse<OutcomeOf<Job>>(path);
        return runGuarded(writing, writer, std::move(job));
    }

    void adopt(detail::Connections opened)
    {
        id = opened.id;
        if (opened.writer)
            writer = std::make_shared<Side>(Side{path, std::move(opened.writer)});
        reader = std::make_shared<Side>(Side{path, std::move(opened.reader)});
    }

private:
    template <typename Outcome>
    static QCoro::Task<Outcome> refuse(QString path)
    {
        co_return fail(ErrorCode::StorageReadOnly, path,
                       Words::tr("it was opened for reading only"));
    }
};

Notebook::Notebook(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

Notebook::~Notebook() = default;

QCoro::Task<Result<std::unique_ptr<Notebook>>> Notebook::open(QString path, Mode mode,
                                                              std::shared_ptr<const Clock> clock)
{
    if (path.isEmpty())
        co_return fail(ErrorCode::InvalidArgument, Words::tr("Your own notebook"),
                       Words::tr("its place is not known, since HOME is not set; set HOME, or name "
                                 "a file with --notebook FILE"));
    auto d = std::make_unique<Private>();
    d->path = QFileInfo(path).absoluteFilePath();
    d->mode = mode;
    d->clock = std::move(clock);
    auto opened = co_await runOn(d->writing, [file = d->path, mode, now = d->clock->now()] {
        return mode == Mode::ReadOnly ? detail::openForReading(file)
                                      : detail::openForWriting(file, now);
    });
    if (!opened)
        co_return tl::unexpected(opened.error());
    d->adopt(std::move(*opened));
    co_return std::unique_ptr<Notebook>(new Notebook(std::move(d)));
}

QString Notebook::defaultPath()
{
    // Without a home Qt would take the root folder for one.
    if (qEnvironmentVariableIsEmpty("HOME") && qEnvironmentVariableIsEmpty("XDG_DATA_HOME"))
        return {};
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/napkin/notebook.napkin");
}

QString Notebook::path() const
{
    return m_d->path;
}

NotebookId Notebook::id() const
{
    return m_d->id;
}

Notebook::Mode Notebook::mode() const
{
    return m_d->mode;
}

QCoro::Task<Result<std::int64_t>> Notebook::record(ProbeResult result,
                                                   std::optional<LinkEntry> newLink)
{
    const QPointer<Notebook> self(this);
    const bool hasNewLink = newLink.has_value();
    auto number = co_await m_d->write([result = std::move(result), newLink = std::move(newLink),
                                       at = m_d->clock->now()](SQLite::Database& db) {
        return newLink ? detail::insertRecordOnNewLink(db, result, *newLink, at)
                       : detail::insertRecord(db, result);
    });
    if (number && self)
        Q_EMIT self->recordsChanged();
    if (number && self && hasNewLink)
        Q_EMIT self->drawingsChanged();
    co_return number;
}

QCoro::Task<Result<void>> Notebook::setLabel(RecordId id, QString label)
{
    const QPointer<Notebook> self(this);
    auto done = co_await m_d->write([id, label, at = m_d->clock->now()](SQLite::Database& db) {
        return detail::insertLabel(db, id, label, at);
    });
    if (done && self)
        Q_EMIT self->recordsChanged();
    co_return done;
}

QCoro::Task<Result<void>> Notebook::addNote(RecordId id, QString note)
{
    const QPointer<Notebook> self(this);
    auto done = co_await m_d->write([id, note, at = m_d->clock->now()](SQLite::Database& db) {
        return detail::insertNote(db, id, note, at);
    });
    if (done && self)
        Q_EMIT self->recordsChanged();
    co_return done;
}

QCoro::Task<Result<void>> Notebook::voidRecord(RecordId id, QString reason)
{
    const QPointer<Notebook> self(this);
    auto done = co_await m_d->write([id, reason, at = m_d->clock->now()](SQLite::Database& db) {
        return detail::insertVoiding(db, id, reason, at);
    });
    if (done && self)
        Q_EMIT self->recordsChanged();
    co_return done;
}

QCoro::Task<Result<std::vector<RecordSummary>>> Notebook::records(RecordQuery query)
{
    return m_d->read([query](SQLite::Database& db) { return detail::listRecords(db, query); });
}

QCoro::Task<Result<Record>> Notebook::load(RecordId id)
{
    return m_d->read([id](SQLite::Database& db) { return detail::loadRecord(db, id); });
}

QCoro::Task<Result<RecordId>> Notebook::find(QString numberOrId)
{
    return m_d->read(
        [numberOrId](SQLite::Database& db) { return detail::findRecord(db, numberOrId); });
}

QCoro::Task<Result<std::vector<DrawingEntry>>> Notebook::drawings()
{
    return m_d->read([](SQLite::Database& db) { return detail::listDrawings(db); });
}

QCoro::Task<Result<DrawingWithLayout>> Notebook::loadDrawing(DrawingId id)
{
    return m_d->read([id](SQLite::Database& db) { return detail::loadDrawing(db, id); });
}

QCoro::Task<Result<void>> Notebook::saveDrawing(Drawing drawing, Layout layout)
{
    const QPointer<Notebook> self(this);
    const DrawingWithLayout both{std::move(drawing), std::move(layout)};
    auto done = co_await m_d->write([both, at = m_d->clock->now()](SQLite::Database& db) {
        return detail::saveDrawing(db, both, at);
    });
    if (done && self)
        Q_EMIT self->drawingsChanged();
    co_return done;
}

QCoro::Task<Result<std::vector<LinkEntry>>> Notebook::links()
{
    return m_d->read([](SQLite::Database& db) { return detail::listLinks(db); });
}

Result<LinkEntry> Notebook::plannedLink(const QString& name, const QString& classId)
{
    return detail::plannedLink(name, classId);
}

QCoro::Task<Result<LinkEntry>> Notebook::createLink(QString name, QString classId)
{
    const QPointer<Notebook> self(this);
    auto link = co_await m_d->write([name, classId, at = m_d->clock->now()](SQLite::Database& db) {
        return detail::createLink(db, name, classId, at);
    });
    if (link && self)
        Q_EMIT self->drawingsChanged();
    co_return link;
}

QCoro::Task<Result<void>> Notebook::copyTo(QString path)
{
    return m_d->read([path](SQLite::Database& db) -> Result<void> {
        if (QFileInfo::exists(path))
            return fail(ErrorCode::InvalidArgument, path,
                        Words::tr("there is such a file already; choose another name"));
        return detail::backUp(db, path);
    });
}

QCoro::Task<Result<std::int64_t>> Notebook::version()
{
    return m_d->read([](SQLite::Database& db) -> Result<std::int64_t> {
        return db.execAndGet("PRAGMA data_version").getInt64();
    });
}

QCoro::Task<Result<VerifyReport>> Notebook::verify()
{
    return m_d->read([](SQLite::Database& db) { return detail::verifyNotebook(db); });
}

QCoro::Task<Result<std::int64_t>> Notebook::refreshFigures()
{
    const QPointer<Notebook> self(this);
    auto count =
        co_await m_d->write([](SQLite::Database& db) { return detail::refreshFigures(db); });
    if (count && *count > 0 && self)
        Q_EMIT self->recordsChanged();
    co_return count;
}

} // namespace napkin
