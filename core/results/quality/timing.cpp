// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/latencysummary.h"
#include "core/results/quality/rules.h"
#include "core/results/statistics.h"
#include "core/results/summary.h"

#include <algorithm>
#include <map>
#include <utility>

namespace napkin::quality {

namespace {

constexpr int coarseParts = 100;         // a step of the clock may be 1 % of what it times
constexpr double oddShareAllowed = 0.05; // of the intervals

// The lengths of the intervals; the last of each stream ends when the run does.
std::vector<Duration> intervals(const ThroughputData& data)
{
    std::map<std::pair<Direction, int>, std::vector<Duration>> streams;
    for (const ThroughputSample& sample : data.samples) {
        if (!sample.omitted)
            streams[{sample.direction, sample.stream}].push_back(sample.length);
    }
    std::vector<Duration> all;
    for (auto& [key, lengths] : streams)
        all.insert(all.end(), lengths.begin(), lengths.end() - 1);
    return all;
}

// What was timed, and the clock's step as far as the run measured it itself.
struct Timed
{
    std::optional<Duration> length;
    std::optional<Duration> step;
};

Timed timedOf(const ThroughputData& data)
{
    return {quantile(intervals(data), 0.5), std::nullopt};
}

Timed timedOf(const ConnectData& data)
{
    return {summarise(data).median, std::nullopt};
}

Timed timedOf(const LatencyData& data)
{
    return {summarise(data).p50, data.clockStep};
}

// The smallest message takes the shortest.
Timed timedOf(const SweepData& data)
{
    const SweepSummary summary = summarise(data);
    if (summary.points.empty())
        return {};
    return {summary.points.front().median, data.clockStep};
}

Timed timedOf(const LoadedLatencyData& data)
{
    const auto phases = summarise(data);
    if (phases.empty())
        return {};
    return {phases.front().p50, data.clockStep};
}

// Neither sizes nor counts are timed by a fine clock.
Timed timedOf(const PathMtuData& /*data*/)
{
    return {};
}

Timed timedOf(const UdpData& /*data*/)
{
    return {};
}

Timed timedOf(const MemoryData& data)
{
    std::vector<Duration> times;
    for (const MemorySample& sample : data.samples) {
        if (!sample.warmUp)
            times.push_back(sample.time);
    }
    return {quantile(times, 0.5), std::nullopt};
}

Timed timedOf(const StorageData& /*data*/)
{
    return {};
}

Timed timedOf(const SoakData& /*data*/)
{
    return {};
}

void assessClock(const ProbeResult& result, Notes& notes)
{
    Timed timed = std::visit([](const auto& data) { return timedOf(data); }, result.data);
    if (const auto& facts = result.conditions.near.facts; facts && !timed.step)
        timed.step = facts->clockResolution;
    if (!timed.step || !timed.length || *timed.length / coarseParts >= *timed.step)
        return;
    notes.push_back({QualityFlag::ClockTooCoarse,
                     QStringLiteral("the clock goes in steps of %1 ns, and %2 ns were timed")
                         .arg(timed.step->count())
                         .arg(timed.length->count())});
}

void assessIntervals(const ThroughputData& data, Notes& notes)
{
    const std::vector<Duration> lengths = intervals(data);
    const auto median = quantile(lengths, 0.5);
    if (!median)
        return;
    const auto odd = std::ranges::count_if(lengths, [&median](Duration length) {
        return length * 2 < *median || length > *median * 2;
    });
    if (static_cast<double>(odd) <= oddShareAllowed * static_cast<double>(lengths.size()))
        return;
    notes.push_back({QualityFlag::IntervalAnomaly,
                     QStringLiteral("%1 of %2 intervals under half or over twice the median of %3")
                         .arg(odd)
                         .arg(lengths.size())
                         .arg(formatDuration(*median, QLocale::c()))});
}

} // namespace

void assessTiming(const ProbeResult& result, Notes& notes)
{
    assessClock(result, notes);
    if (const auto* data = std::get_if<ThroughputData>(&result.data))
        assessIntervals(*data, notes);
}

} // namespace napkin::quality
