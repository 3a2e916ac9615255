// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QList>
#include <QPointF>

#include <optional>
#include <span>
#include <vector>

namespace napkin {

// The samples of a run, made fit for a chart: the streams of a direction added up over even steps
// of time, at most 2,000 of them. A step that was not covered is a gap, never a zero.
class RateHistory
{
public:
    static constexpr int mostPoints = 2'000;

    RateHistory() = default;
    // `streams` per direction; `expected` is the whole run with its omit period.
    RateHistory(int streams, Duration expected);

    void add(std::span<const ThroughputSample> samples);

    // (seconds, bits per second) in runs without a gap.
    [[nodiscard]] std::vector<QList<QPointF>> segments(Direction direction) const;
    // Of the newest whole step; nullopt before the first.
    [[nodiscard]] std::optional<BitRate> newest(Direction direction) const;
    [[nodiscard]] std::optional<BitRate> at(Direction direction,
                                            double time) const;    // seconds
    [[nodiscard]] double omitUntil() const { return m_omitUntil; } // seconds
    [[nodiscard]] double end() const;     // seconds, of the last whole step
    [[nodiscard]] double highest() const; // bits per second
    [[nodiscard]] bool isEmpty() const { return end() <= 0; }

private:
    struct Step
    {
        double bytes = 0;
        double covered = 0; // seconds, all streams
    };
    [[nodiscard]] const std::vector<Step>& steps(Direction direction) const;
    [[nodiscard]] std::optional<double> rate(const std::vector<Step>& steps, std::size_t i) const;

    double m_width = 0.1; // seconds
    int m_streams = 1;
    double m_omitUntil = 0;
    std::vector<Step> m_forward;
    std::vector<Step> m_reverse;
};

} // namespace napkin
