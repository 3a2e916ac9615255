// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/context.h"
#include "app/cli/textreport.h"
#include "core/measure/remote/routedprobe.h"
#include "core/results/spec.h"
#include "core/workflow/measurerecord.h"

#include <QCoroTask>

#include <memory>
#include <vector>

namespace napkin::cli {

struct KeptRun
{
    std::int64_t number = 0;
    ProbeResult result;
};

// What came of the runs, in the order of their specs where they ended.
struct MeasuredRuns
{
    std::vector<KeptRun> kept;
    std::optional<ProbeResult> unrecorded; // gathered, but the notebook could not be written
    std::vector<Error> failures;           // of runs in which nothing was gathered
    SessionOutcome outcome;
    size_t wanted = 0; // runs

    // The fault that decides the exit code: why the session or the last failed run ended. Null when
    // all went well.
    [[nodiscard]] std::optional<Error> fault() const;
    [[nodiscard]] ExitCode exitCode() const;
};

// Measures, between this machine and those of the store, one after the other with progress on
// standard error, and records each; with the first record comes `newLink`. `before` as in
// measureAndRecord().
QCoro::Task<MeasuredRuns> measureRuns(std::shared_ptr<const Context> context,
                                      std::shared_ptr<Notebook> notebook,
                                      std::shared_ptr<PeerStore> peers,
                                      std::vector<ProbeSpec> specs,
                                      std::optional<LinkEntry> newLink = std::nullopt,
                                      std::optional<InterruptedSoak> before = std::nullopt);

// Prints the report of one run, and its fault where there was one; the exit code.
[[nodiscard]] int reportRun(const Context& context, const MeasuredRuns& runs, const LinkOfRun& link,
                            const QString& notebook);

} // namespace napkin::cli
