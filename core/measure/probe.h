// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/results/result.h"

#include <QCoroTask>

namespace napkin {

// One kind of measurement. Stateless between runs; several runs may be under way at once.
class Probe
{
public:
    virtual ~Probe() = default;
    [[nodiscard]] virtual ProbeKind kind() const = 0;

    // Whether the run could start: options in range, interface and source address there, name
    // resolves. Ends within 5 s.
    virtual QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) = 0;

    // Runs it. Complete or partial results hold what was gathered; an Error means nothing was.
    // Always ends: within 0.5 s of a cancellation, within 10 s of a far end's silence (but a soak,
    // which waits for it to come back), otherwise by the time the spec asks for. The sink is called
    // on the calling thread.
    virtual QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                                 ProgressSink sink) = 0;
};

} // namespace napkin
