// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/connection.h"

#include <QDir>
#include <QFileInfo>

#include <sqlite3.h>

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

ErrorCode codeFor(int sqliteCode, const QString& path)
{
    switch (sqliteCode) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ErrorCode::StorageLocked;
    case SQLITE_FULL:
        return ErrorCode::StorageFull;
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

Error storageError(const SQLite::Exception& exception, const QString& path)
{
    return {codeFor(exception.getErrorCode() & 0xff, path), QString::fromUtf8(exception.what()),
            path, nullptr};
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
