// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/pathmtuprobe.h"

#include "core/measure/pathmtu/pathmturun.h"
#include "core/measure/probethread.h"

#include <utility>

namespace napkin {

QCoro::Task<Result<void>> PathMtuProbe::check(ProbeSpec spec, CancelToken cancel)
{
    if (spec.kind() != ProbeKind::PathMtu)
        co_return fail(ErrorCode::InvalidArgument);
    co_return (co_await findRoute(std::move(spec), std::move(cancel))).map([](const Route&) {});
}

QCoro::Task<Result<ProbeResult>> PathMtuProbe::run(ProbeSpec spec, CancelToken cancel,
                                                   ProgressSink sink)
{
    if (spec.kind() != ProbeKind::PathMtu)
        co_return fail(ErrorCode::InvalidArgument);
    const std::optional<DataTicket> held = m_ticket; // the probe may be gone after a wait
    if (sink)
        sink({Phase::Resolving, 0, PathMtuData{}});
    Result<Route> route = co_await findRoute(spec, cancel);
    if (!route)
        co_return tl::unexpected(route.error());
    ProbeJob job = [spec = std::move(spec), route = std::move(*route), cancel,
                    ticket = held](const PathMtuRun::Tell& tell) {
        return PathMtuRun(spec, route, cancel, tell, ticket).run();
    };
    co_return co_await runOnThread(std::move(job), std::move(sink));
}

} // namespace napkin
