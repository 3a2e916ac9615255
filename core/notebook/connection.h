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

// A library's exception as one of our faults, about the notebook at `path`.
[[nodiscard]] Error storageError(const SQLite::Exception& exception, const QString& path);

// Runs `job` and hands back what it returns; exceptions of SQLiteCpp end here. A fault that names
// nothing is about the notebook.
template <typename Job>
auto guarded(const QString& path, Job job) -> decltype(job())
{
    try {
        auto outcome = job();
        if (!outcome && outcome.error().context.isEmpty())
            outcome.error().context = path;
        return outcome;
    } catch (const SQLite::Exception& e) {
        return tl::unexpected(storageError(e, path));
    }
}

[[nodiscard]] std::string toUtf8(const QString& text);
[[nodiscard]] QString textOf(const SQLite::Column& column);
[[nodiscard]] std::string timeText(const QDateTime& time);
[[nodiscard]] QDateTime timeFrom(const SQLite::Column& column);

} // namespace napkin::detail
