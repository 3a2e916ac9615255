// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/measure/soak/soakpipe.h"
#include "core/measure/throughput/controlconnection.h"
#include "core/peer/ticket.h"

namespace napkin::soak {

// How a connection of a soak begins. Both ends prove that they hold the ticket, each by answering
// the other's fresh challenge, so that a soak connects as often as it has to and what was seen of
// one connection opens no other. The ticket itself never goes over it.

// The near end, after its proof.
struct Start
{
    std::uint32_t connection = 0;
    std::uint64_t seed = 0;
};

// The near end's half; blocks as the connection does. PeerRefused: it does not know the ticket (any
// more), or could not prove that it does. Unsupported: another version.
[[nodiscard]] Result<void> begin(iperf3::ControlConnection& connection, const DataTicket& ticket,
                                 const Start& start);
// The far end's half.
[[nodiscard]] Result<Start> welcome(iperf3::ControlConnection& connection,
                                    const DataTicket& ticket);

} // namespace napkin::soak
