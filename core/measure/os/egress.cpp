// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/egress.h"

#include <QByteArray>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr size_t aligned(size_t size)
{
    return (size + 3) & ~size_t{3}; // as netlink lays things out
}

QByteArray addressBytes(const SocketAddress& address)
{
    if (address.family() == AF_INET) {
        const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
        return {reinterpret_cast<const char*>(&v4->sin_addr), sizeof v4->sin_addr};
    }
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    return {reinterpret_cast<const char*>(&v6->sin6_addr), sizeof v6->sin6_addr};
}

std::uint32_t scopeOf(const SocketAddress& address)
{
    return address.family() == AF_INET6
               ? reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_scope_id
               : 0;
}

template <typename T>
QByteArray padded(const T& value)
{
    QByteArray bytes(reinterpret_cast<const char*>(&value), sizeof value);
    bytes.append(static_cast<qsizetype>(aligned(sizeof value) - sizeof value), '\0');
    return bytes;
}

QByteArray attribute(unsigned short type, const QByteArray& value)
{
    rtattr head{};
    head.rta_type = type;
    head.rta_len = static_cast<unsigned short>(sizeof head + static_cast<size_t>(value.size()));
    return padded(head) + value; // addresses and indices are whole words
}

QByteArray question(const SocketAddress& local, const SocketAddress& peer)
{
    const QByteArray to = addressBytes(peer);
    const QByteArray from = addressBytes(local);
    rtmsg route{};
    route.rtm_family = static_cast<unsigned char>(peer.family());
    route.rtm_dst_len = static_cast<unsigned char>(to.size() * 8);
    route.rtm_src_len = static_cast<unsigned char>(from.size() * 8);
    QByteArray body = padded(route) + attribute(RTA_DST, to) + attribute(RTA_SRC, from);
    if (const std::uint32_t scope = scopeOf(peer); scope != 0)
        body += attribute(RTA_OIF, padded(scope));
    nlmsghdr head{};
    head.nlmsg_type = RTM_GETROUTE;
    head.nlmsg_flags = NLM_F_REQUEST;
    head.nlmsg_len = static_cast<std::uint32_t>(sizeof head + static_cast<size_t>(body.size()));
    return padded(head) + body;
}

// The index of the outgoing interface in the kernel's answer; 0 when there is none.
unsigned int outgoingIndex(const char* bytes, size_t size)
{
    nlmsghdr head{};
    constexpr size_t start = aligned(sizeof head) + aligned(sizeof(rtmsg));
    if (size < start)
        return 0;
    std::memcpy(&head, bytes, sizeof head);
    if (head.nlmsg_type != RTM_NEWROUTE)
        return 0;
    const size_t end = std::min<size_t>(size, head.nlmsg_len);
    rtattr attribute{};
    for (size_t at = start; at + sizeof attribute <= end; at += aligned(attribute.rta_len)) {
        std::memcpy(&attribute, bytes + at, sizeof attribute);
        if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > end)
            return 0;
        unsigned int index = 0;
        if (attribute.rta_type == RTA_OIF && attribute.rta_len == sizeof attribute + sizeof index) {
            std::memcpy(&index, bytes + at + sizeof attribute, sizeof index);
            return index;
        }
    }
    return 0;
}

} // namespace

QString egressInterface(const SocketAddress& local, const SocketAddress& peer)
{
    if (local.family() != peer.family())
        return {};
    const Socket socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (!socket.isOpen())
        return {};
    setBlocking(socket, 1s);
    const QByteArray ask = question(local, peer);
    const auto length = static_cast<size_t>(ask.size());
    if (::send(socket.fd(), ask.constData(), length, 0) != static_cast<ssize_t>(length))
        return {};
    std::array<char, 4096> answer{};
    const ssize_t got = ::recv(socket.fd(), answer.data(), answer.size(), 0);
    if (got <= 0)
        return {};
    std::array<char, IF_NAMESIZE> name{};
    const unsigned int index = outgoingIndex(answer.data(), static_cast<size_t>(got));
    if (index == 0 || if_indextoname(index, name.data()) == nullptr)
        return {};
    return QString::fromLocal8Bit(name.data());
}

} // namespace napkin
