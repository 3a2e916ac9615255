// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/hostfacts.h"

namespace napkin {

// Where this machine's kernel would send to an address, and how large a packet it believes may go
// there. Nothing is sent.
struct KernelPath
{
    RouteFacts route;
    Reading<int> pathMtu;      // bytes, with the IP header
    Reading<int> interfaceMtu; // bytes; of that interface
};

// HostUnreachable when there is no way, and the faults of leaveThrough(). Waits for the kernel for
// at most a second: not for a GUI thread.
[[nodiscard]] Result<KernelPath> kernelPath(const SocketAddress& to, const LeaveBy& by);

} // namespace napkin
