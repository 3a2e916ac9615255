// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

namespace napkin {

// Keeps count of numbered datagrams (1, 2, 3, ...) as they come in. A gap is a loss; who comes late
// takes a loss back. Not thread-safe.
class SequenceTracker
{
public:
    SequenceTracker();

    enum class Arrival {
        InOrder,   // or after a gap
        Late,      // out of order: counted, and a loss taken back
        Duplicate, // had come before: not counted
        Garbage,   // a number that no sender can have reached: not counted
    };
    Arrival arrived(std::uint64_t number);
    // For numbers of 32 bits, which start anew after 4,294,967,295.
    Arrival arrivedShort(std::uint32_t number) { return arrived(lengthen(number)); }

    // The time from sending to arrival, by any two clocks that run at the same pace.
    void transit(Nanoseconds time);

    [[nodiscard]] std::int64_t highest() const { return static_cast<std::int64_t>(m_highest); }
    [[nodiscard]] std::int64_t received() const { return m_received; } // late ones too
    [[nodiscard]] std::int64_t lost() const { return highest() - m_received; }
    [[nodiscard]] std::int64_t outOfOrder() const { return m_outOfOrder; }
    // Interarrival jitter, RFC 1889 section 6.3.1: smoothed with a gain of 1/16. Nullopt before the
    // second datagram.
    [[nodiscard]] std::optional<Nanoseconds> jitter() const;

private:
    // So far back a duplicate is told from a late one; older ones count as duplicates, so that no
    // loss is taken back twice.
    static constexpr std::uint64_t window = 1 << 16;
    static constexpr std::uint64_t farthestJump = 1ULL << 31;

    [[nodiscard]] std::uint64_t lengthen(std::uint32_t number) const;
    void advance(std::uint64_t number);

    std::unique_ptr<std::bitset<window>> m_seen; // by number modulo window
    std::uint64_t m_highest = 0;
    std::int64_t m_received = 0;
    std::int64_t m_outOfOrder = 0;
    std::optional<Nanoseconds> m_lastTransit;
    std::optional<double> m_jitter; // ns
};

} // namespace napkin
