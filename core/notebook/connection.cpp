// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/connection.h"

#include <QDir>
#include <QFileInfo>
#include <QStorageInfo>

#include <sqlite3.h>

#include <cerrno>

namespace napkin::detail {

namespace {

// A file that cannot be opened: not there, or not ours to write?
ErrorCode cannotOpen(const QString& path)
{
    const QFileInfo file(path);
    const QFileInfo folder(file.absolutePath());
    const bool denied = (folder.exists() && !folder.isWritable()) ||
                        (file.exists() && (!file.isWritable() || !file.isReadable()));
    return denied ? ErrorCode::StorageReadOnly : ErrorCode::StorageUnavailable;
}

// A full disk has many faces: no journal can be made, the log's index cannot grow, a write ends
// early.
bool saysDiskFull(int sqliteCode, int systemError, const QString& path)
{
    if (sqliteCode != SQLITE_CANTOPEN && sqliteCode != SQLITE_IOERR)
        return sqliteCode == SQLITE_FULL;
    return systemError == ENOSPC || systemError == EDQUOT || isDiskFull(path);
}

ErrorCode codeFor(int sqliteCode, int systemError, const QString& path)
{
    if (saysDiskFull(sqliteCode, systemError, path))
        return ErrorCode::StorageFull;
    switch (sqliteCode) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ErrorCode::StorageLocked;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return ErrorCode::StorageReadOnly;
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
        return ErrorCode::StorageCorrupt;
    case SQLITE_NOTADB:
        return ErrorCode::NotANotebook;
    case SQLITE_CANTOPEN:
        return cannotOpen(path);
    case SQLITE_IOERR:
        return ErrorCode::StorageUnavailable;
    default:
        return ErrorCode::Internal;
    }
}

} // namespace

Error storageError(const SQLite::Exception& exception, const QString& path, int systemError)
{
    return {codeFor(exception.getErrorCode() & 0xff, systemError, path),
            QString::fromUtf8(exception.what()), path, nullptr};
}

bool isDiskFull(const QString& path)
{
    QFileInfo place(QFileInfo(path).absolutePath());
    while (!place.exists() && !place.isRoot())
        place.setFile(place.absolutePath());
    const QStorageInfo disk(place.absoluteFilePath());
    constexpr qint64 leastRoom = 64 * 1024; // the log and its index begin with that
    return disk.isValid() && disk.isReady() && !disk.isReadOnly() &&
           disk.bytesAvailable() < leastRoom;
}

int systemErrorOf(const SQLite::Database& db)
{
    return sqlite3_system_errno(db.getHandle());
}

std::string toUtf8(const QString& text)
{
    return text.toStdString();
}

QString textOf(const SQLite::Column& column)
{
    return QString::fromStdString(column.getString());
}

std::string timeText(const QDateTime& time)
{
    return toUtf8(time.toUTC().toString(Qt::ISODateWithMs));
}

QDateTime timeFrom(const SQLite::Column& column)
{
    return QDateTime::fromString(textOf(column), Qt::ISODateWithMs).toUTC();
}

} // namespace napkin::detail
