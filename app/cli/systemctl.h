// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"

#include <QCoroTask>
#include <QStringList>

namespace napkin::cli {

// Runs `systemctl --user ARGUMENTS`, at most 20 s. NotFound when there is no systemctl, Unsupported
// with its own words when it fails (no user manager runs), TimedOut, Cancelled.
[[nodiscard]] QCoro::Task<Result<void>> systemctlUser(QStringList arguments, CancelToken cancel);

} // namespace napkin::cli
