// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

#include <vector>

namespace napkin {

// The counters of every interface of this machine, as the kernel has them now; empty when it does
// not say. At most 256 interfaces. Dropped packets include those that an adapter missed, as in
// /proc/net/dev. Takes well under a millisecond; not for a GUI thread.
[[nodiscard]] std::vector<InterfaceCounters> readCounters();

} // namespace napkin
