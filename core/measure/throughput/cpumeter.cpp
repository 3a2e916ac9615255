// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/cpumeter.h"

#include <sys/resource.h>

namespace napkin {

namespace {

Duration toDuration(const timeval& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

} // namespace

CpuMeter::CpuMeter()
    : m_start(read())
{}

CpuMeter::Reading CpuMeter::read()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {std::chrono::steady_clock::now(), toDuration(usage.ru_utime),
            toDuration(usage.ru_stime)};
}

CpuUse CpuMeter::use() const
{
    const Reading now = read();
    const double wall = std::chrono::duration<double>(now.wall - m_start.wall).count();
    if (wall <= 0)
        return {};
    const double user = std::chrono::duration<double>(now.user - m_start.user).count() / wall;
    const double system = std::chrono::duration<double>(now.system - m_start.system).count() / wall;
    return {Ratio::of(user + system), Ratio::of(user), Ratio::of(system)};
}

} // namespace napkin
