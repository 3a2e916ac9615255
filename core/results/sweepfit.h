// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latencysummary.h"

#include <vector>

namespace napkin::detail {

// What was timed of one size: its time in each round that it was timed in, nanoseconds.
struct SizeTimes
{
    double size = 0; // bytes
    std::vector<double> times;
};

// The fit over the sizes (ascending) of a sweep; `sizes` says how many of them, from the smallest
// on, are on the line. Nullopt where no line with a positive slope goes through them.
struct FittedSizes
{
    SweepFit fit;
    std::size_t sizes = 0;
    double intercept = 0; // RTT(m) = intercept + slope m, nanoseconds
    double slope = 0;
};
[[nodiscard]] std::optional<FittedSizes> fitSizes(const std::vector<SizeTimes>& sizes);

} // namespace napkin::detail
