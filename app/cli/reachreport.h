// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/jsonreport.h"
#include "core/measure/reach/reachreport.h"

#include <QString>

namespace napkin::cli {

[[nodiscard]] Json jsonReach(const ReachReport& report);

// What each address answered to, what can be measured now, what each step up brings; for so many
// columns.
[[nodiscard]] QString reachText(const ReachReport& report, int width);

} // namespace napkin::cli
