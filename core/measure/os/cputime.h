// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QString>

#include <cstdint>
#include <map>
#include <optional>

namespace napkin {

// Time of a core since the machine started, in the kernel's ticks.
struct CoreTime
{
    std::uint64_t busy = 0; // time taken away by a hypervisor too
    std::uint64_t idle = 0; // waiting for a disk too
};
using CoreTimes = std::map<int, CoreTime>; // by the number of the core

// At most 1,024 cores; empty when it cannot be read. `root` is the file system's, "/" but in tests.
[[nodiscard]] CoreTimes readCoreTimes(const QString& root = QStringLiteral("/"));

// Processor time of all programs since the machine started, of all cores together: without what the
// kernel does for interrupts, and without what a hypervisor took. Nullopt when it cannot be read.
[[nodiscard]] std::optional<Duration> readProgramTime(const QString& root = QStringLiteral("/"));

// How busy the busiest core was in between; nullopt when no core was there both times for at least
// ten ticks (100 ms).
[[nodiscard]] std::optional<Ratio> busiestCore(const CoreTimes& before, const CoreTimes& after);

} // namespace napkin
