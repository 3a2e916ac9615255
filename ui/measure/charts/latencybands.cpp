// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/latencybands.h"

#include <algorithm>

namespace napkin {

std::vector<LatencyBand> bandsOf(std::span<const RoundTrip> samples, double begin, double end,
                                 int columns)
{
    if (columns < 1 || end <= begin)
        return {};
    const auto size = static_cast<std::size_t>(columns);
    std::vector<LatencyBand> bands(size);
    const auto columnOf = [&](const RoundTrip& one) -> std::size_t {
        const double share = (inSeconds(one.start) - begin) / (end - begin);
        if (share < 0 || share > 1)
            return size;
        return std::min(static_cast<std::size_t>(share * columns), size - 1);
    };
    // Counted first, so that each column's times stand together and one pass suffices.
    for (const RoundTrip& one : samples) {
        if (const std::size_t at = columnOf(one); at < size) {
            const bool answered = one.outcome == RoundTrip::Outcome::Answered;
            ++(answered ? bands[at].answered : bands[at].lost);
        }
    }
    std::vector<std::size_t> next(size + 1, 0);
    for (std::size_t i = 0; i < size; ++i)
        next[i + 1] = next[i] + static_cast<std::size_t>(bands[i].answered);
    std::vector<double> times(next[size]);
    for (const RoundTrip& one : samples) {
        const std::size_t at = columnOf(one);
        if (at < size && one.outcome == RoundTrip::Outcome::Answered)
            times[next[at]++] = inSeconds(one.time);
    }
    auto first = times.begin();
    for (LatencyBand& band : bands) {
        const auto last = first + band.answered;
        if (band.answered > 0) {
            const auto [least, most] = std::minmax_element(first, last);
            band.least = *least;
            band.most = *most;
            const auto middle = first + band.answered / 2;
            std::nth_element(first, middle, last);
            band.median = *middle;
        }
        first = last;
    }
    return bands;
}

std::vector<double> ascendingTimes(std::span<const RoundTrip> samples)
{
    std::vector<double> times;
    times.reserve(samples.size());
    for (const RoundTrip& one : samples) {
        if (one.outcome == RoundTrip::Outcome::Answered)
            times.push_back(inSeconds(one.time));
    }
    std::ranges::sort(times);
    return times;
}

bool wantsDecades(std::span<const double> ascending)
{
    if (ascending.empty())
        return false;
    const double median = ascending[ascending.size() / 2];
    return ascending.front() > 0 && median > 0 && ascending.back() > 12 * median;
}

} // namespace napkin
