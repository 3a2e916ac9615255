// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echoprotocol.h"
#include "core/measure/resolve.h"
#include "core/measure/throughput/controlconnection.h"
#include "core/peer/ticket.h"

#include <memory>

namespace napkin::pingpong {

// The near end's control connection of an echo run, after the ticket was shown and the far end is
// ready for the plan.
class EchoControl
{
public:
    // Connects, shows the ticket, tells the plan. PeerRefused when the far end did not issue the
    // ticket or does not want the plan; ConnectionRefused, HostUnreachable, TimedOut, PeerSilent,
    // Cancelled. `interrupt` outlives it.
    [[nodiscard]] static Result<EchoControl> open(const Route& route, const DataTicket& ticket,
                                                  const Plan& plan, const Interrupt& interrupt);

    [[nodiscard]] const Socket& socket() const { return m_control->socket(); }
    [[nodiscard]] const SocketAddress& local() const { return m_local; }
    [[nodiscard]] const SocketAddress& far() const { return m_far; }

private:
    std::unique_ptr<iperf3::ControlConnection> m_control;
    SocketAddress m_local;
    SocketAddress m_far;
};

} // namespace napkin::pingpong
