// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"

#include <optional>
#include <utility>

// UDP sockets as the iperf3 protocol sets them up: four bytes there, four bytes back.
namespace napkin::iperf3 {

// Bound to `local` (its port is not used) and connected; leaves by `interfaceName` where that is
// not empty. The faults of leaveThrough() and HostUnreachable.
[[nodiscard]] Result<Socket> connectUdp(const SocketAddress& local, const SocketAddress& peer,
                                        const QString& interfaceName);
// Bound to exactly that address and port; several such sockets may be. AddressInUse,
// PermissionDenied.
[[nodiscard]] Result<Socket> listenUdp(const SocketAddress& local);

// An IPv4 address that is mapped into IPv6 as plain IPv4.
[[nodiscard]] SocketAddress unmapped(const SocketAddress& address);

enum class Hello {
    Once,  // for a stock server: it would take a second one for data
    Again, // for Napkin's own server, until it is answered
};
enum class Greeted {
    Answered,
    ControlSpoke, // something can be read on the control connection
    Unanswered,   // within the deadline
    Refused,      // the far end's kernel says that nobody takes UDP there
    Interrupted,
};
// The client's half.
[[nodiscard]] Greeted greet(const Socket& udp, const Socket& control, Hello hello,
                            Deadline deadline, const Interrupt& interrupt);

// The server's half: takes the waiting datagram of `from`, whatever the port, and connects the
// listener to its sender. Datagrams of others are dropped. False: none of `from` waits.
[[nodiscard]] bool takeHello(const Socket& listener, const SocketAddress& from);
void answerHello(const Socket& udp);
// Answers whoever asks again because the answer was lost.
void answerAgain(const Socket& udp);

// Memory for what comes faster than it is read; best effort.
void raiseReceiveBuffer(const Socket& socket);
// Datagrams that came for this socket and were dropped since it was opened, because its buffer was
// full. Nullopt where the kernel does not tell.
[[nodiscard]] std::optional<std::int64_t> droppedDatagrams(const Socket& socket);

} // namespace napkin::iperf3
