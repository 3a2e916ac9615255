// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/notebook.h"
#include "tests/support/sync.h"

#include <QTemporaryDir>

#include <SQLiteCpp/Database.h>

namespace napkin::test {

// A complete run of 10 s at `rate`, one stream, in the flow that is asked for.
[[nodiscard]] ProbeResult throughputResult(BitRate rate, Flow flow = Flow::Forward);
[[nodiscard]] ProbeResult connectResult(Duration median);
// 200 echoes that all took as long, and one that was lost.
[[nodiscard]] ProbeResult latencyResult(Duration time);
[[nodiscard]] ProbeResult pathMtuResult(int mtu, int interfaceMtu);
[[nodiscard]] ProbeResult udpResult(BitRate offered, BitRate arrived);
// Ten passes and more of 30 GB/s, of a machine by itself.
[[nodiscard]] ProbeResult memoryResult();
// 2 s of 3 GB/s, past the page cache.
[[nodiscard]] ProbeResult storageResult();
// Stopped half-way: samples and no totals.
[[nodiscard]] ProbeResult partialResult(BitRate rate);

[[nodiscard]] Result<std::unique_ptr<Notebook>>
tryOpen(const QString& path, Notebook::Mode mode = Notebook::Mode::ReadWrite);
// Fails the test when it cannot be opened.
[[nodiscard]] std::unique_ptr<Notebook> openNotebook(const QString& path);

// Records and checks that it was taken; its number.
std::int64_t recordIn(Notebook& notebook, const ProbeResult& result);

// The file behind the notebook's back.
[[nodiscard]] SQLite::Database rawDatabase(const QString& path);
// What the schema refuses: the message, or empty when it was allowed.
[[nodiscard]] QString refusalOf(SQLite::Database& db, const char* sql);

} // namespace napkin::test
