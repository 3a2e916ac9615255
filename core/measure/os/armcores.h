// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace napkin {

// "Cortex-A76" for the numbers in an ARM machine's /proc/cpuinfo ("CPU implementer", "CPU part"); a
// core that is not known is told by its numbers. Source: Arm's and the makers' MIDR_EL1 values, as
// they stand in the Linux kernel's arch/arm64/include/asm/cputype.h.
[[nodiscard]] QString armCoreName(int implementer, int part);

} // namespace napkin
