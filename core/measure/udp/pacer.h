// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <cstdint>

namespace napkin {

// When how many datagrams may be sent so that a rate is held: a token bucket. A sender that was
// kept from sending catches up at four times the rate, up to 250 ms' worth; more is given up. Works
// with the times that it is told. Not thread-safe.
class Pacer
{
public:
    // 0 bit/s: as many as go.
    Pacer(std::uint64_t bitsPerSecond, int datagramSize, SteadyTime start);

    // At most about 1 ms' worth at a time, and at least one; 0: not before next().
    [[nodiscard]] int allowance(SteadyTime now);
    void sent(int count, SteadyTime now);
    [[nodiscard]] SteadyTime next() const;
    // False: the wait is too short for a sleep: look again at once.
    [[nodiscard]] bool maySleep(SteadyTime now) const;

private:
    [[nodiscard]] Nanoseconds timeOf(double datagrams) const;

    double m_interval = 0; // ns from one datagram to the next
    SteadyTime m_start;
    double m_due = 0;       // ns since the start at which the next datagram is due
    SteadyTime m_notBefore; // after a burst
    int m_burst = 0;
    int m_grain = 1; // so many at a time, for fewer wake-ups
};

} // namespace napkin
