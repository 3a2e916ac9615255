// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/notebook/schema.h"

#include <QDateTime>
#include <QString>

#include <SQLiteCpp/Database.h>

namespace napkin::detail {

[[nodiscard]] int schemaVersion(const SQLite::Database& db);

// A whole copy, through SQLite's own online backup: it holds what is still in the write-ahead log.
// What was there is overwritten; after a fault nothing is left.
[[nodiscard]] Result<void> backUp(SQLite::Database& db, const QString& to);

// Brings the file to the last of the steps, each in one transaction of its own. An existing older
// file is first copied beside itself ("notebook.napkin.v1-20261201-101500.backup"). StorageTooNew
// when it is newer than the last step. After a fault the file is at the last step that was whole.
[[nodiscard]] Result<void> migrate(SQLite::Database& db, const QString& path,
                                   std::span<const Migration> steps, const QDateTime& now);

} // namespace napkin::detail
