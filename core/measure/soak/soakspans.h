// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/soak.h"

namespace napkin::soak {

// One second of one direction, or what is left of one at the end of a connection.
struct Second
{
    Duration start{};
    Duration length{};
    std::int64_t bytes = 0;
    std::optional<std::int64_t> retransmits; // in it
    std::optional<Duration> rtt;
};

// Gathers seconds to spans.
class SpanBuilder
{
public:
    SpanBuilder(Direction direction, Duration spanLength)
        : m_direction(direction)
        , m_spanLength(spanLength)
    {}
    // The span it belongs to, with it: the one of before, grown, or a new one.
    SoakSpan add(const Second& second);

private:
    Direction m_direction;
    Duration m_spanLength;
    SoakSpan m_span; // the newest
    bool m_isOpen = false;
    std::vector<BitRate> m_rates; // of its seconds, in the order of size
    std::vector<Duration> m_rtts;
};

} // namespace napkin::soak
