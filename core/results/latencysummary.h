// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/certainty.h"
#include "core/results/data.h"

#include <optional>
#include <vector>

namespace napkin {

// Recomputed from what was recorded, never stored as the truth. All times are RTT.
struct LatencySummary
{
    std::int64_t sent = 0; // without the warm-up, as everything here
    std::int64_t answered = 0;
    std::int64_t lost = 0;
    std::int64_t duplicates = 0; // of the whole run
    std::int64_t reordered = 0;
    std::int64_t warmUp = 0; // messages left out at the start
    Ratio warmUpShare;       // of the time, that they took
    std::optional<Duration> least;
    std::optional<Duration> p50;
    std::optional<Duration> p90;
    std::optional<Duration> p99;  // from 100 answers on
    std::optional<Duration> p999; // from 1,000 answers on
    std::optional<Duration> most;
    std::optional<Certainty> certainty; // of the median over blocks of 50 ms, in nanoseconds

    [[nodiscard]] Ratio lossRatio() const;
};
[[nodiscard]] LatencySummary summarise(const LatencyData& data);

// RTT(m) = 2 (alpha + m / beta), fitted to the medians of the sizes by least squares of the
// relative residuals (weights 1 / median^2), so that alpha comes of the small messages and beta of
// the large ones. Fitted is the first straight part: the most sizes, from the smallest on, of which
// none is more than 20 % off the line through them; at least five, else there is no fit. Each
// further break is one of the line through what follows the last. A median that strays alone breaks
// nothing after the first part.
struct SweepPoint
{
    ByteCount size;
    int count = 0;
    Duration least{};
    Duration median{};
    Duration p90{};
    std::optional<double> residual; // (median - fit) / fit; nullopt where it is not part of the fit
};
struct SweepFit
{
    // One way, half of an RTT: of a message of no length. Nullopt where the line meets no positive
    // time there: the smallest sizes are too large to tell.
    std::optional<Duration> alpha;
    Duration alphaLow{}; // 95 % intervals, by bootstrap over the rounds with a fixed seed
    Duration alphaHigh{};
    ByteRate beta; // below upTo()
    ByteRate betaLow;
    ByteRate betaHigh;
    double largestResidual = 0; // of the sizes in the fit, as a share
    // Sizes from which on the straight line no longer holds: the medians leave it by more than 20 %
    // and stay away (the path's MTU, a buffer, a cache). Ascending.
    std::vector<ByteCount> breaks;
    // The first of them: alpha and beta hold below it. Nullopt: over all sizes.
    [[nodiscard]] std::optional<ByteCount> upTo() const;

    // The last straight part, from the last break to the largest size; at least five sizes on one
    // line. What large messages go by.
    struct Tail
    {
        ByteCount from;
        ByteRate beta;
        ByteRate betaLow;
        ByteRate betaHigh;
    };
    std::optional<Tail> tail;
};
struct SweepSummary
{
    std::vector<SweepPoint> points; // ascending by size; without the warm-up round
    std::optional<SweepFit> fit;    // from five sizes and five rounds on
};
[[nodiscard]] SweepSummary summarise(const SweepData& data);

struct LoadedPhaseSummary
{
    Load load = Load::Idle;
    std::int64_t sent = 0;
    std::int64_t lost = 0;
    std::optional<Duration> p50;
    std::optional<Duration> p90;
    std::optional<Duration> p99;
    std::optional<BitRate> forward;
    std::optional<BitRate> reverse;
    std::optional<double> ratio; // p50 against idle; of idle itself nullopt
};
[[nodiscard]] std::vector<LoadedPhaseSummary> summarise(const LoadedLatencyData& data);

} // namespace napkin
