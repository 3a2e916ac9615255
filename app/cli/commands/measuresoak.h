// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands/measureoptions.h"
#include "app/cli/context.h"

namespace napkin::cli {

// --resume and --keep: what becomes of a soak whose program was ended.
QCoro::Task<int> settleSoak(std::shared_ptr<const Context> context, MeasureOptions options);

// Before a new soak: those that were interrupted become partial runs, and that is said.
QCoro::Task<Result<void>> keepInterrupted(std::shared_ptr<const Context> context,
                                          std::shared_ptr<Notebook> notebook);

// Says that there are some, and what can be done with them. Nothing where JSON is written. The
// notebook must outlive the task.
QCoro::Task<void> tellInterrupted(std::shared_ptr<const Context> context, Notebook* notebook);

} // namespace napkin::cli
