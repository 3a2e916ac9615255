// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <algorithm>

namespace napkin {

// A point in time by which something must have ended. A value; copies are independent.
class Deadline
{
public:
    explicit Deadline(std::chrono::steady_clock::duration fromNow)
        : m_end(std::chrono::steady_clock::now() + fromNow)
    {}
    explicit Deadline(SteadyTime end)
        : m_end(end)
    {}

    [[nodiscard]] SteadyTime end() const { return m_end; }
    [[nodiscard]] bool hasPassed() const { return std::chrono::steady_clock::now() >= m_end; }

    // Rounded up to whole milliseconds, never negative: fit for poll() and QTimer.
    [[nodiscard]] std::chrono::milliseconds remaining() const
    {
        const auto left = m_end - std::chrono::steady_clock::now();
        return std::max(std::chrono::milliseconds(0),
                        std::chrono::ceil<std::chrono::milliseconds>(left));
    }
    // The earlier of this and `fromNow`.
    [[nodiscard]] Deadline within(std::chrono::steady_clock::duration fromNow) const
    {
        return Deadline(std::min(m_end, std::chrono::steady_clock::now() + fromNow));
    }

private:
    SteadyTime m_end;
};

} // namespace napkin
