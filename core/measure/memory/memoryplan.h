// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/memory.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace napkin {

// What a run on this machine uses.
struct MemoryPlan
{
    std::vector<int> processors; // a thread each
    int cores = 0;               // that the program may use
    std::size_t elements = 0;    // doubles in each array, a multiple of the threads
    std::optional<ByteCount> cacheSize;
};

// The arrays have at least four times the last-level caches, together of all that the threads use,
// as STREAM asks for, and where the memory allows enough for passes of some milliseconds. Unknown
// caches count as 32 MiB. Three quarters of the available memory are the most that is taken:
// OutOfMemory, with the figures, where that is too little. InvalidArgument for more threads than
// processors. `root` as in os/cores.h.
[[nodiscard]] Result<MemoryPlan> planMemory(const MemoryOptions& options,
                                            const QString& root = QStringLiteral("/"));
// The same for a machine with these processors.
[[nodiscard]] Result<MemoryPlan> planMemory(const MemoryOptions& options,
                                            const std::vector<int>& allowed, const QString& root);

} // namespace napkin
