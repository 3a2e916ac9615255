// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/measure/throughput/controlconnection.h"
#include "core/peer/ticket.h"

namespace napkin {

// The near end's half of showing a ticket, after the cookie: the far end proves that it issued the
// ticket, then this end that it holds it. PeerRefused for a far end that can not, or that turns
// us away. Blocks, as the connection does.
[[nodiscard]] Result<void> proveToFarEnd(iperf3::ControlConnection& control,
                                         const DataTicket& ticket);

// A connection that is only for showing the ticket, to the first address of the route that answers:
// the address that proved itself is what is measured, whatever else the name means. At most 5 s.
[[nodiscard]] Result<SocketAddress> findHolder(const Route& route, const DataTicket& ticket,
                                               const Interrupt& interrupt);

} // namespace napkin
