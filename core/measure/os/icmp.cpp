// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/icmp.h"

#include "core/measure/os/errorqueue.h"

#include <QRandomGenerator>

#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace napkin {

namespace {

constexpr qsizetype headerSize = 8;   // of an echo
constexpr qsizetype payloadSize = 56; // as ping sends
constexpr qsizetype nonceSize = 16;

// RFC 1071.
std::uint16_t checksum(const QByteArray& bytes)
{
    std::uint32_t sum = 0;
    for (qsizetype i = 0; i + 1 < bytes.size(); i += 2) {
        const auto high = static_cast<unsigned char>(bytes[i]);
        const auto low = static_cast<unsigned char>(bytes[i + 1]);
        sum += (std::uint32_t{high} << 8) | low;
    }
    while ((sum >> 16) != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

void putWord(QByteArray& bytes, qsizetype at, std::uint16_t word)
{
    bytes[at] = static_cast<char>(word >> 8);
    bytes[at + 1] = static_cast<char>(word & 0xff);
}

std::uint16_t wordAt(QByteArrayView bytes, qsizetype at)
{
    const auto high = static_cast<unsigned char>(bytes[at]);
    const auto low = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<std::uint16_t>((high << 8) | low);
}

// Replies only: a raw socket would hear every ICMP message of the machine.
void hearRepliesOnly(const Socket& socket, int family)
{
    if (family == AF_INET) {
        icmp_filter filter{~(1U << ICMP_ECHOREPLY)};
        ::setsockopt(socket.fd(), SOL_RAW, ICMP_FILTER, &filter, sizeof filter);
        return;
    }
    icmp6_filter filter{};
    ICMP6_FILTER_SETBLOCKALL(&filter);
    ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &filter);
    ::setsockopt(socket.fd(), IPPROTO_ICMPV6, ICMP6_FILTER, &filter, sizeof filter);
}

} // namespace

IcmpSocket::IcmpSocket(Socket socket, IcmpSocketKind kind, int family)
    : m_socket(std::move(socket))
    , m_kind(kind)
    , m_family(family)
    , m_identifier(static_cast<std::uint16_t>(QRandomGenerator::global()->bounded(0x10000)))
    , m_payload(payloadSize, '\0')
{
    std::array<quint32, nonceSize / sizeof(quint32)> nonce{};
    QRandomGenerator::global()->fillRange(nonce.data(), nonce.size());
    std::memcpy(m_payload.data(), nonce.data(), nonceSize);
}

Result<IcmpSocket> IcmpSocket::open(IcmpSocketKind kind, const SocketAddress& to, const LeaveBy& by)
{
    const int type = kind == IcmpSocketKind::Raw ? SOCK_RAW : SOCK_DGRAM;
    const int protocol = to.family() == AF_INET ? int{IPPROTO_ICMP} : int{IPPROTO_ICMPV6};
    Socket socket(::socket(to.family(), type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol));
    if (!socket.isOpen()) {
        const int error = errno;
        const auto code = error == EPROTONOSUPPORT ? ErrorCode::Unsupported : codeOfErrno(error);
        return fail(code, {}, textOfErrno(error));
    }
    if (auto bound = leaveThrough(socket, by); !bound)
        return tl::unexpected(bound.error());
    if (kind == IcmpSocketKind::Raw)
        hearRepliesOnly(socket, to.family());
    hearFaults(socket, to.family());
    // A port means nothing to ICMP, and a raw IPv6 socket refuses one.
    SocketAddress target = to;
    if (to.family() == AF_INET)
        reinterpret_cast<sockaddr_in*>(&target.storage)->sin_port = 0;
    else
        reinterpret_cast<sockaddr_in6*>(&target.storage)->sin6_port = 0;
    if (::connect(socket.fd(), target.raw(), target.length) != 0) {
        const int error = errno;
        // EACCES is about the address here, such as that of a broadcast, and not about the socket.
        const bool noWay = error == EINVAL || error == EACCES;
        return fail(noWay ? ErrorCode::HostUnreachable : codeOfErrno(error), {},
                    textOfErrno(error));
    }
    return IcmpSocket(std::move(socket), kind, to.family());
}

Result<void> IcmpSocket::send(std::uint16_t sequence)
{
    QByteArray packet(headerSize, '\0');
    packet[0] = static_cast<char>(m_family == AF_INET ? int{ICMP_ECHO} : ICMP6_ECHO_REQUEST);
    putWord(packet, 4, m_identifier);
    putWord(packet, 6, sequence);
    packet += m_payload;
    if (m_family == AF_INET) // the kernel does it for IPv6
        putWord(packet, 2, checksum(packet));
    const auto length = static_cast<size_t>(packet.size());
    if (::send(m_socket.fd(), packet.constData(), length, MSG_NOSIGNAL) >= 0)
        return {};
    const int error = errno;
    const auto code = error == EMSGSIZE ? ErrorCode::FrameTooLarge : codeOfErrno(error);
    return fail(code, {}, textOfErrno(error));
}

std::optional<std::uint16_t> IcmpSocket::sequenceOf(QByteArrayView packet) const
{
    if (m_kind == IcmpSocketKind::Raw && m_family == AF_INET) {
        if (packet.isEmpty())
            return std::nullopt;
        const qsizetype ipHeader = (static_cast<unsigned char>(packet[0]) & 0x0f) * 4;
        if (ipHeader < 20 || packet.size() < ipHeader)
            return std::nullopt;
        packet = packet.sliced(ipHeader);
    }
    const int reply = m_family == AF_INET ? int{ICMP_ECHOREPLY} : ICMP6_ECHO_REPLY;
    if (packet.size() != headerSize + m_payload.size() ||
        static_cast<unsigned char>(packet[0]) != reply || packet.sliced(headerSize) != m_payload)
        return std::nullopt;
    if (m_kind == IcmpSocketKind::Raw && wordAt(packet, 4) != m_identifier)
        return std::nullopt;
    return wordAt(packet, 6);
}

// A raw socket gets back what any program of this machine has sent there.
bool IcmpSocket::isOurs(const QByteArray& quoted) const
{
    return m_kind != IcmpSocketKind::Raw || quoted.size() < headerSize ||
           wordAt(quoted, 4) == m_identifier;
}

std::optional<IcmpSocket::Heard> IcmpSocket::takeFault()
{
    while (auto returned = takeReturned(m_socket)) {
        if (!isOurs(returned->quoted))
            continue;
        Heard heard{std::nullopt, std::move(returned->fault), std::nullopt};
        if (returned->quoted.size() >= headerSize)
            heard.sequence = wordAt(returned->quoted, 6);
        if (returned->isTooBig)
            heard.tooBig = TooBig{returned->mtu, returned->by};
        return heard;
    }
    return std::nullopt;
}

Result<void> IcmpSocket::forbidFragments()
{
    return napkin::forbidFragments(m_socket, m_family);
}

void IcmpSocket::setPayload(int bytes)
{
    m_payload.resize(std::max<qsizetype>(bytes, nonceSize), '\0');
}

std::optional<IcmpSocket::Heard> IcmpSocket::receive()
{
    constexpr int atOnce = 64; // others' packets passed over before the clock is looked at again
    if (auto fault = takeFault())
        return fault;
    constexpr qsizetype largestIpHeader = 60;
    QByteArray bytes(largestIpHeader + headerSize + m_payload.size() + 1, Qt::Uninitialized);
    for (int i = 0; i < atOnce; ++i) {
        const ssize_t got =
            ::recv(m_socket.fd(), bytes.data(), static_cast<size_t>(bytes.size()), MSG_DONTWAIT);
        if (got < 0)
            return std::nullopt; // nothing more, or a fault that is read the next time
        if (const auto sequence = sequenceOf(QByteArrayView(bytes.constData(), got)))
            return Heard{sequence, std::nullopt, std::nullopt};
    }
    return std::nullopt;
}

} // namespace napkin
