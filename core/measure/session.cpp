// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/session.h"

#include "core/base/clock.h"
#include "core/measure/localprobe.h"

#include <utility>

namespace napkin {

namespace {

// Everything a record says about how it came to be, filled in one place.
void stamp(ProbeResult& result, const QDateTime& startedAt)
{
    result.id = RecordId::create();
    result.startedAt = startedAt;
    result.endedAt = SystemClock().now();
    result.tool = QStringLiteral("napkin");
    result.toolVersion = QStringLiteral(NAPKIN_VERSION);
    result.quality = assessQuality(result);
}

QCoro::Task<Result<void>> checkAll(ProbeSet probes, std::vector<ProbeSpec> specs,
                                   CancelToken cancel)
{
    for (const ProbeSpec& spec : specs) {
        const std::shared_ptr<Probe> probe = probes.find(spec.kind());
        if (!probe)
            co_return fail(ErrorCode::Unsupported, probeKindName(spec.kind()));
        const Result<void> ready = co_await probe->check(spec, cancel);
        if (!ready)
            co_return tl::unexpected(ready.error());
    }
    co_return Result<void>{};
}

void tellFailed(const SessionEvents& events, int index, const Error& error)
{
    if (events.failed)
        events.failed(index, error);
}

ProgressSink progressSink(const SessionEvents& events, int index)
{
    return [progress = events.progress, index](const Progress& item) {
        if (progress)
            progress(index, item);
    };
}

} // namespace

void ProbeSet::add(std::shared_ptr<Probe> probe)
{
    m_probes.push_back(std::move(probe));
}

std::shared_ptr<Probe> ProbeSet::find(ProbeKind kind) const
{
    for (const auto& probe : m_probes) {
        if (probe->kind() == kind)
            return probe;
    }
    return nullptr;
}

ProbeSet ProbeSet::standard()
{
    ProbeSet probes;
    for (const ProbeKind kind : probeKinds)
        probes.add(localProbe(kind));
    return probes;
}

QCoro::Task<SessionOutcome> runSession(ProbeSet probes, std::vector<ProbeSpec> specs,
                                       CancelToken cancel, SessionEvents events)
{
    SessionOutcome outcome;
    if (const Result<void> ready = co_await checkAll(probes, specs, cancel); !ready) {
        outcome.error = ready.error();
        co_return outcome;
    }
    for (int index = 0; index < static_cast<int>(specs.size()); ++index) {
        if (cancel.stop_requested()) {
            outcome.error = Error{ErrorCode::Cancelled, {}, {}, nullptr};
            break;
        }
        const ProbeSpec& spec = specs[static_cast<size_t>(index)];
        if (events.started)
            events.started(index);
        const QDateTime startedAt = SystemClock().now();
        Result<ProbeResult> result =
            co_await probes.find(spec.kind())->run(spec, cancel, progressSink(events, index));
        if (!result) {
            ++outcome.failed;
            tellFailed(events, index, result.error());
            continue;
        }
        stamp(*result, startedAt);
        ++(result->completion == Completion::Complete ? outcome.completed : outcome.partial);
        if (!events.finished)
            continue;
        const Result<void> recorded = co_await events.finished(index, std::move(*result));
        if (!recorded) {
            outcome.error = recorded.error();
            break;
        }
    }
    if (cancel.stop_requested() && !outcome.error)
        outcome.error = Error{ErrorCode::Cancelled, {}, {}, nullptr};
    co_return outcome;
}

} // namespace napkin
