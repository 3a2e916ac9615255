// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <vector>

namespace napkin {

enum class IcmpSocketKind {
    Datagram, // without privilege, for the groups in net.ipv4.ping_group_range (IPv6 too)
    Raw,      // with CAP_NET_RAW
};

// Sends ICMP echo requests to one address and hears their replies, IPv4 or IPv6. For one thread.
class IcmpSocket
{
public:
    // Does not send anything. PermissionDenied when this kind is not for this user; Unsupported,
    // HostUnreachable (no way there), NoSuchInterface, AddressNotAvailable. `payload` bytes follow
    // the header of eight: 16 to 65,507.
    [[nodiscard]] static Result<IcmpSocket> open(IcmpSocketKind kind, const SocketAddress& to,
                                                 const LeaveBy& by,
                                                 qsizetype payload = pingPayload);

    // From now on no packet is fragmented, here or on the way, and what the kernel believes about
    // the path does not count.
    [[nodiscard]] Result<void> forbidFragments();
    // Instead of that of open(), 16 bytes at least. Only replies of that size are heard.
    void setPayload(int bytes);

    // What this machine drops for want of room counts as sent and lost. FrameTooLarge when the
    // interface does not take it.
    [[nodiscard]] Result<void> send(std::uint16_t sequence);

    struct TooBig
    {
        std::optional<int> mtu; // that was named
        QString by;             // the router's address; empty: this machine
    };
    struct Heard
    {
        std::optional<std::uint16_t> sequence; // of a reply to a request of this socket
        std::optional<Error> fault;   // instead: a router or this machine gave it back; then the
                                      // sequence is that of the request, where it is told
        std::optional<TooBig> tooBig; // of such a fault
    };
    // What has come and concerns this socket, without waiting; nullopt when there is nothing.
    [[nodiscard]] std::optional<Heard> receive();
    [[nodiscard]] int fd() const { return m_socket.fd(); }
    [[nodiscard]] std::optional<SocketAddress> local() const { return localAddress(m_socket); }

    static constexpr qsizetype pingPayload = 56; // as ping sends

private:
    IcmpSocket(Socket socket, IcmpSocketKind kind, int family, qsizetype payload);
    [[nodiscard]] bool isOurs(const QByteArray& quoted) const;
    [[nodiscard]] std::optional<Heard> takeFault();
    [[nodiscard]] std::optional<std::uint16_t> sequenceOf(QByteArrayView packet) const;

    Socket m_socket;
    IcmpSocketKind m_kind;
    int m_family;
    std::uint16_t m_identifier; // of raw requests; the kernel chooses that of datagrams
    QByteArray m_packet;        // its payload begins with random bytes, to know one's own
    std::uint32_t m_sum = 0;    // of the packet with the sequence zero
    std::vector<char> m_heard;
};

} // namespace napkin
