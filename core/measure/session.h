// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/measure/probe.h"

#include <functional>
#include <memory>
#include <vector>

namespace napkin {

// Which probe serves which kind. Built by the program's composition root.
class ProbeSet
{
public:
    void add(std::shared_ptr<Probe> probe);
    [[nodiscard]] std::shared_ptr<Probe> find(ProbeKind kind) const; // null when there is none

    // Everything this build can measure with this machine as the near end.
    [[nodiscard]] static ProbeSet standard();

private:
    std::vector<std::shared_ptr<Probe>> m_probes;
};

// What a session tells, in order, on the calling thread. `index` is the probe's place in the list
// of specs.
struct SessionEvents
{
    std::function<void(int index)> started;
    std::function<void(int index, const Progress&)> progress;
    // Awaited before the next probe starts: whoever records does so here.
    std::function<QCoro::Task<Result<void>>(int index, ProbeResult)> finished;
    std::function<void(int index, const Error&)> failed;
};

struct SessionOutcome
{
    int completed = 0;
    int partial = 0;
    int failed = 0;
    std::optional<Error>
        error; // why the session ended early: a check failed, it was cancelled, or recording failed
};

// The probes of one button press: checks every one first, then runs them one after another. A probe
// that fails does not stop the next ones; a cancellation or a failing `finished` does.
QCoro::Task<SessionOutcome> runSession(ProbeSet probes, std::vector<ProbeSpec> specs,
                                       CancelToken cancel, SessionEvents events);

} // namespace napkin
