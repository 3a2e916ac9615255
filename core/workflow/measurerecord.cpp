// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/measurerecord.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace napkin {

namespace {

using Recorded = std::function<void(int, std::int64_t, const ProbeResult&)>;
using Unrecorded = std::function<void(int, const ProbeResult&)>;

// The link that is still to be created, until the first record has done it.
using NewLink = std::shared_ptr<std::optional<LinkEntry>>;

// A run whose bytes took another wire says nothing of the link it was meant for.
void fileWhereItBelongs(ProbeResult& result)
{
    const bool isElsewhere = std::ranges::any_of(result.quality, [](const QualityNote& note) {
        return note.flag == QualityFlag::WrongInterface;
    });
    if (!isElsewhere || !result.spec.link)
        return;
    result.spec.intendedLink = std::exchange(result.spec.link, std::nullopt);
    result.spec.linkPeriod.reset();
}

QCoro::Task<Result<void>> keep(Notebook* notebook, int index, ProbeResult result, NewLink newLink,
                               Recorded recorded, Unrecorded unrecorded)
{
    fileWhereItBelongs(result);
    const std::optional<LinkEntry> link = result.spec.link ? *newLink : std::nullopt;
    const auto number = co_await notebook->record(result, link);
    if (number && link)
        newLink->reset();
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
                                             MeasureEvents events, std::optional<LinkEntry> newLink)
{
    SessionEvents session;
    session.started = std::move(events.started);
    session.progress = std::move(events.progress);
    session.failed = std::move(events.failed);
    const auto pending = std::make_shared<std::optional<LinkEntry>>(std::move(newLink));
    session.finished = [notebook, pending, recorded = std::move(events.recorded),
                        unrecorded = std::move(events.unrecorded)](int index, ProbeResult result) {
        return keep(notebook, index, std::move(result), pending, recorded, unrecorded);
    };
    co_return co_await runSession(std::move(probes), std::move(specs), std::move(cancel),
                                  std::move(session));
}

} // namespace napkin
