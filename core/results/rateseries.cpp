// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/rateseries.h"

#include <algorithm>
#include <limits>
#include <map>

namespace napkin {

std::vector<double> rateSeries(const ThroughputData& data, Direction direction)
{
    std::map<int, std::vector<const ThroughputSample*>> streams;
    for (const ThroughputSample& sample : data.samples) {
        if (sample.direction == direction && !sample.omitted && sample.length > Duration::zero())
            streams[sample.stream].push_back(&sample);
    }
    if (streams.empty())
        return {};
    size_t count = std::numeric_limits<size_t>::max();
    for (const auto& [stream, samples] : streams)
        count = std::min(count, samples.size());
    const Duration usual = streams.begin()->second[count / 2]->length;
    std::vector<double> rates;
    rates.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        double rate = 0;
        bool isWhole = true;
        for (const auto& [stream, samples] : streams) {
            const ThroughputSample& sample = *samples[i];
            isWhole = isWhole && sample.length >= usual / 2;
            rate += 8 * static_cast<double>(sample.bytes.bytes()) / inSeconds(sample.length);
        }
        if (isWhole)
            rates.push_back(rate);
    }
    return rates;
}

std::optional<Certainty> rateCertainty(const ThroughputData& data, Direction direction)
{
    const std::vector<double> rates = rateSeries(data, direction);
    return rates.empty() ? std::nullopt : std::optional(certaintyOf(rates));
}

} // namespace napkin
