// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/loadedrun.h"
#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin {

// How long a message takes idle, while sending, while receiving and both. ICMP against any iperf3
// server; with a ticket against the paired machine that issued it (Iperf3Server with three tests),
// with UDP too (and a DatagramServer).
class LoadedProbe final : public Probe
{
public:
    explicit LoadedProbe(std::optional<DataTicket> ticket = std::nullopt, IcmpMeans means = {})
        : m_ticket(std::move(ticket))
        , m_means(std::move(means))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::LoadedLatency; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
    IcmpMeans m_means;
};

} // namespace napkin
