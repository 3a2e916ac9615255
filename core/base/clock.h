// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>

#include <chrono>

namespace napkin {

using SteadyTime = std::chrono::steady_clock::time_point;
using Nanoseconds = std::chrono::nanoseconds;

// The wall clock, replaceable in tests. Intervals are measured with std::chrono::steady_clock,
// never with this.
class Clock
{
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual QDateTime now() const = 0; // UTC, milliseconds
};

class SystemClock final : public Clock
{
public:
    [[nodiscard]] QDateTime now() const override;
};

} // namespace napkin
