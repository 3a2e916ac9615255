// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/datagrams.h"

#include "core/measure/pathmtu/mtumessage.h"

#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

namespace napkin::pathmtu {

namespace {

constexpr qsizetype largestDatagram = 65'536;

} // namespace

Datagrams::Datagrams(Socket socket, int family, QByteArray outgoing, QByteArray incoming)
    : m_socket(std::move(socket))
    , m_headers((family == AF_INET ? 20 : 40) + 8)
    , m_outgoing(std::move(outgoing))
    , m_incoming(std::move(incoming))
    , m_buffer(largestDatagram, Qt::Uninitialized)
{}

Result<Datagrams> Datagrams::open(int family, const LeaveBy& by, QByteArray outgoing,
                                  QByteArray incoming)
{
    Socket socket(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_UDP));
    if (!socket.isOpen())
        return fail(codeOfErrno(errno), {}, textOfErrno(errno));
    hearFaults(socket, family);
    return leaveThrough(socket, by)
        .and_then([&] { return forbidFragments(socket, family); })
        .map([&] {
            return Datagrams(std::move(socket), family, std::move(outgoing), std::move(incoming));
        });
}

Result<void> Datagrams::connectTo(const SocketAddress& to)
{
    if (::connect(m_socket.fd(), to.raw(), to.length) == 0)
        return {};
    const int error = errno;
    return fail(error == EINVAL ? ErrorCode::HostUnreachable : codeOfErrno(error), {},
                textOfErrno(error));
}

void Datagrams::drainFaults()
{
    constexpr size_t most = 64;
    while (auto returned = napkin::takeReturned(m_socket)) {
        if (returned->isTooBig && returned->by.isEmpty())
            m_allowed = returned->mtu;
        else if (m_returned.size() < most)
            m_returned.push_back(std::move(*returned));
    }
    forgetFault(m_socket.fd());
}

Result<Datagrams::Sent> Datagrams::send(std::uint32_t sequence, int size)
{
    drainFaults();
    const QByteArray datagram = encodeDatagram(m_outgoing, sequence, size - m_headers);
    if (::send(m_socket.fd(), datagram.constData(), static_cast<size_t>(datagram.size()),
               MSG_NOSIGNAL) >= 0)
        return Sent::Yes;
    const int error = errno;
    drainFaults();
    if (error == EMSGSIZE)
        return Sent::TooBig;
    if (error == ENOBUFS || error == EAGAIN || error == ENOMEM)
        return Sent::NotThisTime;
    return fail(codeOfErrno(error), {}, textOfErrno(error));
}

std::optional<Datagrams::Arrival> Datagrams::receive()
{
    constexpr int atOnce = 64; // others' datagrams passed over before the clock is looked at again
    for (int i = 0; i < atOnce; ++i) {
        Arrival arrival;
        arrival.from.length = sizeof arrival.from.storage;
        const ssize_t got = ::recvfrom(
            m_socket.fd(), m_buffer.data(), static_cast<size_t>(m_buffer.size()), MSG_DONTWAIT,
            reinterpret_cast<sockaddr*>(&arrival.from.storage), &arrival.from.length);
        if (got < 0)
            return std::nullopt;
        const auto sequence = sequenceOf(QByteArrayView(m_buffer.constData(), got), m_incoming);
        if (!sequence)
            continue;
        arrival.sequence = *sequence;
        arrival.size = static_cast<int>(got) + m_headers;
        return arrival;
    }
    return std::nullopt;
}

std::optional<Datagrams::GivenBack> Datagrams::takeBack()
{
    drainFaults();
    if (m_returned.empty())
        return std::nullopt;
    GivenBack back{std::move(m_returned.front()), 0};
    m_returned.pop_front();
    back.sequence = sequenceOf(back.returned.quoted, m_outgoing).value_or(0);
    return back;
}

Ready waitReadable(std::span<const int> descriptors, Deadline deadline, const Interrupt& interrupt)
{
    constexpr std::int64_t longestSlice = 200;
    std::vector<pollfd> polled{{interrupt.fd(), POLLIN, 0}};
    for (const int fd : descriptors)
        polled.push_back({fd, POLLIN, 0});
    while (true) {
        if (interrupt.isCancelled())
            return Ready::Interrupted;
        const auto left = std::min<std::int64_t>(deadline.remaining().count(), longestSlice);
        const int count = ::poll(polled.data(), polled.size(), static_cast<int>(left));
        if (count > 0 && polled.front().revents != 0)
            return Ready::Interrupted;
        if (count > 0)
            return Ready::Yes;
        if ((count < 0 && errno != EINTR) || deadline.hasPassed())
            return Ready::TimedOut;
    }
}

} // namespace napkin::pathmtu
