// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measurerun.h"

#include "app/cli/liveprogress.h"
#include "app/cli/textreport.h"

#include <QCoreApplication>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Measure)
};

// Written while the session runs, by its events, all on this thread.
struct Ledger
{
    MeasuredRuns runs;
    std::unique_ptr<LiveProgress> progress;
};

ProgressStyle styleFor(const Context& context)
{
    if (context.terminal->isLive())
        return ProgressStyle::Live;
    return context.isJson() ? ProgressStyle::None : ProgressStyle::Lines;
}

MeasureEvents eventsInto(const std::shared_ptr<Ledger>& ledger,
                         const std::shared_ptr<const Context>& context,
                         const std::vector<ProbeSpec>& specs)
{
    MeasureEvents events;
    events.started = [ledger, context, specs](int index) {
        ledger->progress = std::make_unique<LiveProgress>(
            context->terminal, specs[static_cast<size_t>(index)], styleFor(*context));
    };
    events.progress = [ledger](int, const Progress& progress) {
        if (ledger->progress)
            ledger->progress->update(progress);
    };
    events.recorded = [ledger](int, std::int64_t number, const ProbeResult& result) {
        ledger->runs.kept.push_back({number, result});
    };
    events.unrecorded = [ledger](int, const ProbeResult& result) {
        ledger->runs.unrecorded = result;
    };
    events.failed = [ledger](int, const Error& error) { ledger->runs.failures.push_back(error); };
    return events;
}

} // namespace

std::optional<Error> MeasuredRuns::fault() const
{
    // A cancellation after the last run was complete came too late to matter.
    const bool isAllComplete = static_cast<size_t>(outcome.completed) == wanted;
    if (outcome.error && !(outcome.error->isCancelled() && isAllComplete))
        return outcome.error;
    if (!failures.empty())
        return failures.back();
    for (const KeptRun& run : kept) {
        if (run.result.fault)
            return run.result.fault;
    }
    return std::nullopt;
}

ExitCode MeasuredRuns::exitCode() const
{
    const auto error = fault();
    if (!error)
        return ExitCode::Complete;
    if (error->isCancelled())
        return ExitCode::Interrupted;
    const ExitCode code = exitCodeFor(*error);
    const bool isPartial = !kept.empty() && kept.back().result.completion == Completion::Partial;
    return code != ExitCode::NotebookUnusable && isPartial ? ExitCode::EndedEarly : code;
}

QCoro::Task<MeasuredRuns>
measureRuns(std::shared_ptr<const Context> context, std::shared_ptr<Notebook> notebook,
            std::shared_ptr<PeerStore> peers, std::vector<ProbeSpec> specs,
            std::optional<LinkEntry> newLink, std::optional<InterruptedSoak> before)
{
    const auto ledger = std::make_shared<Ledger>();
    ledger->runs.wanted = specs.size();
    std::vector<ProbeSpec> shown = specs;
    if (before) // the whole of what this goes on with
        shown.front().options = before->soak.result.spec.options;
    const MeasureEvents events = eventsInto(ledger, context, shown);
    const SessionOutcome outcome =
        co_await measureAndRecord(routedProbes(std::move(peers)), std::move(specs), notebook.get(),
                                  context->cancel, events, std::move(newLink), std::move(before));
    if (ledger->progress)
        ledger->progress->end();
    ledger->progress.reset();
    MeasuredRuns runs = std::move(ledger->runs);
    runs.outcome = outcome;
    co_return runs;
}

int reportRun(const Context& context, const MeasuredRuns& runs, const LinkOfRun& link,
              const QString& notebook)
{
    const ExitCode code = runs.exitCode();
    Json payload;
    payload["record"] = nullptr;
    if (runs.unrecorded) {
        payload["unrecorded"] = jsonUnrecorded(*runs.unrecorded);
        if (!context.isJson())
            context.terminal->print(
                runText(std::nullopt, *runs.unrecorded, link, notebook, context.textWidth()));
        return context.fail(code, *runs.fault(), payload);
    }
    if (runs.kept.empty()) {
        if (code == ExitCode::Interrupted)
            return context.interrupted(
                Words::tr("Interrupted before anything was measured; nothing was recorded."),
                payload);
        const Error fault = runs.fault().value_or(
            fail(ErrorCode::Internal, context.command, QStringLiteral("no outcome")).value());
        return context.fail(exitCodeFor(fault), fault, payload);
    }
    const KeptRun& run = runs.kept.back();
    payload["record"] = jsonRecord(run.number, run.result);
    payload["notebook"] = jsonText(notebook);
    const QString text = runText(run.number, run.result, link, notebook, context.textWidth());
    if (code == ExitCode::Complete)
        return context.finish(code, payload, text);
    if (!context.isJson())
        context.terminal->print(text);
    if (code == ExitCode::Interrupted)
        return context.interrupted(
            Words::tr("Interrupted; what had been measured is kept as number %1.").arg(run.number),
            payload);
    return context.fail(code, *runs.fault(), payload);
}

} // namespace napkin::cli
