// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/certainty.h"
#include "core/results/result.h"

#include <optional>
#include <vector>

namespace napkin {

// Recomputed from what was recorded, never stored as the truth.

// One direction of a throughput run.
struct DirectionSummary
{
    // What arrived, all streams, over the receiver's time; of a run that ended when it was sure,
    // the mean of the samples without the warm-up.
    BitRate throughput;
    bool fromTotals =
        false; // true: the receiver's own count; false: a partial run, from the samples
    ByteCount received;
    Duration duration{};
    std::optional<std::int64_t> retransmits; // all streams; nullopt if any stream's is unknown
    std::optional<BitRate> lowest;           // of the 1 s windows
    std::optional<BitRate> highest;
    std::optional<Duration> rtt;        // median of the samples' smoothed RTT
    std::optional<Certainty> certainty; // in bit/s, of intervals of 50 ms; only of Ending::WhenSure
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

// Without an ending as of a run of fixed time: `throughput` is of the figures of record alone.
[[nodiscard]] ThroughputSummary summarise(const ThroughputData& data,
                                          Ending ending = Ending::FixedTime);
// With the ending that the run had. Of another kind of result: nothing.
[[nodiscard]] ThroughputSummary summariseThroughput(const ProbeResult& result);
// All streams of a direction together in each interval, in bit/s, what was omitted left out; what
// was taken last of all only where all streams have it.
[[nodiscard]] std::vector<double> ratesOf(const ThroughputData& data, Direction direction);
[[nodiscard]] ConnectSummary summarise(const ConnectData& data);

} // namespace napkin
