// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"

namespace napkin {

// TCP throughput against an iperf3 server (3.9 to 3.21) or Napkin's own.
class ThroughputProbe final : public Probe
{
public:
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Throughput; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;
};

} // namespace napkin
