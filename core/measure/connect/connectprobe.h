// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"

namespace napkin {

// How long a TCP handshake with a port takes. Anything that listens will do; it sees connections
// that say nothing and close. Refusals, time-outs and unreachable attempts are data, not faults.
class ConnectProbe final : public Probe
{
public:
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::ConnectTime; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;
};

} // namespace napkin
