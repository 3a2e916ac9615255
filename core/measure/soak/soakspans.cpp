// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakspans.h"

#include <algorithm>

namespace napkin::soak {

namespace {

using namespace std::chrono_literals;

constexpr Duration slack = 500ms; // seconds are not quite a second

template <typename Value>
void insertSorted(std::vector<Value>& values, Value value)
{
    values.insert(std::ranges::upper_bound(values, value), value);
}

} // namespace

SoakSpan SpanBuilder::add(const Second& second)
{
    const Duration end = m_span.start + m_span.length;
    const bool isApart = second.start > end + slack;
    if (!m_isOpen || isApart || m_span.length + slack > m_spanLength) {
        m_span = SoakSpan();
        m_span.direction = m_direction;
        m_span.start = second.start;
        m_rates.clear();
        m_rtts.clear();
        m_isOpen = true;
    }
    m_span.length = std::max(m_span.length, second.start + second.length - m_span.start);
    m_span.bytes += ByteCount::bytes(second.bytes);
    // What is left of a second says little of a rate.
    if (second.length >= slack || m_rates.empty())
        insertSorted(m_rates, BitRate::of(ByteCount::bytes(second.bytes), second.length));
    m_span.least = m_rates.front();
    m_span.median = m_rates[m_rates.size() / 2];
    m_span.most = m_rates.back();
    if (second.retransmits)
        m_span.retransmits = m_span.retransmits.value_or(0) + *second.retransmits;
    if (second.rtt) {
        insertSorted(m_rtts, *second.rtt);
        m_span.rtt = m_rtts[m_rtts.size() / 2];
    }
    return m_span;
}

} // namespace napkin::soak
