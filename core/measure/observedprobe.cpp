// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/observedprobe.h"

#include "core/measure/host/hostwatch.h"

#include <utility>

namespace napkin {

ObservedProbe::ObservedProbe(std::shared_ptr<Probe> probe)
    : m_probe(std::move(probe))
{}

QCoro::Task<Result<void>> ObservedProbe::check(ProbeSpec spec, CancelToken cancel)
{
    return m_probe->check(std::move(spec), std::move(cancel));
}

QCoro::Task<Result<ProbeResult>> ObservedProbe::run(ProbeSpec spec, CancelToken cancel,
                                                    ProgressSink sink)
{
    const std::shared_ptr<Probe> probe = m_probe; // this may be gone after a wait
    const std::shared_ptr<HostWatch> watch = co_await HostWatch::begin(cancel);
    if (cancel.stop_requested())
        co_return fail(ErrorCode::Cancelled);
    Result<ProbeResult> result =
        co_await probe->run(std::move(spec), std::move(cancel), std::move(sink));
    if (result && watch) {
        result->conditions.near.facts = watch->facts();
        result->conditions.near.activity = co_await HostWatch::end(watch);
    }
    co_return result;
}

} // namespace napkin
