// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/summary.h"

#include "core/results/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace napkin {

namespace {

using std::chrono::seconds;

struct Span
{
    Duration start{};
    Duration end{};
};

std::vector<const ThroughputSample*> countedSamples(const ThroughputData& data, Direction direction)
{
    std::vector<const ThroughputSample*> chosen;
    for (const ThroughputSample& sample : data.samples) {
        if (sample.direction == direction && !sample.omitted && sample.length > Duration::zero())
            chosen.push_back(&sample);
    }
    return chosen;
}

Span spanOf(const std::vector<const ThroughputSample*>& samples)
{
    Span span{samples.front()->start, samples.front()->start + samples.front()->length};
    for (const ThroughputSample* sample : samples) {
        span.start = std::min(span.start, sample->start);
        span.end = std::max(span.end, sample->start + sample->length);
    }
    return span;
}

// The slowest and the fastest whole second. A sample that straddles two seconds is shared out by
// time.
void addExtremes(const std::vector<const ThroughputSample*>& samples, DirectionSummary& summary)
{
    const Span span = spanOf(samples);
    const auto windows = static_cast<size_t>((span.end - span.start) / seconds(1));
    constexpr size_t mostWindows =
        100'000; // a run lasts a day at most; a forged one may claim more
    if (windows < 2 || windows > mostWindows)
        return;
    std::vector<double> bytes(windows, 0.0);
    for (const ThroughputSample* sample : samples) {
        const Duration from = sample->start - span.start;
        const Duration to = from + sample->length;
        for (auto w = static_cast<size_t>(from / seconds(1)); w < windows && seconds(w) < to; ++w) {
            const Duration overlap =
                std::min<Duration>(to, seconds(w + 1)) - std::max<Duration>(from, seconds(w));
            bytes[w] += static_cast<double>(sample->bytes.bytes()) *
                        static_cast<double>(overlap.count()) /
                        static_cast<double>(sample->length.count());
        }
    }
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    summary.lowest = BitRate::bitsPerSecond(std::llround(*least * 8));
    summary.highest = BitRate::bitsPerSecond(std::llround(*most * 8));
}

std::optional<std::int64_t> retransmitsOf(const ThroughputData& data, Direction direction)
{
    std::int64_t sum = 0;
    bool known = false;
    for (const StreamTotal& total : data.totals) {
        if (total.direction != direction)
            continue;
        if (!total.retransmits)
            return std::nullopt;
        sum += *total.retransmits;
        known = true;
    }
    if (known)
        return sum;
    for (const ThroughputSample* sample : countedSamples(data, direction)) {
        if (!sample->retransmits)
            return std::nullopt;
        sum += *sample->retransmits;
        known = true;
    }
    return known ? std::optional(sum) : std::nullopt;
}

std::optional<DirectionSummary> summariseDirection(const ThroughputData& data, Direction direction)
{
    DirectionSummary summary;
    for (const StreamTotal& total : data.totals) {
        if (total.direction != direction)
            continue;
        // All streams over the longest time any of them took: iperf3 divides by the first stream's.
        summary.received += total.received;
        summary.duration = std::max(summary.duration, total.duration);
        summary.fromTotals = true;
    }
    const auto samples = countedSamples(data, direction);
    if (!summary.fromTotals && !samples.empty()) {
        for (const ThroughputSample* sample : samples)
            summary.received += sample->bytes;
        const Span span = spanOf(samples);
        summary.duration = span.end - span.start;
    }
    if (summary.duration <= Duration::zero())
        return std::nullopt;
    summary.throughput = BitRate::of(summary.received, summary.duration);
    summary.retransmits = retransmitsOf(data, direction);
    if (!samples.empty())
        addExtremes(samples, summary);
    std::vector<Duration> rtts;
    for (const ThroughputSample* sample : samples) {
        if (sample->rtt)
            rtts.push_back(*sample->rtt);
    }
    summary.rtt = quantile(std::move(rtts), 0.5);
    return summary;
}

void addCertainty(const ThroughputData& data, Direction direction, DirectionSummary& summary)
{
    const std::vector<double> rates = ratesOf(data, direction);
    if (rates.empty())
        return;
    summary.certainty = certaintyOf(rates);
    if (summary.certainty->verdict == Certainty::Verdict::Sure)
        summary.throughput = BitRate::bitsPerSecond(std::llround(summary.certainty->mean));
}

} // namespace

std::vector<double> ratesOf(const ThroughputData& data, Direction direction)
{
    struct Interval
    {
        double rate = 0;
        Duration length{};
        int streams = 0;
    };
    // The streams' intervals are read together: the n-th of one belongs to the n-th of another.
    std::map<int, std::size_t> counts;
    std::vector<Interval> intervals;
    for (const ThroughputSample* sample : countedSamples(data, direction)) {
        const std::size_t i = counts[sample->stream]++;
        if (i == intervals.size())
            intervals.push_back({0, sample->length, 0});
        intervals[i].rate +=
            static_cast<double>(sample->bytes.bytes()) * 8 / inSeconds(sample->length);
        ++intervals[i].streams;
    }
    // The last one may be a rest that is too short to tell anything.
    if (intervals.size() > 1 && intervals.back().length * 2 < intervals.front().length)
        intervals.pop_back();
    std::vector<double> rates;
    for (const Interval& interval : intervals) {
        if (interval.streams == static_cast<int>(counts.size()))
            rates.push_back(interval.rate);
    }
    return rates;
}

ThroughputSummary summarise(const ThroughputData& data, Ending ending)
{
    ThroughputSummary summary{summariseDirection(data, Direction::Forward),
                              summariseDirection(data, Direction::Reverse)};
    if (ending == Ending::FixedTime)
        return summary;
    if (summary.forward)
        addCertainty(data, Direction::Forward, *summary.forward);
    if (summary.reverse)
        addCertainty(data, Direction::Reverse, *summary.reverse);
    return summary;
}

ThroughputSummary summariseThroughput(const ProbeResult& result)
{
    const auto* data = std::get_if<ThroughputData>(&result.data);
    if (data == nullptr)
        return {};
    const auto* options = std::get_if<ThroughputOptions>(&result.spec.options);
    return summarise(*data, options != nullptr ? options->ending : Ending::FixedTime);
}

ConnectSummary summarise(const ConnectData& data)
{
    ConnectSummary summary;
    std::vector<Duration> times;
    for (const ConnectSample& sample : data.samples) {
        ++summary.attempts;
        switch (sample.outcome) {
        case ConnectSample::Outcome::Connected:
            ++summary.connected;
            times.push_back(sample.time);
            break;
        case ConnectSample::Outcome::Refused:
            ++summary.refused;
            break;
        case ConnectSample::Outcome::TimedOut:
            ++summary.timedOut;
            break;
        case ConnectSample::Outcome::Unreachable:
            ++summary.unreachable;
            break;
        }
    }
    summary.median = quantile(times, 0.5);
    summary.p10 = quantile(times, 0.1);
    summary.p90 = quantile(times, 0.9);
    summary.least = quantile(times, 0.0);
    summary.most = quantile(std::move(times), 1.0);
    return summary;
}

} // namespace napkin
