// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/pathsummary.h"
#include "core/results/spec.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr double lossThatTells = 0.02; // of what was sent
// Datagrams that were under way as the two ends stopped counting.
constexpr Duration tailTime = 1s;
constexpr std::int64_t tailLeast = 64;

struct Counts
{
    std::int64_t sentBytes = 0;
    std::int64_t receivedBytes = 0;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    std::int64_t gaps = 0; // lost, as the receiver counted
    std::int64_t outOfOrder = 0;
    bool isSentKnown = true;
    bool isGapKnown = true;
    bool isOrderKnown = true;
    bool isNegative = false;
    bool isImpossible = false; // of one stream: more arrived, or more is missing, than was sent
    std::optional<Duration> jitter;
    Duration duration{};
    std::optional<Duration> sentDuration; // nullopt: not known
    bool isSentNominal = false;           // that is what was asked for
    int streams = 0;
};

void noteJitter(Counts& counts, const std::optional<Duration>& jitter)
{
    if (jitter)
        counts.jitter = std::max(counts.jitter.value_or(Duration()), *jitter);
}

Counts countsOfTotals(const UdpData& data, Direction direction)
{
    Counts c;
    for (const UdpTotal& total : data.totals) {
        if (total.direction != direction)
            continue;
        ++c.streams;
        c.received += total.packetsReceived;
        c.receivedBytes += total.received.bytes();
        c.gaps += total.lost;
        c.sent += total.packetsSent.value_or(0);
        c.sentBytes += total.sent.value_or(ByteCount()).bytes();
        c.outOfOrder += total.outOfOrder.value_or(0);
        c.isSentKnown = c.isSentKnown && total.packetsSent.has_value();
        c.isOrderKnown = c.isOrderKnown && total.outOfOrder.has_value();
        c.isNegative = c.isNegative || total.packetsReceived < 0 || total.lost < 0 ||
                       total.packetsSent.value_or(0) < 0 || total.outOfOrder.value_or(0) < 0;
        c.isImpossible =
            c.isImpossible || (total.packetsSent && (total.packetsReceived > *total.packetsSent ||
                                                     total.lost > *total.packetsSent));
        c.duration = std::max(c.duration, total.duration);
        if (total.sentOver)
            c.sentDuration = std::max(c.sentDuration.value_or(Duration()), *total.sentOver);
        noteJitter(c, total.jitter);
    }
    return c;
}

struct Span
{
    Duration from = Duration::max();
    Duration to = Duration::min();
    void take(const UdpSample& sample)
    {
        from = std::min(from, sample.start);
        to = std::max(to, sample.start + sample.length);
    }
    [[nodiscard]] Duration length() const { return to > from ? to - from : Duration(); }
};

// What a partial run has: each end's own samples, over its own time.
Counts countsOfSamples(const UdpData& data, Direction direction)
{
    Counts c;
    Span arrived;
    Span sent;
    for (const UdpSample& sample : data.samples) {
        if (sample.direction != direction || sample.omitted)
            continue;
        if (!sample.atReceiver) {
            sent.take(sample);
            c.sentBytes += sample.bytes.bytes();
            c.sent += sample.packets;
            continue;
        }
        arrived.take(sample);
        c.streams = std::max(c.streams, sample.stream + 1);
        c.received += sample.packets;
        c.receivedBytes += sample.bytes.bytes();
        c.gaps += sample.lost.value_or(0);
        c.outOfOrder += sample.outOfOrder.value_or(0);
        c.isGapKnown = c.isGapKnown && sample.lost.has_value();
        c.isOrderKnown = c.isOrderKnown && sample.outOfOrder.has_value();
        noteJitter(c, sample.jitter);
    }
    c.duration = arrived.length();
    c.isSentKnown = sent.length() > Duration::zero();
    if (c.isSentKnown)
        c.sentDuration = sent.length();
    c.isNegative = c.received < 0 || c.gaps < 0 || c.sent < 0;
    return c;
}

// A sender's samples tell its time, too; else what was asked for stands for it.
void completeSentDuration(const UdpData& data, Direction direction, std::optional<Duration> asked,
                          Counts& counts)
{
    if (counts.sentDuration)
        return;
    Span span;
    for (const UdpSample& sample : data.samples) {
        if (sample.direction == direction && !sample.omitted && !sample.atReceiver)
            span.take(sample);
    }
    counts.isSentNominal = span.length() == Duration::zero();
    counts.sentDuration = counts.isSentNominal ? asked : span.length();
}

// The gaps say how many are missing up to the last datagram that came; the two ends' counts how
// many in all. The difference is the lost tail, and that is short.
bool contradict(const Counts& counts)
{
    if (counts.isNegative || counts.isImpossible)
        return true;
    if (!counts.isSentKnown)
        return false;
    if (counts.received > counts.sent || counts.gaps > counts.sent)
        return true;
    const std::int64_t missing = counts.sent - counts.received;
    const double seconds = std::max(1e-3, inSeconds(counts.duration));
    const double rate = static_cast<double>(counts.sent) / seconds;
    const auto tail = std::max<std::int64_t>(tailLeast, std::llround(rate * inSeconds(tailTime)));
    // Duplicates and late packets that were counted as lost make small differences the other way.
    const std::int64_t slack = std::max<std::int64_t>(tailLeast, counts.sent / 100);
    return counts.gaps > missing + slack || missing > counts.gaps + std::max(tail, slack);
}

// What arrived in each window of a direction, all streams together.
std::vector<UdpArrival> arrivalsOf(const UdpData& data, Direction direction)
{
    std::map<int, size_t> nextOf; // window, of each stream
    std::vector<UdpArrival> windows;
    for (const UdpSample& sample : data.samples) {
        if (sample.direction != direction || sample.omitted || !sample.atReceiver)
            continue;
        const size_t i = nextOf[sample.stream]++;
        if (i >= windows.size())
            windows.push_back({sample.start, sample.length, 0, ByteCount()});
        windows[i].packets += sample.packets;
    }
    return windows.empty() && direction == Direction::Forward ? data.farArrivals : windows;
}

// A full link lets through the same number in every window. Losses that fall at random would make
// these numbers scatter as a binomial does, with the variance n p (1 - p). Nullopt where there is
// too little to tell them apart.
std::optional<double> scatterOverRandom(const std::vector<UdpArrival>& windows, double lossRatio)
{
    constexpr size_t groups = 22;
    const size_t perGroup = std::max<size_t>(1, windows.size() / groups);
    // Not the first, in which a queue fills, and not the last, which may be cut.
    const size_t first = perGroup * 2;
    double packets = 0;
    double seconds = 0;
    std::vector<std::pair<double, double>> counts;
    for (size_t i = first; i + 2 * perGroup <= windows.size(); i += perGroup) {
        std::pair<double, double> group;
        for (size_t j = i; j < i + perGroup; ++j) {
            group.first += static_cast<double>(windows[j].packets);
            group.second += inSeconds(windows[j].length);
        }
        packets += group.first;
        seconds += group.second;
        counts.push_back(group);
    }
    constexpr size_t fewest = 10;
    constexpr double fewestLost = 10; // in a group
    if (counts.size() < fewest || seconds <= 0 ||
        packets * lossRatio < fewestLost * static_cast<double>(counts.size()))
        return std::nullopt;
    double sum = 0;
    for (const auto& [came, time] : counts) {
        const double expected = packets * time / seconds;
        sum += (came - expected) * (came - expected) / expected;
    }
    return sum / static_cast<double>(counts.size() - 1) / lossRatio;
}

// Three in a thousand of random losses scatter as little by chance.
bool isEven(const UdpData& data, Direction direction, double lossRatio)
{
    constexpr double little = 0.3;
    const auto scatter = scatterOverRandom(arrivalsOf(data, direction), lossRatio);
    return scatter && *scatter < little;
}

UdpDirectionSummary::Cause causeOf(const UdpData& data, Direction direction,
                                   const UdpDirectionSummary& summary)
{
    using Cause = UdpDirectionSummary::Cause;
    const std::int64_t lost = summary.lost.value_or(0);
    if (lost <= 0)
        return Cause::None;
    if (summary.bufferDrops.value_or(0) > 0 && *summary.bufferDrops >= lost - *summary.bufferDrops)
        return Cause::ReceiverBuffer;
    const bool tellsMuch = summary.lossRatio && summary.lossRatio->value() > lossThatTells;
    const bool isLess =
        summary.offered && summary.arrived &&
        static_cast<double>(summary.arrived->bitsPerSecond()) <
            (1 - lossThatTells) * static_cast<double>(summary.offered->bitsPerSecond());
    // Some drops in the buffer explain a part: then the rest is not clear either.
    const bool nothingElse = summary.bufferDrops.value_or(0) * 10 < lost;
    if (tellsMuch && isLess && nothingElse && isEven(data, direction, summary.lossRatio->value()))
        return Cause::OfferedTooMuch;
    return Cause::Unknown;
}

void takeLosses(const Counts& counts, UdpDirectionSummary& summary)
{
    const bool isWhole = summary.fromTotals && counts.isSentKnown;
    if (isWhole) {
        summary.lost = counts.sent - counts.received;
        // A late datagram may take back a loss that the other end never counted.
        summary.lostTail = std::max<std::int64_t>(0, *summary.lost - counts.gaps);
    } else if (counts.isGapKnown) {
        summary.lost = counts.gaps;
    }
    const std::int64_t of = isWhole ? counts.sent : counts.received + summary.lost.value_or(0);
    if (summary.lost && of > 0)
        summary.lossRatio = Ratio::of(static_cast<double>(*summary.lost) / static_cast<double>(of));
}

void takeOffered(const Counts& counts, UdpDirectionSummary& summary)
{
    if (!counts.isSentKnown)
        return;
    summary.sent = counts.sent;
    if (counts.sentBytes <= 0 || counts.sentDuration.value_or(Duration()) <= Duration::zero())
        return;
    summary.offered = BitRate::of(ByteCount::bytes(counts.sentBytes), *counts.sentDuration);
    summary.isOfferedNominal = counts.isSentNominal;
}

std::optional<UdpDirectionSummary> summariseDirection(const UdpData& data, Direction direction,
                                                      std::optional<Duration> asked)
{
    Counts counts = countsOfTotals(data, direction);
    UdpDirectionSummary summary;
    summary.fromTotals = counts.streams > 0;
    if (!summary.fromTotals)
        counts = countsOfSamples(data, direction);
    const bool hasSent = counts.sentDuration.value_or(Duration()) > Duration::zero();
    if (counts.duration <= Duration::zero() && !hasSent)
        return std::nullopt;
    if (summary.fromTotals)
        completeSentDuration(data, direction, asked, counts);
    summary.received = counts.received;
    if (counts.duration > Duration::zero())
        summary.arrived = BitRate::of(ByteCount::bytes(counts.receivedBytes), counts.duration);
    takeOffered(counts, summary);
    if (counts.isOrderKnown && counts.streams > 0)
        summary.outOfOrder = counts.outOfOrder;
    summary.jitter = counts.jitter;
    summary.bufferDrops =
        direction == Direction::Forward ? data.farBufferDrops : data.nearBufferDrops;
    // Of a partial run the two ends' samples end at different times: nothing is to be compared.
    summary.isContradictory =
        summary.fromTotals ? contradict(counts) : counts.isNegative || counts.receivedBytes < 0;
    if (summary.isContradictory) {
        summary.cause = UdpDirectionSummary::Cause::Unknown;
        return summary;
    }
    if (counts.streams > 0)
        takeLosses(counts, summary);
    summary.cause = causeOf(data, direction, summary);
    return summary;
}

} // namespace

UdpSummary summarise(const UdpData& data, std::optional<Duration> asked)
{
    return {summariseDirection(data, Direction::Forward, asked),
            summariseDirection(data, Direction::Reverse, asked)};
}

UdpSummary summariseUdp(const ProbeResult& result)
{
    const auto* data = std::get_if<UdpData>(&result.data);
    if (data == nullptr)
        return {};
    const auto* options = std::get_if<UdpOptions>(&result.spec.options);
    return summarise(*data, options ? std::optional<Duration>(options->duration) : std::nullopt);
}

} // namespace napkin
