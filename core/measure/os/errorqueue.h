// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"

#include <QByteArray>

#include <optional>

namespace napkin {

// A packet of ours that came back, or that this machine would not send.
struct Returned
{
    Error fault;           // its detail says who says what
    bool isTooBig = false; // it must not be fragmented and is too large
    std::optional<int> mtu;
    QString by;        // the address that gave it back; empty: this machine
    QByteArray quoted; // how it began, as far as it is told: of UDP the payload, of ICMP the header
};

// From now on the kernel keeps what comes back for takeReturned().
void hearFaults(const Socket& socket, int family);
// The oldest of them, without waiting; nullopt when there is none.
[[nodiscard]] std::optional<Returned> takeReturned(const Socket& socket);
// A fault that the kernel would tell with the next call, although the queue has told it.
void forgetFault(int fd);

// What the socket sends is never fragmented, and may be as large as the interface allows whatever
// the kernel believes about the path. Unsupported.
[[nodiscard]] Result<void> forbidFragments(const Socket& socket, int family);

} // namespace napkin
