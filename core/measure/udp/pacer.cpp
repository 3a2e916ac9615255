// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/pacer.h"

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

constexpr double burstTime = 1e6; // ns
constexpr double grainTime = 2e5;
constexpr double mostBehind = 2.5e8;
constexpr double haste = 4; // times the rate, when catching up
constexpr Nanoseconds shortestSleep{100'000};
constexpr int unlimitedBurst = 64;

} // namespace

Pacer::Pacer(std::uint64_t bitsPerSecond, int datagramSize, SteadyTime start)
    : m_start(start)
    , m_notBefore(start)
    , m_burst(unlimitedBurst)
{
    if (bitsPerSecond == 0)
        return;
    m_interval = datagramSize * 8e9 / static_cast<double>(bitsPerSecond);
    m_burst = std::max(1, static_cast<int>(burstTime / m_interval));
    m_grain = std::clamp(static_cast<int>(grainTime / m_interval), 1, m_burst);
}

Nanoseconds Pacer::timeOf(double datagrams) const
{
    return Nanoseconds(std::llround(datagrams * m_interval));
}

int Pacer::allowance(SteadyTime now)
{
    if (m_interval <= 0)
        return m_burst;
    if (now < m_notBefore)
        return 0;
    const auto elapsed = static_cast<double>(Nanoseconds(now - m_start).count());
    m_due = std::max(m_due, elapsed - mostBehind);
    constexpr double rounding = 0.01;
    const double owed = (elapsed - m_due) / m_interval + 1 + rounding;
    if (owed < m_grain)
        return 0;
    return static_cast<int>(std::min<double>(owed, m_burst));
}

void Pacer::sent(int count, SteadyTime now)
{
    if (m_interval <= 0)
        return;
    m_due += count * m_interval;
    m_notBefore = now + timeOf(count / haste);
}

bool Pacer::maySleep(SteadyTime now) const
{
    return next() - now >= shortestSleep;
}

SteadyTime Pacer::next() const
{
    const double due = m_due + (m_grain - 1) * m_interval;
    return std::max(m_notBefore, m_start + Nanoseconds(std::llround(due)));
}

} // namespace napkin
