// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

namespace napkin {

// What a probe of that kind measures, with nothing in it yet.
[[nodiscard]] ProbeData emptyData(ProbeKind kind);

// Adds what came since, as Progress has it, to what there is. Both of one kind.
void append(ProbeData& all, const ProbeData& fresh);

// Whether there is anything that a partial result could be made of.
[[nodiscard]] bool hasMeasured(const ProbeData& data);

} // namespace napkin
