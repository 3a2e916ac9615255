// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <optional>
#include <vector>

namespace napkin {

// The q-quantile (0 to 1) by linear interpolation between order statistics (Hyndman and Fan 1996,
// type 7). Nullopt of nothing.
[[nodiscard]] std::optional<Duration> quantile(std::vector<Duration> values, double q);

} // namespace napkin
