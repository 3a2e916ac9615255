// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/results/result.h"

#include <QCoroTask>

#include <functional>

namespace napkin {

// The blocking part of a probe: runs on a thread of its own, tells progress through its argument,
// watches its own token.
using ProbeJob = std::function<Result<ProbeResult>(std::function<void(Progress)> tell)>;

// Runs `job` on a new thread, hands its progress to `sink` on this thread, in order, and ends when
// the job has ended. An exception that escapes the job becomes OutOfMemory
// or Internal.
QCoro::Task<Result<ProbeResult>> runOnThread(ProbeJob job, ProgressSink sink);

} // namespace napkin
