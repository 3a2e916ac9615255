// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QStringList>

namespace napkin::cli {

// What was measured one by one, as a table; of very many the first, and how many were left out.
[[nodiscard]] QStringList sampleLines(const ProbeData& data);

} // namespace napkin::cli
