// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin {

// Ping-pong with messages of many sizes, against the paired machine that issued the ticket
// (EchoServer).
class SweepProbe final : public Probe
{
public:
    explicit SweepProbe(std::optional<DataTicket> ticket = std::nullopt)
        : m_ticket(std::move(ticket))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::MessageSweep; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
};

} // namespace napkin
