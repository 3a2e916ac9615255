// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/results/result.h"

namespace napkin {

// CPU time of this process from construction on, all threads.
class CpuMeter
{
public:
    CpuMeter();
    [[nodiscard]] CpuUse use() const; // as a share of one core

private:
    struct Reading
    {
        SteadyTime wall;
        Duration user{};
        Duration system{};
    };
    [[nodiscard]] static Reading read();
    Reading m_start;
};

} // namespace napkin
