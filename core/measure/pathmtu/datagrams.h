// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/errorqueue.h"

#include <cstdint>
#include <deque>
#include <span>

namespace napkin::pathmtu {

// UDP datagrams that must not be fragmented, with a token before each, to and from one address. For
// one thread.
class Datagrams
{
public:
    // Bound as asked; a port in `by.source` is bound, too. AddressInUse, Unsupported and the faults
    // of leaveThrough().
    [[nodiscard]] static Result<Datagrams> open(int family, const LeaveBy& by, QByteArray outgoing,
                                                QByteArray incoming);

    // From now on to that address, and only from there.
    [[nodiscard]] Result<void> connectTo(const SocketAddress& to);

    enum class Sent { Yes, TooBig, NotThisTime };
    // One that makes an IP packet of `size` bytes. TooBig: than the interface allows. The faults
    // are HostUnreachable, PermissionDenied and the like.
    [[nodiscard]] Result<Sent> send(std::uint32_t sequence, int size);
    [[nodiscard]] std::optional<int> allowed() const { return m_allowed; } // told with TooBig

    struct Arrival
    {
        std::uint32_t sequence = 0;
        int size = 0; // of its IP packet
        SocketAddress from;
    };
    // What has come with the right token; nullopt when there is nothing more.
    [[nodiscard]] std::optional<Arrival> receive();

    struct GivenBack
    {
        Returned returned;
        std::uint32_t sequence = 0; // 0: not told
    };
    [[nodiscard]] std::optional<GivenBack> takeBack();

    [[nodiscard]] int fd() const { return m_socket.fd(); }

private:
    Datagrams(Socket socket, int family, QByteArray outgoing, QByteArray incoming);
    void drainFaults();

    Socket m_socket;
    int m_headers; // of IP and UDP
    QByteArray m_outgoing;
    QByteArray m_incoming;
    QByteArray m_buffer;
    std::deque<Returned> m_returned;
    std::optional<int> m_allowed;
};

// Waits until one of these is readable or has a fault to tell.
[[nodiscard]] Ready waitReadable(std::span<const int> descriptors, Deadline deadline,
                                 const Interrupt& interrupt);

} // namespace napkin::pathmtu
