// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/migrate.h"

#include "core/notebook/connection.h"

#include <QCoreApplication>
#include <QFile>

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::NotebookFile)
};

QString backupPath(const QString& path, int version, const QDateTime& now)
{
    const QString stem = QStringLiteral("%1.v%2-%3")
                             .arg(path)
                             .arg(version)
                             .arg(now.toUTC().toString(QStringLiteral("yyyyMMdd-HHmmss")));
    QString made = stem + QStringLiteral(".backup");
    for (int i = 2; QFile::exists(made); ++i)
        made = QStringLiteral("%1-%2.backup").arg(stem).arg(i);
    return made;
}

void requireForeignKeys(SQLite::Database& db)
{
    SQLite::Statement check(db, "PRAGMA foreign_key_check");
    if (check.executeStep())
        throw SQLite::Exception(Words::tr("a row refers to one that is not there").toStdString(),
                                SQLITE_CORRUPT);
}

Result<void> step(SQLite::Database& db, const QString& path, const Migration& migration)
{
    auto done = guarded(path, [&]() -> Result<void> {
        SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
        // Another program may have been faster.
        if (schemaVersion(db) >= migration.to)
            return {};
        if (migration.to == 1)
            db.exec("PRAGMA application_id = " + std::to_string(applicationId));
        db.exec(migration.sql);
        requireForeignKeys(db);
        db.exec("PRAGMA user_version = " + std::to_string(migration.to));
        transaction.commit();
        return {};
    });
    // Tables that its version has are not there: damaged, whatever SQLite calls it.
    if (!done && done.error().code == ErrorCode::Internal)
        done.error().code = ErrorCode::StorageCorrupt;
    if (!done)
        done.error().detail =
            Words::tr("bringing it to version %1: %2").arg(migration.to).arg(done.error().detail);
    return done;
}

} // namespace

Result<void> backUp(SQLite::Database& db, const QString& to)
{
    auto copied = guarded(to, [&]() -> Result<void> {
        SQLite::Database copy(toUtf8(to), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                              busyTimeoutMs);
        SQLite::Backup backup(copy, db);
        if (const int code = backup.executeStep(-1); code != SQLITE_DONE)
            throw SQLite::Exception(Words::tr("the copy was not finished").toStdString(), code);
        return {};
    });
    if (!copied)
        QFile::remove(to);
    return copied;
}

int schemaVersion(const SQLite::Database& db)
{
    SQLite::Statement query(db, "PRAGMA user_version");
    query.executeStep();
    return query.getColumn(0).getInt();
}

Result<void> migrate(SQLite::Database& db, const QString& path, std::span<const Migration> steps,
                     const QDateTime& now)
{
    const int newest = steps.back().to;
    const auto version = guarded(path, [&]() -> Result<int> { return schemaVersion(db); });
    if (!version)
        return tl::unexpected(version.error());
    if (*version > newest)
        return fail(
            ErrorCode::StorageTooNew, path,
            Words::tr("its version is %1, this program knows up to %2").arg(*version).arg(newest));
    if (*version == newest)
        return {};
    if (*version > 0) {
        if (auto copied = backUp(db, backupPath(path, *version, now)); !copied)
            return copied;
    }
    Result<void> done = guarded(path, [&]() -> Result<void> {
        db.exec("PRAGMA foreign_keys = OFF"); // a step may rebuild tables; it is checked at its end
        return {};
    });
    for (const Migration& migration : steps) {
        if (done && migration.to > *version)
            done = step(db, path, migration);
    }
    return done;
}

} // namespace napkin::detail
