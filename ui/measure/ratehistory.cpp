// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/ratehistory.h"

#include <algorithm>
#include <cmath>

namespace napkin {

RateHistory::RateHistory(int streams, Duration expected)
    : m_streams(std::max(1, streams))
{
    // Whole tenths, so that samples of a tenth fall into one step each.
    const double tenths = std::ceil(inSeconds(expected) * 10 / mostPoints);
    m_width = std::max(1.0, tenths) / 10;
}

void RateHistory::add(std::span<const ThroughputSample> samples)
{
    for (const ThroughputSample& sample : samples) {
        const double from = inSeconds(sample.start);
        const double length = inSeconds(sample.length);
        if (length <= 0 || from < 0)
            continue;
        auto& steps = sample.direction == Direction::Forward ? m_forward : m_reverse;
        const double to = from + length;
        const auto first = static_cast<std::size_t>(from / m_width);
        const auto last = static_cast<std::size_t>(to / m_width);
        if (last >= steps.size() && last < 4 * mostPoints)
            steps.resize(last + 1);
        for (std::size_t i = first; i <= last && i < steps.size(); ++i) {
            const double begin = static_cast<double>(i) * m_width;
            const double overlap = std::min(to, begin + m_width) - std::max(from, begin);
            if (overlap <= 0)
                continue;
            steps[i].bytes += static_cast<double>(sample.bytes.bytes()) * overlap / length;
            steps[i].covered += overlap;
        }
        if (sample.omitted)
            m_omitUntil = std::max(m_omitUntil, to);
    }
}

const std::vector<RateHistory::Step>& RateHistory::steps(Direction direction) const
{
    return direction == Direction::Forward ? m_forward : m_reverse;
}

std::optional<double> RateHistory::rate(const std::vector<Step>& steps, std::size_t i) const
{
    const Step& step = steps[i];
    // The newest step is only whole when all streams have told; an older one may lack a little.
    const double least = i + 1 == steps.size() ? 0.9 : 0.5;
    if (step.covered < least * m_width * m_streams)
        return std::nullopt;
    return step.bytes * 8 * m_streams / step.covered;
}

std::vector<QList<QPointF>> RateHistory::segments(Direction direction) const
{
    const auto& all = steps(direction);
    std::vector<QList<QPointF>> result;
    bool open = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto value = rate(all, i);
        if (!value) {
            open = false;
            continue;
        }
        if (!open)
            result.emplace_back();
        open = true;
        result.back().append({(static_cast<double>(i) + 0.5) * m_width, *value});
    }
    return result;
}

std::optional<BitRate> RateHistory::newest(Direction direction) const
{
    const auto& all = steps(direction);
    for (std::size_t i = all.size(); i > 0; --i) {
        if (const auto value = rate(all, i - 1))
            return BitRate::bitsPerSecond(std::llround(*value));
    }
    return std::nullopt;
}

std::optional<BitRate> RateHistory::at(Direction direction, double time) const
{
    const auto& all = steps(direction);
    const auto i = static_cast<std::size_t>(std::max(0.0, time) / m_width);
    if (i >= all.size())
        return std::nullopt;
    if (const auto value = rate(all, i))
        return BitRate::bitsPerSecond(std::llround(*value));
    return std::nullopt;
}

double RateHistory::end() const
{
    double latest = 0;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const auto& all = steps(direction);
        for (std::size_t i = all.size(); i > 0; --i) {
            if (rate(all, i - 1)) {
                latest = std::max(latest, static_cast<double>(i) * m_width);
                break;
            }
        }
    }
    return latest;
}

double RateHistory::highest() const
{
    double most = 0;
    for (const auto* all : {&m_forward, &m_reverse}) {
        for (std::size_t i = 0; i < all->size(); ++i)
            most = std::max(most, rate(*all, i).value_or(0));
    }
    return most;
}

} // namespace napkin
