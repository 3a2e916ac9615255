// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

namespace napkin::cli {

// What the program ends with. Part of its interface: documented in the help, the README and the man
// page.
enum class ExitCode {
    Complete = 0,
    InternalFault = 1,
    WrongUse = 2,
    MeasurementFailed = 3, // nothing recorded
    EndedEarly = 4,        // by a fault; a partial run is recorded
    NotebookUnusable = 5,  // or the file of paired machines
    ProblemsFound = 6,
    Interrupted = 130, // by the user
};

// For a fault after which nothing was recorded.
[[nodiscard]] ExitCode exitCodeFor(const Error& error);

} // namespace napkin::cli
