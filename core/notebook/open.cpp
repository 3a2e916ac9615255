// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/open.h"

#include "core/base/deadline.h"
#include "core/notebook/connection.h"
#include "core/notebook/migrate.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUrl>
#include <QtEndian>

#include <sqlite3.h>

#include <thread>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::NotebookFile)
};

using namespace std::chrono_literals;

enum class FileKind { None, Empty, Notebook };

// Looks at the first bytes without SQLite: merely opening somebody else's database could change it.
Result<FileKind> lookAt(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return FileKind::None;
    if (!info.isFile())
        return fail(ErrorCode::NotANotebook, path, Words::tr("it is not a file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::StorageUnavailable, path, file.errorString());
    const QByteArray head = file.read(100);
    if (head.isEmpty())
        return FileKind::Empty;
    constexpr qsizetype idAt = 68;
    if (!head.startsWith(QByteArrayView("SQLite format 3\0", 16)) || head.size() < 100)
        return fail(ErrorCode::NotANotebook, path, Words::tr("it is no database"));
    if (qFromBigEndian<qint32>(head.constData() + idAt) != applicationId)
        return fail(ErrorCode::NotANotebook, path,
                    Words::tr("it is a database of another program"));
    return FileKind::Notebook;
}

Result<void> makeFolder(const QString& path)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (QDir().mkpath(folder))
        return {};
    QFileInfo parent(folder);
    while (!parent.exists() && !parent.isRoot())
        parent.setFile(parent.absolutePath());
    const bool denied = parent.isDir() && !parent.isWritable();
    const ErrorCode code = isDiskFull(path) ? ErrorCode::StorageFull
                           : denied         ? ErrorCode::StorageReadOnly
                                            : ErrorCode::StorageUnavailable;
    return fail(code, path, Words::tr("the folder %1 could not be made").arg(folder));
}

// Switching needs the file for itself for a moment, and SQLite does not wait for that.
Result<void> enterWriteAheadLog(SQLite::Database& db, const QString& path)
{
    const Deadline deadline{std::chrono::milliseconds(busyTimeoutMs)};
    while (true) {
        try {
            SQLite::Statement pragma(db, "PRAGMA journal_mode = WAL");
            const bool answered = pragma.executeStep();
            const QString mode = answered ? textOf(pragma.getColumn(0)) : QString();
            if (mode == QStringLiteral("wal"))
                return {};
            return fail(ErrorCode::StorageUnavailable, path,
                        Words::tr("its folder cannot hold the write-ahead log that keeps records "
                                  "safe, as on many network file systems; use a folder on a disk "
                                  "of this machine"));
        } catch (const SQLite::Exception& e) {
            if ((e.getErrorCode() & 0xff) != SQLITE_BUSY || deadline.hasPassed())
                throw;
        }
        std::this_thread::sleep_for(20ms);
    }
}

NotebookId readId(const SQLite::Database& db)
{
    SQLite::Statement query(db, "SELECT id FROM notebook");
    const auto id = query.executeStep() ? NotebookId::fromText(textOf(query.getColumn(0)))
                                        : Result<NotebookId>(fail(ErrorCode::NotFound));
    if (!id)
        throw SQLite::Exception(Words::tr("it has no id of its own").toStdString(), SQLITE_CORRUPT);
    return *id;
}

// The tables that a notebook of this version has are not there: damaged, whatever SQLite calls it.
Result<NotebookId> readIdOf(const SQLite::Database& db, const QString& path)
{
    try {
        return readId(db);
    } catch (const SQLite::Exception& e) {
        Error error = storageError(e, path);
        if (error.code == ErrorCode::Internal)
            error.code = ErrorCode::StorageCorrupt;
        return tl::unexpected(error);
    }
}

std::unique_ptr<SQLite::Database> connectReadOnly(const QString& path)
{
    const auto connect = [&](const std::string& name, int flags) {
        auto db =
            std::make_unique<SQLite::Database>(name, SQLite::OPEN_READONLY | flags, busyTimeoutMs);
        (void)schemaVersion(*db); // only a first look shows whether the log can be read
        return db;
    };
    try {
        return connect(toUtf8(path), 0);
    } catch (const SQLite::Exception& e) {
        const int code = e.getErrorCode() & 0xff;
        // Where nothing may be written beside the file, SQLite can still read it alone: which is
        // the whole truth only when no log is waiting.
        if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) ||
            QFileInfo(path + QStringLiteral("-wal")).size() > 0)
            throw;
    }
    const QByteArray url = QUrl::fromLocalFile(path).toEncoded() + "?immutable=1";
    return connect(url.toStdString(), SQLite::OPEN_URI);
}

} // namespace

Result<Connections> openForWriting(const QString& path, const QDateTime& now)
{
    const auto kind = lookAt(path);
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == FileKind::None) {
        if (auto made = makeFolder(path); !made)
            return tl::unexpected(made.error());
    }
    return guarded(path, [&]() -> Result<Connections> {
        Connections opened;
        opened.writer = std::make_unique<SQLite::Database>(
            toUtf8(path), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busyTimeoutMs);
        SQLite::Database& db = *opened.writer;
        if (sqlite3_db_readonly(db.getHandle(), "main") == 1)
            return fail(ErrorCode::StorageReadOnly, path);
        db.exec("PRAGMA synchronous = FULL");
        if (auto migrated = migrate(db, path, migrations(), now); !migrated)
            return tl::unexpected(migrated.error());
        // Only now: the header then says whose file it is from the first commit on.
        if (auto entered = enterWriteAheadLog(db, path); !entered)
            return tl::unexpected(entered.error());
        db.exec("PRAGMA foreign_keys = ON");
        const auto id = readIdOf(db, path);
        if (!id)
            return tl::unexpected(id.error());
        opened.id = *id;
        opened.reader =
            std::make_unique<SQLite::Database>(toUtf8(path), SQLite::OPEN_READWRITE, busyTimeoutMs);
        opened.reader->exec("PRAGMA query_only = ON");
        return opened;
    });
}

Result<Connections> openForReading(const QString& path)
{
    const auto kind = lookAt(path);
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == FileKind::None)
        return fail(ErrorCode::StorageUnavailable, path, Words::tr("there is no such file"));
    if (*kind == FileKind::Empty)
        return fail(ErrorCode::NotANotebook, path, Words::tr("it is empty"));
    return guarded(path, [&]() -> Result<Connections> {
        Connections opened;
        opened.reader = connectReadOnly(path);
        const int newest = migrations().back().to;
        const int version = schemaVersion(*opened.reader);
        if (version > newest)
            return fail(ErrorCode::StorageTooNew, path,
                        Words::tr("its version is %1, this program knows up to %2")
                            .arg(version)
                            .arg(newest));
        if (version < newest)
            return fail(ErrorCode::StorageReadOnly, path,
                        Words::tr("it is of the older version %1 and must be opened for "
                                  "writing once, to be brought up to date")
                            .arg(version));
        const auto id = readIdOf(*opened.reader, path);
        if (!id)
            return tl::unexpected(id.error());
        opened.id = *id;
        return opened;
    });
}

} // namespace napkin::detail
