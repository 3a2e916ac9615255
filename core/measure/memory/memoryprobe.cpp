// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/memory/memoryprobe.h"

#include "core/measure/memory/memoryrun.h"
#include "core/measure/offthread.h"
#include "core/measure/probethread.h"

#include <utility>

namespace napkin {

QCoro::Task<Result<void>> MemoryProbe::check(ProbeSpec spec, CancelToken cancel)
{
    if (spec.kind() != ProbeKind::Memory)
        co_return fail(ErrorCode::InvalidArgument);
    if (const auto valid = validate(spec); !valid)
        co_return valid;
    const std::function<Result<MemoryPlan>()> plan =
        [options = std::get<MemoryOptions>(spec.options)] { return planMemory(options); };
    const auto planned = co_await offThread<Result<MemoryPlan>>(plan, cancel);
    if (!planned)
        co_return fail(cancel.stop_requested() ? ErrorCode::Cancelled : ErrorCode::OutOfMemory);
    co_return planned->map([](const MemoryPlan&) {});
}

QCoro::Task<Result<ProbeResult>> MemoryProbe::run(ProbeSpec spec, CancelToken cancel,
                                                  ProgressSink sink)
{
    if (spec.kind() != ProbeKind::Memory)
        co_return fail(ErrorCode::InvalidArgument);
    if (const auto valid = validate(spec); !valid)
        co_return tl::unexpected(valid.error());
    ProbeJob job = [spec = std::move(spec),
                    cancel](const MemoryRun::Tell& tell) -> Result<ProbeResult> {
        const auto plan = planMemory(std::get<MemoryOptions>(spec.options));
        if (!plan)
            return tl::unexpected(plan.error());
        return MemoryRun(spec, *plan, cancel, tell).run();
    };
    co_return co_await runOnThread(std::move(job), std::move(sink));
}

} // namespace napkin
