// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/latencyrun.h"
#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin {

// How long a message takes there and back. ICMP: against any machine that answers echoes. TCP and
// UDP: against the paired machine that issued the ticket (EchoServer). Losses are data, not faults.
class LatencyProbe final : public Probe
{
public:
    explicit LatencyProbe(std::optional<DataTicket> ticket = std::nullopt, IcmpMeans means = {})
        : m_ticket(std::move(ticket))
        , m_means(std::move(means))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Latency; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
    IcmpMeans m_means;
};

} // namespace napkin
