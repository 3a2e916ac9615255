// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/sequence.h"

#include <cmath>

namespace napkin {

using namespace std::chrono_literals;

SequenceTracker::SequenceTracker()
    : m_seen(std::make_unique<std::bitset<window>>())
{}

// The number nearest to the highest so far that ends in these 32 bits.
std::uint64_t SequenceTracker::lengthen(std::uint32_t number) const
{
    const auto ahead = static_cast<std::int32_t>(number - static_cast<std::uint32_t>(m_highest));
    return m_highest + static_cast<std::uint64_t>(static_cast<std::int64_t>(ahead));
}

SequenceTracker::Arrival SequenceTracker::arrived(std::uint64_t number)
{
    if (number == 0 || (number > m_highest && number - m_highest > farthestJump))
        return Arrival::Garbage;
    if (number > m_highest) {
        advance(number);
        ++m_received;
        return Arrival::InOrder;
    }
    if (m_highest - number >= window || m_seen->test(number % window))
        return Arrival::Duplicate;
    m_seen->set(number % window);
    ++m_received;
    ++m_outOfOrder;
    return Arrival::Late;
}

void SequenceTracker::advance(std::uint64_t number)
{
    if (number - m_highest >= window) {
        m_seen->reset();
    } else {
        for (std::uint64_t skipped = m_highest + 1; skipped < number; ++skipped)
            m_seen->reset(skipped % window);
    }
    m_seen->set(number % window);
    m_highest = number;
}

void SequenceTracker::transit(Nanoseconds time)
{
    constexpr double gain = 1.0 / 16;
    constexpr Nanoseconds clockStep = 1s; // a clock was set: no property of the path
    if (m_lastTransit) {
        const Nanoseconds change = time - *m_lastTransit;
        if (change < clockStep && change > -clockStep) {
            const double before = m_jitter.value_or(0);
            m_jitter = before + gain * (std::abs(static_cast<double>(change.count())) - before);
        }
    }
    m_lastTransit = time;
}

std::optional<Nanoseconds> SequenceTracker::jitter() const
{
    if (!m_jitter)
        return std::nullopt;
    return Nanoseconds(std::llround(*m_jitter));
}

} // namespace napkin
