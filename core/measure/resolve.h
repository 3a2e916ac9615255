// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/spec.h"

#include <QCoroTask>

#include <vector>

namespace napkin {

// Where a run goes to, and how it leaves this machine.
struct Route
{
    std::vector<SocketAddress> addresses; // of the far end, in the resolver's order; never empty
    LeaveBy by;
    QString peer; // "spark-b:5201", "[fe80::1%eth0]:5201": for people
};

[[nodiscard]] QString peerName(const ProbeSpec& spec);

// Checks the spec, the interface and the source address, and resolves the far end's name; ends
// within 5 s. InvalidArgument, NoSuchInterface, AddressNotAvailable, NameNotResolved, Cancelled.
QCoro::Task<Result<Route>> findRoute(ProbeSpec spec, CancelToken cancel);

// Tries the route's addresses in turn until one answers. The error is the last one's.
[[nodiscard]] Result<Socket> connectAny(const Route& route, Deadline deadline,
                                        const Interrupt& interrupt);

} // namespace napkin
