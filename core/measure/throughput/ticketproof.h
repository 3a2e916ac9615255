// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/controlconnection.h"
#include "core/peer/ticket.h"

namespace napkin {

// The near end's half of showing a ticket, after the cookie: the far end proves that it issued the
// ticket, then this end that it holds it. PeerRefused for a far end that can not, or that turns
// us away. Blocks, as the connection does.
[[nodiscard]] Result<void> proveToFarEnd(iperf3::ControlConnection& control,
                                         const DataTicket& ticket);

} // namespace napkin
