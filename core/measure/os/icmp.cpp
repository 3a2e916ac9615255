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

constexpr qsizetype headerSize = 8; // of an echo
constexpr qsizetype nonceSize = 16;
constexpr qsizetype longestIpHeader = 60; // comes with what a raw IPv4 socket hears

// RFC 1071: the sum of the words, before it is folded.
std::uint32_t sumOf(const QByteArray& bytes)
{
    std::uint32_t sum = 0;
    for (qsizetype i = 0; i < bytes.size(); i += 2) {
        const auto high = static_cast<unsigned char>(bytes[i]);
        const auto low = i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : 0U;
        sum += (std::uint32_t{high} << 8) | low;
    }
    return sum;
}

std::uint16_t checksumOf(std::uint32_t sum)
{
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

IcmpSocket::IcmpSocket(Socket socket, IcmpSocketKind kind, int family, qsizetype payload)
    : m_socket(std::move(socket))
    , m_kind(kind)
    , m_family(family)
    , m_identifier(static_cast<std::uint16_t>(QRandomGenerator::global()->bounded(0x10000)))
    , m_packet(headerSize + payload, '\0')
    , m_heard(static_cast<size_t>(longestIpHeader + headerSize + payload + 1))
{
    std::array<quint32, nonceSize / sizeof(quint32)> nonce{};
    QRandomGenerator::global()->fillRange(nonce.data(), nonce.size());
    std::memcpy(m_packet.data() + headerSize, nonce.data(), nonceSize);
    m_packet[0] = static_cast<char>(m_family == AF_INET ? int{ICMP_ECHO} : ICMP6_ECHO_REQUEST);
    putWord(m_packet, 4, m_identifier);
    m_sum = sumOf(m_packet);
}

Result<IcmpSocket> IcmpSocket::open(IcmpSocketKind kind, const SocketAddress& to, const LeaveBy& by,
                                    qsizetype payload)
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
    return IcmpSocket(std::move(socket), kind, to.family(), payload);
}

Result<void> IcmpSocket::send(std::uint16_t sequence)
{
    putWord(m_packet, 6, sequence);
    if (m_family == AF_INET) // the kernel does it for IPv6
        putWord(m_packet, 2, checksumOf(m_sum + sequence));
    const auto length = static_cast<size_t>(m_packet.size());
    if (::send(m_socket.fd(), m_packet.constData(), length, MSG_NOSIGNAL) >= 0)
        return {};
    const int error = errno;
    if (error == EAGAIN || error == ENOBUFS)
        return {};
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
    if (packet.size() != m_packet.size() || static_cast<unsigned char>(packet[0]) != reply ||
        packet.sliced(headerSize) != QByteArrayView(m_packet).sliced(headerSize))
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
    const qsizetype payload = std::max<qsizetype>(bytes, nonceSize);
    m_packet.resize(headerSize + payload, '\0');
    m_heard.resize(static_cast<size_t>(longestIpHeader + headerSize + payload + 1));
    putWord(m_packet, 2, 0);
    putWord(m_packet, 6, 0);
    m_sum = sumOf(m_packet);
}

std::optional<IcmpSocket::Heard> IcmpSocket::receive()
{
    constexpr int atOnce = 64; // others' packets passed over before the clock is looked at again
    for (int i = 0; i < atOnce; ++i) {
        const ssize_t got = ::recv(m_socket.fd(), m_heard.data(), m_heard.size(), MSG_DONTWAIT);
        if (got < 0)
            break; // nothing more, or a fault
        if (const auto sequence = sequenceOf(QByteArrayView(m_heard.data(), got)))
            return Heard{sequence, std::nullopt, std::nullopt};
    }
    return takeFault();
}

} // namespace napkin
