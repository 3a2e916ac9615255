// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/notebook.h"

#include <SQLiteCpp/Database.h>

namespace napkin::detail {

// Reads everything. A page that cannot be read is a problem in the report, not an error.
[[nodiscard]] Result<VerifyReport> verifyNotebook(SQLite::Database& db);
// Computes the figures of records of another version anew, from their content; how many. All or
// none.
[[nodiscard]] Result<std::int64_t> refreshFigures(SQLite::Database& db);

} // namespace napkin::detail
