// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/data.h"

#include <optional>
#include <span>

namespace napkin {

// How a rate changed over a run: the slope of Theil and Sen (Sen 1968) through the rates of equal
// pieces of at least a minute, with the 95 % interval that follows from Kendall's statistic. Shares
// of the median rate, over the whole run: -0.05 fell by 5 %.
struct SoakDrift
{
    double change = 0;
    double low = 0;
    double high = 0;
    // The interval leaves out no change, and the change is 1 % or more.
    bool isSeen = false;
    // Where none is seen: a larger one is ruled out. At least 0.01.
    [[nodiscard]] double ruledOut() const;
};

// Nullopt under five minutes or five pieces with data.
[[nodiscard]] std::optional<SoakDrift> driftOf(std::span<const SoakSpan> spans,
                                               Direction direction);

struct SoakSide
{
    BitRate mean;   // payload that came, over the time with a connection
    BitRate least;  // of the seconds
    BitRate median; // of the spans' medians
    BitRate most;
    ByteCount received;
    ByteCount checked;
    std::int64_t blocks = 0;
    std::int64_t corrupted = 0;
    std::int64_t lost = 0;
    std::int64_t duplicated = 0;
    std::optional<std::int64_t> retransmits;
    std::optional<Duration> rtt; // median of the spans'
    std::optional<SoakDrift> drift;
};

struct SoakSummary
{
    std::optional<SoakSide> forward;
    std::optional<SoakSide> reverse;
    std::int64_t corrupted = 0;           // blocks, both directions
    std::int64_t outOfSequence = 0;       // lost and duplicated ones
    std::int64_t faults = 0;              // stalls, drop-outs and those
    std::optional<Duration> longestStall; // of the events that were kept
    std::optional<Duration> longestDropOut;
};
[[nodiscard]] SoakSummary summarise(const SoakData& data);

} // namespace napkin
