// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakprobe.h"

#include "core/measure/soak/soakrun.h"

#include <QCoreApplication>

#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Soak)
};

} // namespace

QCoro::Task<Result<void>> SoakProbe::check(ProbeSpec spec, CancelToken cancel)
{
    if (spec.kind() != ProbeKind::Soak)
        co_return fail(ErrorCode::InvalidArgument);
    co_return (co_await findRoute(std::move(spec), std::move(cancel))).map([](const Route&) {});
}

QCoro::Task<Result<ProbeResult>> SoakProbe::run(ProbeSpec spec, CancelToken cancel,
                                                ProgressSink sink)
{
    if (spec.kind() != ProbeKind::Soak)
        co_return fail(ErrorCode::InvalidArgument);
    if (!m_ticket)
        co_return fail(ErrorCode::Unsupported, spec.far.host,
                       Words::tr("a soak needs a paired machine that runs a Napkin peer at the far "
                                 "end"));
    const DataTicket held = *m_ticket; // the probe may be gone after a wait
    const auto targets = m_targets;
    if (sink)
        sink({Phase::Resolving, 0, SoakData{}});
    Result<Route> route = co_await findRoute(spec, cancel);
    if (!route)
        co_return tl::unexpected(route.error());
    ProbeJob job = [spec = std::move(spec), route = std::move(*route), cancel, ticket = held,
                    targets](const SoakRun::Tell& tell) {
        return SoakRun(spec, route, cancel, tell, ticket, targets).run();
    };
    co_return co_await runOnThread(std::move(job), std::move(sink));
}

} // namespace napkin
