// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <functional>
#include <optional>

namespace napkin {

inline constexpr std::chrono::seconds bulkStall{5};  // without a byte more: it stands still
inline constexpr std::chrono::seconds bulkLimit{12}; // of one transfer that still moves

// Both ends of a transfer on a connection that stands; blocking, with `stall` and `limit` to end.
// A transfer that is still moving at `limit` gets through: it ends there, and what was asked is
// then what had arrived. ConnectionLost, Cancelled. The direction is left to the caller.
[[nodiscard]] Result<BulkTransfer> sendBulk(const Socket& socket, ByteCount asked,
                                            std::chrono::milliseconds stall, Deadline limit,
                                            const Interrupt& interrupt);
[[nodiscard]] Result<BulkTransfer> receiveBulk(const Socket& socket, ByteCount asked,
                                               std::chrono::milliseconds stall, Deadline limit,
                                               const Interrupt& interrupt);

// One transfer with a paired far end on a connection of its own, which the ticket opens. The far
// end refusing is ConnectionRefused.
[[nodiscard]] Result<BulkTransfer> bulkWithPeer(const SocketAddress& to, const Route& route,
                                                const DataTicket& ticket, Direction direction,
                                                const Interrupt& interrupt);

// A stock server that has just served is gone for a moment before it listens again.
enum class ServerSeen { NotYet, JustServed };

// As many bytes against a server of the iperf3 protocol, for a second at most; NotMade, with the
// reason, when that could not be tried: nobody listens, it is busy, or does not speak the protocol.
// Cancelled.
[[nodiscard]] Result<BulkTransfer> bulkWithIperf3(const ProbeSpec& spec, const Route& route,
                                                  Direction direction, ServerSeen seen,
                                                  const CancelToken& cancel);

} // namespace napkin
