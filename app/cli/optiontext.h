// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/textreport.h"

namespace napkin::cli {

// The options of a run, one below the other.
void addOptions(Fields& fields, const ProbeOptions& options);

// What makes a run the one it is, within a title: "ICMP, 64 B, at most 5 s".
[[nodiscard]] QString optionsTitle(const ProbeOptions& options);

} // namespace napkin::cli
