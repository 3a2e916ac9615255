// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/data.h"

#include <optional>

namespace napkin {

// Of the kinds that measure a machine: recomputed from what was recorded.

struct MemorySummary
{
    int passes = 0; // without the warm-up
    std::optional<ByteRate> median;
    std::optional<ByteRate> best;
    std::optional<ByteRate> slow; // 90 % of the passes were at least as fast
    std::optional<ByteRate> slowest;
};
[[nodiscard]] MemorySummary summarise(const MemoryData& data);

struct StorageSummary
{
    ByteCount read;
    Duration duration{};
    std::optional<ByteRate> mean;          // all that was read over all of the time
    std::optional<ByteRate> slowestSecond; // of the whole seconds; nullopt: it took less than one
    // Whether the rate is that of what the file lies on, and not of this machine's memory.
    bool isPastCache = false;
};
[[nodiscard]] StorageSummary summarise(const StorageData& data);

// Bytes over time; nullopt where no time passed.
[[nodiscard]] std::optional<ByteRate> byteRateOf(ByteCount bytes, Duration time);

} // namespace napkin
