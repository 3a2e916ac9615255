// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"

#include <QCoroTask>
#include <QString>

namespace napkin::cli {

// The first line of standard input, without its end; what follows is left. InvalidArgument when
// there is none or it is longer than 1,000 bytes, TimedOut after ten minutes, Cancelled.
[[nodiscard]] QCoro::Task<Result<QString>> readLine(CancelToken cancel);

} // namespace napkin::cli
