// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <chrono>
#include <optional>
#include <vector>

namespace napkin {

// Memory bandwidth of one machine: the triad of STREAM (McCalpin), a[i] = b[i] + s * c[i] over
// doubles in three arrays that no cache holds, one pinned thread a core.
struct MemoryOptions
{
    std::chrono::milliseconds duration{5'000}; // measured time, 1 s to 60 s, and at least ten
                                               // repeats
    int threads = 0; // 1 to 1,024; 0: one for each core that the program may use
    bool operator==(const MemoryOptions&) const = default;
};

// One pass over the arrays by all threads.
struct MemorySample
{
    Duration start{}; // since the first pass began
    Duration time{};  // from the first thread's start to the last one's end
    bool warmUp = false;
    bool operator==(const MemorySample&) const = default;
};

struct MemoryData
{
    std::vector<MemorySample> samples;
    int threads = 0;
    int cores = 0;       // that the program may use; two threads of a core count once
    bool pinned = false; // each thread stayed on its own core
    ByteCount arraySize; // of each of the three
    // Of the caches of last level that the threads used, together; nullopt: the system does not
    // tell, and the arrays are of a stated size.
    std::optional<ByteCount> cacheSize;
    std::optional<Ratio> busyBefore; // of all cores, by whatever else ran before the first pass
    // The part of the passes' time that the threads were on their cores; less than all where
    // something else took them.
    std::optional<Ratio> ran;
    bool operator==(const MemoryData&) const = default;
};

// What a pass moves, as STREAM counts it: two arrays read and one written. That a cache reads a
// line before it is written is not counted.
[[nodiscard]] constexpr ByteCount bytesOfPass(const MemoryData& data)
{
    return ByteCount::bytes(3 * data.arraySize.bytes());
}

} // namespace napkin
