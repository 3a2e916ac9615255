// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"
#include "core/measure/soak/soaktargets.h"
#include "core/peer/ticket.h"

#include <memory>
#include <optional>

namespace napkin {

// TCP for minutes to hours with every block compared, against the far end that issued the ticket
// (PeerRefused). Without a ticket Unsupported: no stock server checks data. Goes on until its time
// is over, whatever becomes of the connection; so it ends by itself only then.
class SoakProbe final : public Probe
{
public:
    explicit SoakProbe(std::optional<DataTicket> ticket = std::nullopt,
                       std::shared_ptr<SoakTargets> targets = nullptr)
        : m_ticket(std::move(ticket))
        , m_targets(std::move(targets))
    {}
    [[nodiscard]] ProbeKind kind() const override { return ProbeKind::Soak; }
    QCoro::Task<Result<void>> check(ProbeSpec spec, CancelToken cancel) override;
    QCoro::Task<Result<ProbeResult>> run(ProbeSpec spec, CancelToken cancel,
                                         ProgressSink sink) override;

private:
    std::optional<DataTicket> m_ticket;
    std::shared_ptr<SoakTargets> m_targets; // null: a far end started anew is not found again
};

} // namespace napkin
