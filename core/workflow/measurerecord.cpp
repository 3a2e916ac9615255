// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/measurerecord.h"

#include <utility>

namespace napkin {

namespace {

using Recorded = std::function<void(int, std::int64_t, const ProbeResult&)>;
using Unrecorded = std::function<void(int, const ProbeResult&)>;

QCoro::Task<Result<void>> keep(Notebook* notebook, int index, ProbeResult result, Recorded recorded,
                               Unrecorded unrecorded)
{
    const auto number = co_await notebook->record(result);
    if (!number) {
        if (unrecorded)
            unrecorded(index, result);
        co_return tl::unexpected(number.error());
    }
    if (recorded)
        recorded(index, *number, result);
    co_return Result<void>{};
}

} // namespace

QCoro::Task<SessionOutcome> measureAndRecord(ProbeSet probes, std::vector<ProbeSpec> specs,
                                             Notebook* notebook, CancelToken cancel,
                                             MeasureEvents events)
{
    SessionEvents session;
    session.started = std::move(events.started);
    session.progress = std::move(events.progress);
    session.failed = std::move(events.failed);
    session.finished = [notebook, recorded = std::move(events.recorded),
                        unrecorded = std::move(events.unrecorded)](int index, ProbeResult result) {
        return keep(notebook, index, std::move(result), recorded, unrecorded);
    };
    co_return co_await runSession(std::move(probes), std::move(specs), std::move(cancel),
                                  std::move(session));
}

} // namespace napkin
