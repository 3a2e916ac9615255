// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latency.h"

#include <span>
#include <vector>

namespace napkin {

// What falls into one column of pixels: nothing of it is lost, its extremes are seen.
struct LatencyBand
{
    int answered = 0;
    int lost = 0;
    double least = 0; // seconds, RTT of the answered ones
    double median = 0;
    double most = 0;
};

// Even columns from `begin` to `end` seconds after the first message; what lies outside is left
// out. Empty when there is nothing to divide.
[[nodiscard]] std::vector<LatencyBand> bandsOf(std::span<const RoundTrip> samples, double begin,
                                               double end, int columns);

// The RTT of the answered ones in seconds, ascending.
[[nodiscard]] std::vector<double> ascendingTimes(std::span<const RoundTrip> samples);

// Times that one even scale would press flat: the largest is more than twelve times the median.
[[nodiscard]] bool wantsDecades(std::span<const double> ascending);

} // namespace napkin
