// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QString>

#include <optional>
#include <vector>

// Which processors a program may use, how they belong together, and how much memory it may take.
// `root` is the file system's: "/" but in tests.
namespace napkin {

// The processors that this thread may run on, ascending; empty when the system does not tell.
[[nodiscard]] std::vector<int> allowedProcessors();

// One processor of each core first, then those that share a core with one of these; each part
// ascending. Where the system tells nothing of cores, each processor is one.
struct ProcessorOrder
{
    std::vector<int> processors;
    int cores = 0; // how many of them are the first of their core
};
[[nodiscard]] ProcessorOrder byCores(const std::vector<int>& processors,
                                     const QString& root = QStringLiteral("/"));

// The caches of the last level that these processors use, each counted once; nullopt when the
// system tells of none.
[[nodiscard]] std::optional<ByteCount> lastLevelCaches(const std::vector<int>& processors,
                                                       const QString& root = QStringLiteral("/"));

// What can be taken without pushing anything out to swap: what the kernel holds to be available,
// and no more than the limits of this program's control groups leave. Nullopt: not told.
[[nodiscard]] std::optional<ByteCount> availableMemory(const QString& root = QStringLiteral("/"));

// Keeps the calling thread on that processor; whether it could be done.
[[nodiscard]] bool pinThisThread(int processor);
// The time that the calling thread has been on a processor.
[[nodiscard]] Duration threadTime();

} // namespace napkin
