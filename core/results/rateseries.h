// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/certainty.h"
#include "core/results/result.h"

#include <optional>
#include <vector>

namespace napkin {

// Rates of one direction in bits per second, all streams together, one interval after the other:
// what certaintyOf() is asked with. Without what was omitted, and without intervals that not every
// stream has or that were cut short.
[[nodiscard]] std::vector<double> rateSeries(const ThroughputData& data, Direction direction);

// How well the rate is known; nullopt where nothing went that way.
[[nodiscard]] std::optional<Certainty> rateCertainty(const ThroughputData& data,
                                                     Direction direction);

} // namespace napkin
