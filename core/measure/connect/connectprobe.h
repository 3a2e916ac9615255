// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin {

// How long a TCP handshake with a port takes. Anything that listens will do; it sees connections
// that say nothing and close. Refusals, time-outs and unreachable attempts are data, not faults.
// With a ticket: one run against the far end that issued it, which shows that before the first
// attempt (PeerRefused).
class ConnectProbe final : public Probe
{
public:
    explicit ConnectProbe(std::optional<DataTicket> ticket = std::nullopt)
        : m_ticket(std::move(ticket))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::ConnectTime; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
};

} // namespace napkin
