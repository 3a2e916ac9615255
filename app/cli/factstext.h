// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

#include <QString>

namespace napkin::cli {

// What is known of a machine, in sections of at most `width` columns: the machine, its interfaces
// as a table, each of them that has something more to tell, the default routes. What could not be
// read says why.
[[nodiscard]] QString factsText(const HostFacts& facts, int width);

} // namespace napkin::cli
