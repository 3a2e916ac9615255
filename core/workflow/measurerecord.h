// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/session.h"
#include "core/notebook/notebook.h"
#include "core/workflow/linkspec.h"
#include "core/workflow/soakfile.h"

#include <functional>
#include <optional>

namespace napkin {

// What happens on the way, in order, on the calling thread.
struct MeasureEvents
{
    std::function<void(int index)> started;
    std::function<void(int index, const Progress&)> progress;
    // Complete or partial, and safely stored under that number.
    std::function<void(int index, std::int64_t number, const ProbeResult&)> recorded;
    // Gathered, but the notebook could not be written. The figures are here and nowhere else; the
    // session ends with that error.
    std::function<void(int index, const ProbeResult&)> unrecorded;
    std::function<void(int index, const Error&)> failed; // nothing was gathered
};

// The one way of a measurement into the notebook: both programs go through here. What was gathered
// before a fault or a cancellation is recorded too, marked partial. A run flagged WrongInterface is
// filed under no link; spec.intendedLink keeps which one it was meant for. `notebook` must outlive
// the task. `newLink` (Notebook::plannedLink), which the specs are filed under, comes into being
// with the first record, so that a run that failed leaves nothing. The outcome's error is set when
// the session ended early: a check failed, the user cancelled, or the notebook could not be
// written. A soak is kept beside the notebook while it goes on (SoakKeeper); with `before` the
// first spec, its remainingSpec(), goes on with that one: what is told and recorded is the whole.
QCoro::Task<SessionOutcome> measureAndRecord(ProbeSet probes, std::vector<ProbeSpec> specs,
                                             Notebook* notebook, CancelToken cancel,
                                             MeasureEvents events,
                                             std::optional<LinkEntry> newLink = std::nullopt,
                                             std::optional<InterruptedSoak> before = std::nullopt);

} // namespace napkin
