// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/waiting.h"

#include "core/base/gate.h"

namespace napkin {

QCoro::Task<Result<void>> sleepFor(std::chrono::milliseconds time, CancelToken token)
{
    Gate gate;
    gate.after(time).on(std::move(token));
    if (co_await gate == Gate::Opened::Cancelled)
        co_return fail(ErrorCode::Cancelled);
    co_return Result<void>{};
}

} // namespace napkin
