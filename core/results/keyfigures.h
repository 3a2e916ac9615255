// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <optional>

namespace napkin {

// The few figures of a run that lists and worksheets show: computed from what was recorded, kept
// beside it so that lists need not read samples. Nullopt: not measured by that kind, or not known.
struct KeyFigures
{
    std::optional<BitRate> forward; // what arrived: throughput and UDP
    std::optional<BitRate> reverse;
    std::optional<std::int64_t> forwardRetransmits; // throughput
    std::optional<std::int64_t> reverseRetransmits;
    std::optional<Duration> connectMedian;
    // RTT. Under load: of the phase that is slowest against idle.
    std::optional<Duration> latencyP50;
    std::optional<Duration> latencyP99;
    std::optional<double> loadedRatio; // that phase's p50 against idle
    std::optional<Ratio> lossRatio;    // latency; UDP: of the direction that lost most
    // UDP: what was sent in that direction, or where nothing is known of what arrived, at all.
    std::optional<BitRate> offered;
    // What passes in both directions that were tried, bytes of the whole IP packet.
    std::optional<int> pathMtu;
    std::optional<int> interfaceMtu; // of the sender in that direction
    std::optional<bool> isBlackHole; // larger packets vanish there without a word
    std::optional<Duration> alpha;   // one way, half of an RTT
    std::optional<ByteRate> beta;
    std::optional<ByteCount> betaUpTo; // messages below this go by beta; nullopt: of all sizes
    std::optional<ByteRate> betaLarge; // beyond the last break, where it is known
    // Memory: the median of the passes. Storage: the mean, where it is what the file lies on.
    std::optional<ByteRate> byteRate;
    bool operator==(const KeyFigures&) const = default;
};

// Of how they are computed: to be raised with every change of a summary that changes one of them,
// so that figures that were kept before are told from damaged ones.
inline constexpr int keyFiguresVersion = 1;

[[nodiscard]] KeyFigures keyFigures(const ProbeResult& result);

} // namespace napkin
