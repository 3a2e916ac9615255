// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/machinesummary.h"

#include "core/results/statistics.h"

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr double mostRate = 9e18; // whole bytes a second that a ByteRate can hold
constexpr double slowQuantile = 0.9;

} // namespace

std::optional<ByteRate> byteRateOf(ByteCount bytes, Duration time)
{
    if (time <= Duration::zero())
        return std::nullopt;
    const double rate = static_cast<double>(bytes.bytes()) / inSeconds(time);
    return ByteRate::bytesPerSecond(std::llround(std::clamp(rate, 0.0, mostRate)));
}

MemorySummary summarise(const MemoryData& data)
{
    std::vector<Duration> times;
    for (const MemorySample& sample : data.samples) {
        if (!sample.warmUp)
            times.push_back(sample.time);
    }
    MemorySummary summary;
    summary.passes = static_cast<int>(times.size());
    const auto rateAt = [&](double q) -> std::optional<ByteRate> {
        const auto time = quantile(times, q);
        return time ? byteRateOf(bytesOfPass(data), *time) : std::nullopt;
    };
    summary.median = rateAt(0.5);
    summary.best = rateAt(0);
    summary.slow = rateAt(slowQuantile);
    summary.slowest = rateAt(1);
    return summary;
}

namespace {

// The least of the seconds from the start, each counted from the samples that make it up; a sample
// that reaches over the edge is shared out by its time.
std::optional<ByteRate> slowestSecondOf(const std::vector<StorageSample>& samples)
{
    std::optional<double> least;
    double bytes = 0;
    Duration left = 1s;
    for (const StorageSample& sample : samples) {
        Duration rest = sample.length;
        const double rate = rest > Duration::zero()
                                ? static_cast<double>(sample.bytes.bytes()) / inSeconds(rest)
                                : 0;
        while (rest >= left) {
            bytes += rate * inSeconds(left);
            least = std::min(least.value_or(bytes), bytes);
            rest -= left;
            bytes = 0;
            left = 1s;
            if (rest >= 1h) // no such pause comes of a run
                return ByteRate::bytesPerSecond(0);
        }
        bytes += rate * inSeconds(rest);
        left -= rest;
    }
    if (!least)
        return std::nullopt;
    return ByteRate::bytesPerSecond(std::llround(std::clamp(*least, 0.0, mostRate)));
}

} // namespace

StorageSummary summarise(const StorageData& data)
{
    StorageSummary summary;
    for (const StorageSample& sample : data.samples) {
        summary.read += sample.bytes;
        summary.duration = std::max(summary.duration, sample.start + sample.length);
    }
    summary.isPastCache = data.way != StorageWay::Cached;
    summary.mean = byteRateOf(summary.read, summary.duration);
    summary.slowestSecond = slowestSecondOf(data.samples);
    return summary;
}

} // namespace napkin
