// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/latencysummary.h"

#include "core/results/statistics.h"
#include "core/results/sweepfit.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr Duration blockLength = 50ms;
constexpr std::size_t fewestBlocks = 20; // for a warm-up to be told from noise
constexpr std::int64_t countForP99 = 100;
constexpr std::int64_t countForP999 = 1'000;
constexpr int fewestRounds = 5;
constexpr std::size_t fewestSizes = 5;

// The medians of the answered ones over pieces of time of 50 ms, by when they were sent. Pieces in
// which nothing was sent are left out.
struct Blocks
{
    std::vector<double> medians; // nanoseconds
    std::vector<std::size_t> firsts;
};

Blocks blocksOf(std::span<const RoundTrip> samples)
{
    Blocks blocks;
    std::vector<Duration> times;
    std::size_t first = 0;
    const auto close = [&] {
        if (const auto median = quantile(times, 0.5)) {
            blocks.medians.push_back(static_cast<double>(median->count()));
            blocks.firsts.push_back(first);
        }
        times.clear();
    };
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i > 0 && samples[i].start / blockLength != samples[i - 1].start / blockLength) {
            close();
            first = i;
        }
        if (samples[i].outcome == RoundTrip::Outcome::Answered)
            times.push_back(samples[i].time);
    }
    // The last one is cut by the end of the run.
    if (blocks.medians.size() < fewestBlocks)
        close();
    return blocks;
}

std::vector<Duration> answeredOf(std::span<const RoundTrip> samples)
{
    std::vector<Duration> times;
    for (const RoundTrip& sample : samples) {
        if (sample.outcome == RoundTrip::Outcome::Answered)
            times.push_back(sample.time);
    }
    std::ranges::sort(times);
    return times;
}

} // namespace

Ratio LatencySummary::lossRatio() const
{
    return Ratio::of(sent > 0 ? static_cast<double>(lost) / static_cast<double>(sent) : 0.0);
}

LatencySummary summarise(const LatencyData& data)
{
    LatencySummary summary;
    summary.duplicates = data.duplicates;
    summary.reordered = data.reordered;
    std::span<const RoundTrip> samples(data.samples);
    const Blocks blocks = blocksOf(samples);
    if (!blocks.medians.empty())
        summary.certainty = certaintyOf(blocks.medians);
    if (blocks.medians.size() >= fewestBlocks) {
        const std::size_t cut = blocks.firsts[summary.certainty->warmUp];
        summary.warmUp = static_cast<std::int64_t>(cut);
        const Duration whole = samples.back().start;
        if (cut > 0 && whole > Duration::zero())
            summary.warmUpShare = Ratio::of(inSeconds(samples[cut].start) / inSeconds(whole));
        samples = samples.subspan(cut);
    }
    const std::vector<Duration> times = answeredOf(samples);
    summary.sent = static_cast<std::int64_t>(samples.size());
    summary.answered = static_cast<std::int64_t>(times.size());
    summary.lost = summary.sent - summary.answered;
    summary.least = quantile(times, 0.0);
    summary.p50 = quantile(times, 0.5);
    summary.p90 = quantile(times, 0.9);
    if (summary.answered >= countForP99)
        summary.p99 = quantile(times, 0.99);
    if (summary.answered >= countForP999)
        summary.p999 = quantile(times, 0.999);
    summary.most = quantile(times, 1.0);
    return summary;
}

std::optional<ByteCount> SweepFit::upTo() const
{
    return breaks.empty() ? std::nullopt : std::optional(breaks.front());
}

SweepSummary summarise(const SweepData& data)
{
    std::map<std::int64_t, std::vector<Duration>> bySize;
    for (const SweepSample& sample : data.samples) {
        if (sample.round > 0 && sample.time > Duration::zero())
            bySize[sample.size.bytes()].push_back(sample.time);
    }
    SweepSummary summary;
    std::vector<detail::SizeTimes> sizes;
    int fewest = bySize.empty() ? 0 : std::numeric_limits<int>::max();
    for (const auto& [size, times] : bySize) {
        SweepPoint point;
        point.size = ByteCount::bytes(size);
        point.count = static_cast<int>(times.size());
        point.least = quantile(times, 0.0).value_or(Duration());
        point.median = quantile(times, 0.5).value_or(Duration());
        point.p90 = quantile(times, 0.9).value_or(Duration());
        fewest = std::min(fewest, point.count);
        summary.points.push_back(point);
        detail::SizeTimes& kept = sizes.emplace_back();
        kept.size = static_cast<double>(size);
        for (const Duration time : times)
            kept.times.push_back(static_cast<double>(time.count()));
    }
    if (fewest < fewestRounds || sizes.size() < fewestSizes)
        return summary;
    const auto fitted = detail::fitSizes(sizes);
    if (!fitted)
        return summary;
    summary.fit = fitted->fit;
    for (std::size_t i = 0; i < fitted->sizes; ++i) {
        const double line = fitted->intercept + fitted->slope * sizes[i].size;
        summary.points[i].residual =
            static_cast<double>(summary.points[i].median.count()) / line - 1;
    }
    return summary;
}

std::vector<LoadedPhaseSummary> summarise(const LoadedLatencyData& data)
{
    std::vector<LoadedPhaseSummary> phases;
    std::optional<Duration> idle;
    for (const LoadPhase& phase : data.phases) {
        const std::vector<Duration> times = answeredOf(phase.samples);
        LoadedPhaseSummary& summary = phases.emplace_back();
        summary.load = phase.load;
        summary.sent = static_cast<std::int64_t>(phase.samples.size());
        summary.lost = summary.sent - static_cast<std::int64_t>(times.size());
        summary.p50 = quantile(times, 0.5);
        summary.p90 = quantile(times, 0.9);
        if (static_cast<std::int64_t>(times.size()) >= countForP99)
            summary.p99 = quantile(times, 0.99);
        summary.forward = phase.forward;
        summary.reverse = phase.reverse;
        if (phase.load == Load::Idle)
            idle = summary.p50;
    }
    for (LoadedPhaseSummary& summary : phases) {
        if (summary.load != Load::Idle && idle && *idle > Duration::zero() && summary.p50)
            summary.ratio = inSeconds(*summary.p50) / inSeconds(*idle);
    }
    return phases;
}

} // namespace napkin
