// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/soaksummary.h"

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr auto leastPiece = 60s;
constexpr auto leastForDrift = 5min;
constexpr int mostPieces = 240; // whose pairs are looked at
constexpr std::size_t fewestPieces = 5;
constexpr double leastDrift = 0.01;

struct Point
{
    double time = 0; // seconds
    double rate = 0; // bits a second
};

// Rates of equal pieces of the run; a piece that was covered for less than half of its time is
// none.
std::vector<Point> pointsOf(std::span<const SoakSpan> spans, Direction direction)
{
    Duration end{};
    for (const SoakSpan& span : spans) {
        if (span.direction == direction)
            end = std::max(end, span.start + span.length);
    }
    if (end < leastForDrift)
        return {};
    const Duration piece = std::max<Duration>(leastPiece, end / mostPieces);
    struct Sum
    {
        double bytes = 0;
        Duration covered{};
    };
    std::vector<Sum> sums(static_cast<std::size_t>(end / piece) + 1);
    for (const SoakSpan& span : spans) {
        if (span.direction != direction || span.length <= Duration::zero())
            continue;
        Sum& sum = sums[static_cast<std::size_t>((span.start + span.length / 2) / piece)];
        sum.bytes += static_cast<double>(span.bytes.bytes());
        sum.covered += span.length;
    }
    std::vector<Point> points;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i].covered >= piece / 2)
            points.push_back({(static_cast<double>(i) + 0.5) * inSeconds(piece),
                              8 * sums[i].bytes / inSeconds(sums[i].covered)});
    }
    return points;
}

double middle(std::vector<double>& values)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, at);
    return *at;
}

template <typename Value>
std::optional<Value> median(std::vector<Value> values)
{
    if (values.empty())
        return std::nullopt;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, at);
    return *at;
}

std::optional<SoakSide> sideOf(const SoakData& data, Direction direction)
{
    const auto total = std::ranges::find(data.totals, direction, &SoakTotal::direction);
    if (total == data.totals.end())
        return std::nullopt;
    SoakSide side;
    side.received = total->received;
    side.checked = total->checked;
    side.blocks = total->blocks;
    side.corrupted = total->corrupted;
    side.lost = total->lost;
    side.duplicated = total->duplicated;
    side.retransmits = total->retransmits;
    Duration covered{};
    ByteCount bytes;
    std::vector<BitRate> rates;
    std::vector<Duration> rtts;
    for (const SoakSpan& span : data.spans) {
        if (span.direction != direction)
            continue;
        side.least = covered == Duration::zero() ? span.least : std::min(side.least, span.least);
        side.most = std::max(side.most, span.most);
        covered += span.length;
        bytes += span.bytes;
        rates.push_back(span.median);
        if (span.rtt)
            rtts.push_back(*span.rtt);
    }
    if (covered > Duration::zero())
        side.mean = BitRate::of(bytes, covered);
    side.median = median(std::move(rates)).value_or(BitRate());
    side.rtt = median(std::move(rtts));
    side.drift = driftOf(data.spans, direction);
    return side;
}

} // namespace

double SoakDrift::ruledOut() const
{
    return std::max({leastDrift, std::abs(low), std::abs(high)});
}

std::optional<SoakDrift> driftOf(std::span<const SoakSpan> spans, Direction direction)
{
    const std::vector<Point> points = pointsOf(spans, direction);
    const std::size_t count = points.size();
    if (count < fewestPieces)
        return std::nullopt;
    std::vector<double> slopes;
    slopes.reserve(count * (count - 1) / 2);
    std::vector<double> rates;
    for (std::size_t i = 0; i < count; ++i) {
        rates.push_back(points[i].rate);
        for (std::size_t j = i + 1; j < count; ++j)
            slopes.push_back((points[j].rate - points[i].rate) / (points[j].time - points[i].time));
    }
    const double level = middle(rates);
    if (level <= 0)
        return std::nullopt;
    std::ranges::sort(slopes);
    const auto n = static_cast<double>(count);
    const double all = static_cast<double>(slopes.size());
    const double width = 1.96 * std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
    const auto at = [&](double rank) {
        return slopes[static_cast<std::size_t>(std::clamp(std::round(rank), 0.0, all - 1))];
    };
    const double whole = points.back().time - points.front().time;
    SoakDrift drift;
    drift.change = at((all - 1) / 2) * whole / level;
    drift.low = at((all - width) / 2 - 1) * whole / level;
    drift.high = at((all + width) / 2) * whole / level;
    const bool isApart = drift.low > 0 || drift.high < 0;
    drift.isSeen = isApart && std::abs(drift.change) >= leastDrift;
    return drift;
}

SoakSummary summarise(const SoakData& data)
{
    SoakSummary summary;
    summary.forward = sideOf(data, Direction::Forward);
    summary.reverse = sideOf(data, Direction::Reverse);
    for (const SoakTotal& total : data.totals) {
        summary.corrupted += total.corrupted;
        summary.outOfSequence += total.lost + total.duplicated;
    }
    summary.faults = data.stalls + data.dropOuts + summary.corrupted + summary.outOfSequence;
    for (const SoakEvent& event : data.events) {
        if (event.kind == SoakEvent::Kind::Stall)
            summary.longestStall =
                std::max(summary.longestStall.value_or(event.length), event.length);
        if (event.kind == SoakEvent::Kind::DropOut)
            summary.longestDropOut =
                std::max(summary.longestDropOut.value_or(event.length), event.length);
    }
    return summary;
}

} // namespace napkin
