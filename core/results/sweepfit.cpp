// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/sweepfit.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

namespace napkin::detail {

namespace {

constexpr double tolerance = 0.20; // of the fit: what still counts as on the line
constexpr std::size_t fewestSizes = 5;
constexpr std::size_t confirming = 3; // sizes in a row that make a break
constexpr int resamples = 300;
constexpr std::uint64_t seed = 20'240'229; // any: the same data give the same interval

struct Point
{
    double size = 0;
    double median = 0;
};

struct Line
{
    double intercept = 0;
    double slope = 0;
    [[nodiscard]] double at(double size) const { return intercept + slope * size; }
};

double medianOf(std::vector<double>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Least squares of the relative residuals: small and large sizes count alike.
std::optional<Line> fitLine(std::span<const Point> points)
{
    double w = 0;
    double x = 0;
    double y = 0;
    for (const Point& point : points) {
        const double weight = 1 / (point.median * point.median);
        w += weight;
        x += weight * point.size;
        y += weight * point.median;
    }
    x /= w;
    y /= w;
    double xx = 0;
    double xy = 0;
    for (const Point& point : points) {
        const double weight = 1 / (point.median * point.median);
        xx += weight * (point.size - x) * (point.size - x);
        xy += weight * (point.size - x) * (point.median - y);
    }
    const double slope = xy / xx;
    if (!(slope > 0) || !std::isfinite(slope))
        return std::nullopt;
    return Line{y - slope * x, slope};
}

double residual(const Line& line, const Point& point)
{
    return point.median / line.at(point.size) - 1;
}

double largestResidual(const Line& line, std::span<const Point> points)
{
    double largest = 0;
    for (const Point& point : points) {
        const double off = line.at(point.size) > 0 ? std::abs(residual(line, point)) : 1;
        largest = std::max(largest, off);
    }
    return largest;
}

bool isOnLine(const Line& line, std::span<const Point> points)
{
    return largestResidual(line, points) <= tolerance;
}

// The most sizes, from the smallest on, that one line describes to within the tolerance.
std::size_t straightPart(std::span<const Point> points)
{
    for (std::size_t count = points.size(); count >= fewestSizes; --count) {
        const auto line = fitLine(points.first(count));
        if (line && isOnLine(*line, points.first(count)))
            return count;
    }
    return 0;
}

std::vector<Point> mediansOf(const std::vector<SizeTimes>& sizes)
{
    std::vector<Point> points;
    for (const SizeTimes& size : sizes) {
        std::vector<double> times = size.times;
        points.push_back({size.size, std::max(1.0, medianOf(times))});
    }
    return points;
}

struct Breaks
{
    std::vector<ByteCount> sizes;
    // Where the straight part begins that reaches from the last break to the largest size.
    std::optional<std::size_t> tail;
};

// Where the medians leave the line and stay away; then the same with the line of what follows.
Breaks breaksOf(std::span<const Point> points, std::size_t straight, Line line)
{
    Breaks breaks;
    std::size_t from = straight;
    while (from < points.size()) {
        const auto rest = points.subspan(from);
        const auto first = std::ranges::find_if(rest, [&line](const Point& point) {
            return std::abs(residual(line, point)) > tolerance;
        });
        const auto left = static_cast<std::size_t>(rest.end() - first);
        const auto confirmed = std::min(left, confirming);
        if (left == 0)
            break;
        const bool stays = std::all_of(
            first, first + static_cast<std::ptrdiff_t>(confirmed),
            [&line](const Point& point) { return std::abs(residual(line, point)) > tolerance; });
        from = points.size() - left;
        if (!stays) {
            ++from;
            continue;
        }
        breaks.sizes.push_back(ByteCount::bytes(std::llround(first->size)));
        const std::size_t next = straightPart(points.subspan(from));
        const auto nextLine = next == 0 ? std::nullopt : fitLine(points.subspan(from, next));
        if (!nextLine)
            break;
        line = *nextLine;
        if (from + next == points.size())
            breaks.tail = from;
        from += next;
    }
    return breaks;
}

struct Intervals
{
    std::vector<double> intercepts;
    std::vector<double> slopes;
};

// Rounds are drawn with replacement, whole: what disturbs a round disturbs all its sizes.
Intervals resampled(std::span<const SizeTimes> sizes)
{
    std::size_t rounds = 0;
    for (const SizeTimes& size : sizes)
        rounds = std::max(rounds, size.times.size());
    std::mt19937_64 random(seed);
    Intervals all;
    std::vector<std::size_t> drawn(rounds);
    std::vector<double> times;
    std::vector<Point> points(sizes.size());
    for (int i = 0; i < resamples; ++i) {
        for (std::size_t& round : drawn)
            round = random() % rounds;
        for (std::size_t s = 0; s < sizes.size(); ++s) {
            times.clear();
            for (const std::size_t round : drawn)
                times.push_back(sizes[s].times[round % sizes[s].times.size()]);
            points[s] = {sizes[s].size, std::max(1.0, medianOf(times))};
        }
        if (const auto line = fitLine(points)) {
            all.intercepts.push_back(line->intercept);
            all.slopes.push_back(line->slope);
        }
    }
    return all;
}

double percentile(std::vector<double>& values, double share)
{
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

// Of an RTT's; never negative, as an end of an interval may come out.
Duration oneWay(double intercept)
{
    return Duration(std::llround(std::max(0.0, intercept) / 2));
}

ByteRate rateOf(double slope)
{
    // Of an RTT, nanoseconds a byte both ways.
    return ByteRate::bytesPerSecond(std::llround(std::min(9e18, 2e9 / slope)));
}

std::optional<SweepFit::Tail> tailOf(std::span<const SizeTimes> sizes,
                                     std::span<const Point> points)
{
    const auto line = fitLine(points);
    if (!line)
        return std::nullopt;
    std::vector<double> slopes = resampled(sizes).slopes;
    slopes.push_back(line->slope);
    return SweepFit::Tail{ByteCount::bytes(std::llround(points.front().size)), rateOf(line->slope),
                          rateOf(percentile(slopes, 0.975)), rateOf(percentile(slopes, 0.025))};
}

} // namespace

std::optional<FittedSizes> fitSizes(const std::vector<SizeTimes>& sizes)
{
    const std::vector<Point> all = mediansOf(sizes);
    const std::span<const Point> points(all);
    const std::size_t straight = straightPart(points);
    const auto line = straight == 0 ? std::nullopt : fitLine(points.first(straight));
    if (!line)
        return std::nullopt;
    FittedSizes fitted{{}, straight, line->intercept, line->slope};
    if (line->intercept > 0)
        fitted.fit.alpha = oneWay(line->intercept);
    fitted.fit.beta = rateOf(line->slope);
    fitted.fit.largestResidual = largestResidual(*line, points.first(straight));
    const Breaks breaks = breaksOf(points, straight, *line);
    fitted.fit.breaks = breaks.sizes;
    if (breaks.tail)
        fitted.fit.tail =
            tailOf(std::span(sizes).subspan(*breaks.tail), points.subspan(*breaks.tail));
    Intervals spread = resampled(std::span(sizes).first(straight));
    spread.intercepts.push_back(line->intercept);
    spread.slopes.push_back(line->slope);
    fitted.fit.alphaLow = oneWay(percentile(spread.intercepts, 0.025));
    fitted.fit.alphaHigh = oneWay(percentile(spread.intercepts, 0.975));
    fitted.fit.betaLow = rateOf(percentile(spread.slopes, 0.975));
    fitted.fit.betaHigh = rateOf(percentile(spread.slopes, 0.025));
    return fitted;
}

} // namespace napkin::detail
