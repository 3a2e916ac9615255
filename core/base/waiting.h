// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"

#include <QCoroTask>

#include <chrono>

namespace napkin {

// Ends after `time`, or with Cancelled as soon as the token says so. Needs a running event loop.
QCoro::Task<Result<void>> sleepFor(std::chrono::milliseconds time, CancelToken token);

} // namespace napkin
