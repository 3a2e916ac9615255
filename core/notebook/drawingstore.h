// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/notebook.h"

#include <SQLiteCpp/Database.h>

namespace napkin::detail {

// What the notebook does with drawings and links, on one connection and its thread. Faults of
// SQLite are thrown as SQLite::Exception.

[[nodiscard]] Result<std::vector<DrawingEntry>> listDrawings(SQLite::Database& db);
[[nodiscard]] Result<DrawingWithLayout> loadDrawing(SQLite::Database& db, DrawingId id);
[[nodiscard]] Result<void> saveDrawing(SQLite::Database& db, const DrawingWithLayout& drawing,
                                       const QDateTime& at);

[[nodiscard]] Result<std::vector<LinkEntry>> listLinks(SQLite::Database& db);
[[nodiscard]] Result<LinkEntry> plannedLink(const QString& name, const QString& classId);
// Enters it, inside the caller's transaction.
void insertLink(SQLite::Database& db, const LinkEntry& entry, const QDateTime& at);
[[nodiscard]] Result<LinkEntry> createLink(SQLite::Database& db, const QString& name,
                                           const QString& classId, const QDateTime& at);
// Enters the links of a drawing with their periods, inside the caller's transaction. A period is of
// one class for ever: InvalidArgument when it is given another.
[[nodiscard]] Result<void> registerLinks(SQLite::Database& db, const Drawing& drawing,
                                         const QDateTime& at);

} // namespace napkin::detail
