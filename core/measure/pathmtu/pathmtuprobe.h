// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin {

// How large a packet passes without being fragmented. Without a ticket: forward, with ICMP echoes
// to any machine; and bulk transfers where the spec names the port of an iperf3 server. With one:
// in both directions, against the far end that issued it (PeerRefused).
class PathMtuProbe final : public Probe
{
public:
    explicit PathMtuProbe(std::optional<DataTicket> ticket = std::nullopt)
        : m_ticket(std::move(ticket))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::PathMtu; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
};

} // namespace napkin
