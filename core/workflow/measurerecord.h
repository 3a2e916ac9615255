// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/session.h"
#include "core/notebook/notebook.h"

#include <functional>

namespace napkin {

// The one way of a measurement into the notebook: both programs go through here.
struct MeasureEvents
{
    std::function<void(int index)> started;
    std::function<void(int index, const Progress&)> progress;
    std::function<void(int index, std::int64_t number, const ProbeResult&)>
        recorded; // complete or partial
    std::function<void(int index, const Error&)> failed;
};

QCoro::Task<SessionOutcome> measureAndRecord(ProbeSet probes, std::vector<ProbeSpec> specs,
                                             Notebook* notebook, CancelToken cancel,
                                             MeasureEvents events);

// What can be said about this machine as controller and near end.
[[nodiscard]] Endpoint thisMachine();

// The spec that measures a link of a drawing from this machine: the end whose port has an address
// that this machine does not have is the far one. InvalidArgument when neither end has a usable
// address; the detail says which port wants one.
[[nodiscard]] Result<ProbeSpec> specForLink(const Drawing& drawing, LinkId link,
                                            ProbeOptions options);

} // namespace napkin
