// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/certainty.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace napkin {

namespace {

constexpr double asked = 0.01;         // of the mean: what is sure enough
constexpr double unrest = 0.02;        // of the mean: what no steady link shows
constexpr double parsimony = 3;        // of the least error: as good, and cuts less
constexpr double chance = 2;           // standard errors that chance explains
constexpr double beyondDoubt = 3;      // standard errors that it does not
constexpr std::size_t mserBatch = 5;   // MSER-5
constexpr std::size_t batchCount = 10; // for the interval
constexpr std::size_t fewest = 40;     // left after the cut
constexpr double fewestEffective = 15; // of independent values
constexpr double persistence = 0.5;    // lag-1 correlation above which a link swings

double meanOf(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

double squaresAround(std::span<const double> values, double mean)
{
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return sum;
}

// The means of `count` equally long pieces; what does not fit is left out at the start.
std::vector<double> pieces(std::span<const double> values, std::size_t count)
{
    const std::size_t length = values.size() / count;
    values = values.last(length * count);
    std::vector<double> means;
    means.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        means.push_back(meanOf(values.subspan(i * length, length)));
    return means;
}

struct Cut
{
    std::size_t values = 0;
    bool isAtBound = false;
};

// MSER-5 (White 1997; White, Cobb and Spratt 2000): of all truncation points of the series of means
// of five, the one whose rest has the least squared standard error; at most half is cut. Of points
// that are nearly as good the first is taken: on plain noise the least one lies anywhere.
Cut warmUpCut(std::span<const double> values)
{
    const std::size_t count = values.size() / mserBatch;
    if (count < 4)
        return {};
    const std::vector<double> means = pieces(values.first(count * mserBatch), count);
    const double centre = meanOf(means); // the sums below lose no digits
    const std::size_t most = count / 2;
    std::vector<double> errors(most + 1);
    double sum = 0;
    double squares = 0;
    for (std::size_t from = count; from-- > 0;) {
        const double value = means[from] - centre;
        sum += value;
        squares += value * value;
        const auto n = static_cast<double>(count - from);
        if (from <= most)
            errors[from] = std::max(0.0, squares - sum * sum / n) / (n * n);
    }
    const double least = std::ranges::min(errors);
    const auto first =
        std::ranges::find_if(errors, [least](double error) { return error <= parsimony * least; });
    const auto best = static_cast<std::size_t>(first - errors.begin());
    return {best * mserBatch, best == most};
}

double lagOne(std::span<const double> values, double mean, double squares)
{
    if (squares <= 0)
        return 0;
    double products = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        products += (values[i] - mean) * (values[i - 1] - mean);
    return products / squares;
}

// 97.5 % of Student's t: Abramowitz and Stegun 26.7.5, within 0.001 from nine degrees on.
double studentT(double freedom)
{
    constexpr double z = 1.959964;
    constexpr double z3 = z * z * z;
    constexpr double z5 = z3 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

// A correlation within what chance makes is taken for none. One beyond that is freed of the bias of
// short series (Marriott and Pope 1954, Kendall 1954) and taken at its upper bound: in a short
// piece of what swings slowly it comes out too small.
double pessimistic(double r, double n)
{
    if (r * std::sqrt(n) <= chance)
        return 0;
    return std::min(0.99, r + (1 + 3 * r) / n + 1.5 * std::sqrt((1 - r * r) / n));
}

struct Spread
{
    double deviation = 0;   // standard, of one value
    double correlation = 0; // lag-1
    double error = 0;       // standard, of the mean
    double freedom = 0;     // degrees of, that the error is known with
    double effective = 0;   // independent values that would tell as much
};

Spread spreadOf(std::span<const double> values, double mean)
{
    const auto n = static_cast<double>(values.size());
    const double squares = squaresAround(values, mean);
    const double r = lagOne(values, mean, squares);
    const double deviation = std::sqrt(squares / (n - 1));
    if (r * std::sqrt(n) < -chance) {
        // Grains: what is too much in one interval lacks in the next. Pieces see less of that, and
        // independent values would know the mean no better.
        const std::vector<double> means = pieces(values, batchCount);
        const double variance = squaresAround(means, meanOf(means)) / (batchCount - 1);
        const double ofPieces = std::sqrt(variance / batchCount);
        const double ofValues = deviation / std::sqrt(n);
        return studentT(batchCount - 1) * ofPieces < studentT(n - 1) * ofValues
                   ? Spread{deviation, r, ofPieces, batchCount - 1, n}
                   : Spread{deviation, r, ofValues, n - 1, n};
    }
    // The mean of a series with AR(1): its variance is that of independent values times
    // (1 + r) / (1 - r) (Bartlett 1946).
    const double rho = pessimistic(r, n);
    const double effective = n * (1 - rho) / (1 + rho);
    return {deviation, r, deviation / std::sqrt(effective), std::max(1.0, effective - 1),
            effective};
}

double halvesDiffer(std::span<const double> values)
{
    const std::size_t half = values.size() / 2;
    return std::abs(meanOf(values.first(half)) - meanOf(values.last(half)));
}

// More than chance, and more than matters: the halves differ, or what is high stays high for long.
bool isRestless(std::span<const double> values, double mean, const Spread& spread)
{
    const double difference = halvesDiffer(values); // twice as uncertain as the mean
    if (difference > unrest * mean && difference > beyondDoubt * 2 * spread.error)
        return true;
    return spread.deviation > unrest * mean && spread.correlation > persistence;
}

// So steady that nothing that is cut would matter.
bool isLevel(std::span<const double> values)
{
    if (values.size() < batchCount)
        return false;
    const auto [low, high] = std::ranges::minmax(pieces(values, batchCount));
    return high - low <= asked * low;
}

} // namespace

Certainty certaintyOf(std::span<const double> values)
{
    Certainty certainty;
    if (values.empty())
        return certainty;
    Cut cut = warmUpCut(values);
    if (cut.isAtBound && isLevel(values))
        cut = {};
    const std::span<const double> rest = values.subspan(cut.values);
    const auto [low, high] = std::ranges::minmax(rest);
    certainty.warmUp = cut.values;
    certainty.mean = meanOf(rest);
    certainty.lowest = low;
    certainty.highest = high;
    if (rest.size() < fewest || !(certainty.mean > 0) || !std::isfinite(certainty.mean))
        return certainty;
    const Spread spread = spreadOf(rest, certainty.mean);
    if (cut.isAtBound || isRestless(rest, certainty.mean, spread)) {
        certainty.verdict = Certainty::Verdict::NotSteady;
        return certainty;
    }
    const double allowed = asked * certainty.mean;
    double halfWidth = studentT(spread.freedom) * spread.error;
    // Where single values are as good as what is asked for, nothing more needs to be known of them.
    const bool isLevelAnyway = 3 * spread.deviation <= allowed;
    if (isLevelAnyway)
        halfWidth = std::min(halfWidth, 3 * spread.deviation);
    certainty.halfWidth = std::max(halfWidth, allowed);
    if (halfWidth <= allowed && (spread.effective >= fewestEffective || isLevelAnyway) &&
        halvesDiffer(rest) <= unrest * certainty.mean)
        certainty.verdict = Certainty::Verdict::Sure;
    return certainty;
}

} // namespace napkin
