// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/notebook.h"

#include <SQLiteCpp/Database.h>

namespace napkin::detail {

// What the notebook does with records, on one connection and its thread. Faults of SQLite are
// thrown as SQLite::Exception.

[[nodiscard]] Result<std::int64_t> insertRecord(SQLite::Database& db, const ProbeResult& result);
// The same with a link that is created for it: both or neither.
[[nodiscard]] Result<std::int64_t> insertRecordOnNewLink(SQLite::Database& db,
                                                         const ProbeResult& result,
                                                         const LinkEntry& link,
                                                         const QDateTime& at);
[[nodiscard]] Result<void> insertLabel(SQLite::Database& db, RecordId id, const QString& label,
                                       const QDateTime& at);
[[nodiscard]] Result<void> insertNote(SQLite::Database& db, RecordId id, const QString& note,
                                      const QDateTime& at);
[[nodiscard]] Result<void> insertVoiding(SQLite::Database& db, RecordId id, const QString& reason,
                                         const QDateTime& at);

[[nodiscard]] Result<std::vector<RecordSummary>> listRecords(SQLite::Database& db,
                                                             const RecordQuery& query);
[[nodiscard]] Result<Record> loadRecord(SQLite::Database& db, RecordId id);
[[nodiscard]] Result<RecordId> findRecord(SQLite::Database& db, const QString& numberOrId);

} // namespace napkin::detail
