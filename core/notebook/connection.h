// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QDateTime>
#include <QString>

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

namespace napkin::detail {

// How long a statement waits for another program.
inline constexpr int busyTimeoutMs = 5'000;

// A library's exception as one of our faults, about the notebook at `path`. `systemError` is what
// the system said of it (errno), as far as SQLite knows; a disk without room is recognised anyway.
[[nodiscard]] Error storageError(const SQLite::Exception& exception, const QString& path,
                                 int systemError = 0);

// No room any more on the disk of the file, or of the folder where it is to be.
[[nodiscard]] bool isDiskFull(const QString& path);

// What the system said of the last fault on this connection: errno, or 0.
[[nodiscard]] int systemErrorOf(const SQLite::Database& db);

// Runs `job` and hands back what it returns; exceptions of SQLiteCpp end here. A fault that names
// nothing is about the notebook. `db` is the connection that it works on, where there is one yet.
template <typename Job>
auto guarded(const QString& path, Job job, const SQLite::Database* db = nullptr) -> decltype(job())
{
    try {
        auto outcome = job();
        if (!outcome && outcome.error().context.isEmpty())
            outcome.error().context = path;
        return outcome;
    } catch (const SQLite::Exception& e) {
        return tl::unexpected(storageError(e, path, db != nullptr ? systemErrorOf(*db) : 0));
    }
}

[[nodiscard]] std::string toUtf8(const QString& text);
[[nodiscard]] QString textOf(const SQLite::Column& column);
[[nodiscard]] std::string timeText(const QDateTime& time);
[[nodiscard]] QDateTime timeFrom(const SQLite::Column& column);

} // namespace napkin::detail
