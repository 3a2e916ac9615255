// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"

#include <QDateTime>
#include <QString>

#include <SQLiteCpp/Database.h>

#include <memory>

namespace napkin::detail {

// The connections to one notebook file.
struct Connections
{
    std::unique_ptr<SQLite::Database> writer; // null when opened for reading only
    std::unique_ptr<SQLite::Database> reader;
    NotebookId id;
};

// Creates the file with its folder when there is none, migrates an older one.
[[nodiscard]] Result<Connections> openForWriting(const QString& path, const QDateTime& now);

// Changes nothing, and works on a file and in a folder that may not be written.
[[nodiscard]] Result<Connections> openForReading(const QString& path);

} // namespace napkin::detail
