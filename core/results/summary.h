// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <optional>

namespace napkin {

// Recomputed from what was recorded, never stored as the truth.

// One direction of a throughput run.
struct DirectionSummary
{
    BitRate throughput; // what arrived, all streams, over the receiver's time
    bool fromTotals =
        false; // true: the receiver's own count; false: a partial run, from the samples
    ByteCount received;
    Duration duration{};
    std::optional<std::int64_t> retransmits; // all streams; nullopt if any stream's is unknown
    std::optional<BitRate> lowest;           // of the 1 s windows
    std::optional<BitRate> highest;
    std::optional<Duration> rtt; // median of the samples' smoothed RTT
};

struct ThroughputSummary
{
    std::optional<DirectionSummary> forward;
    std::optional<DirectionSummary> reverse;
};

struct ConnectSummary
{
    int attempts = 0;
    int connected = 0;
    int refused = 0;
    int timedOut = 0;
    int unreachable = 0;
    std::optional<Duration> median; // of the connected ones
    std::optional<Duration> p10;
    std::optional<Duration> p90;
    std::optional<Duration> least;
    std::optional<Duration> most;
};

[[nodiscard]] ThroughputSummary summarise(const ThroughputData& data);
[[nodiscard]] ConnectSummary summarise(const ConnectData& data);

} // namespace napkin
