// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/statistics.h"

#include <algorithm>
#include <cmath>

namespace napkin {

std::optional<Duration> quantile(std::vector<Duration> values, double q)
{
    if (values.empty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    const double place = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<size_t>(std::floor(place));
    const size_t above = std::min(below + 1, values.size() - 1);
    const double share = place - static_cast<double>(below);
    const auto step = static_cast<double>((values[above] - values[below]).count());
    return values[below] + Duration(std::llround(share * step));
}

} // namespace napkin
