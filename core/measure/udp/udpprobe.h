// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin {

// UDP throughput, loss and jitter against an iperf3 server (3.9 to 3.21) or Napkin's own. With a
// ticket: one run against the far end that issued it, and no other (PeerRefused).
class UdpProbe final : public Probe
{
public:
    explicit UdpProbe(std::optional<DataTicket> ticket = std::nullopt)
        : m_ticket(std::move(ticket))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::UdpThroughput; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
};

} // namespace napkin
