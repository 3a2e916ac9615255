// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands/filling.h"
#include "app/cli/commands/measureoptions.h"

namespace napkin::cli {

// The options of the kind that was asked for, as typed.
[[nodiscard]] ProbeOptions probeOptionsFrom(const MeasureOptions& options, Filling& filling);

} // namespace napkin::cli
