// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/arch/sourcetext.h"

namespace napkin::test {

// No SPDX line within the first two lines.
[[nodiscard]] QStringList licenceFaults(const SourceFile& file);

// More lines than one thing takes.
[[nodiscard]] QStringList lengthFaults(const SourceFile& file);

// Calls that the product must not make: they block, pump events or hide who owns what. For sources
// below app, core and ui.
[[nodiscard]] QStringList bannedCalls(const SourceFile& file);

} // namespace napkin::test
