// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/udpsocket.h"

#include <QCoreApplication>

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace napkin::iperf3 {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Udp)
};

constexpr std::string_view helloBytes = "9876";
constexpr std::string_view answerBytes = "6789";
constexpr std::string_view oldAnswerBytes = "\xB1\x68\xDE\x3A"; // before 3.12

void setPort(SocketAddress& address, in_port_t networkOrder)
{
    if (address.family() == AF_INET)
        reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port = networkOrder;
    else
        reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port = networkOrder;
}

Result<Socket> openUdp(int family)
{
    Socket socket(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_UDP));
    if (!socket.isOpen())
        return fail(codeOfErrno(errno), {}, textOfErrno(errno));
    raiseReceiveBuffer(socket);
    return socket;
}

enum class Heard { Answer, Refusal, Other, Nothing };

Heard hear(const Socket& udp)
{
    std::array<char, 64> bytes{};
    const ssize_t got = ::recv(udp.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0)
        return errno == ECONNREFUSED ? Heard::Refusal : Heard::Nothing;
    const std::string_view words(bytes.data(), static_cast<size_t>(got));
    return words == answerBytes || words == oldAnswerBytes ? Heard::Answer : Heard::Other;
}

void say(const Socket& udp, std::string_view bytes)
{
    ::send(udp.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

} // namespace

SocketAddress unmapped(const SocketAddress& address)
{
    if (address.family() != AF_INET6)
        return address;
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    if (!IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr))
        return address;
    SocketAddress plain;
    auto* v4 = reinterpret_cast<sockaddr_in*>(&plain.storage);
    v4->sin_family = AF_INET;
    v4->sin_port = v6->sin6_port;
    std::memcpy(&v4->sin_addr, v6->sin6_addr.s6_addr + 12, sizeof v4->sin_addr);
    plain.length = sizeof(sockaddr_in);
    return plain;
}

Result<Socket> connectUdp(const SocketAddress& local, const SocketAddress& peer,
                          const QString& interfaceName)
{
    Result<Socket> socket = openUdp(peer.family());
    if (!socket)
        return socket;
    SocketAddress source = local;
    setPort(source, 0);
    if (auto bound = leaveThrough(*socket, {interfaceName, source}); !bound)
        return tl::unexpected(bound.error());
    if (::connect(socket->fd(), peer.raw(), peer.length) != 0) {
        const int error = errno; // EINVAL: a rule of the routes drops UDP
        return fail(
            error == EINVAL ? ErrorCode::HostUnreachable : codeOfErrno(error), {},
            Words::tr("no way for UDP, although TCP gets through: %1").arg(textOfErrno(error)));
    }
    return socket;
}

Result<Socket> listenUdp(const SocketAddress& local)
{
    Result<Socket> socket = openUdp(local.family());
    if (!socket)
        return socket;
    const int on = 1;
    ::setsockopt(socket->fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket->fd(), local.raw(), local.length) != 0)
        return fail(codeOfErrno(errno), local.text(), textOfErrno(errno));
    return socket;
}

Greeted greet(const Socket& udp, const Socket& control, Hello hello, Deadline deadline,
              const Interrupt& interrupt)
{
    constexpr auto patience = 300ms; // before asking again
    say(udp, helloBytes);
    Deadline next(patience);
    while (!deadline.hasPassed()) {
        const auto wait = static_cast<int>(deadline.within(next.remaining()).remaining().count());
        std::array<pollfd, 3> polled{pollfd{udp.fd(), POLLIN, 0}, pollfd{control.fd(), POLLIN, 0},
                                     pollfd{interrupt.fd(), POLLIN, 0}};
        ::poll(polled.data(), polled.size(), wait);
        if (interrupt.isCancelled())
            return Greeted::Interrupted;
        if (polled[0].revents != 0) {
            const Heard heard = hear(udp);
            if (heard == Heard::Answer)
                return Greeted::Answered;
            if (heard == Heard::Refusal)
                return Greeted::Refused;
        }
        if (polled[1].revents != 0)
            return Greeted::ControlSpoke;
        if (next.hasPassed()) {
            if (hello == Hello::Again)
                say(udp, helloBytes);
            next = Deadline(patience);
        }
    }
    return Greeted::Unanswered;
}

bool takeHello(const Socket& listener, const SocketAddress& from)
{
    constexpr int atOnce = 64;
    for (int i = 0; i < atOnce; ++i) {
        std::array<char, 64> bytes{};
        SocketAddress sender;
        sender.length = sizeof sender.storage;
        const ssize_t got =
            ::recvfrom(listener.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT,
                       reinterpret_cast<sockaddr*>(&sender.storage), &sender.length);
        if (got < 0)
            return false;
        if (!sender.sameHost(from))
            continue;
        if (::connect(listener.fd(), sender.raw(), sender.length) != 0)
            continue;
        // What strangers sent before that is not to be taken for data.
        while (::recv(listener.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT) >= 0) {
        }
        return true;
    }
    return false;
}

void answerHello(const Socket& udp)
{
    say(udp, answerBytes);
}

void answerAgain(const Socket& udp)
{
    std::array<char, 64> bytes{};
    while (::recv(udp.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT) ==
           static_cast<ssize_t>(helloBytes.size()))
        answerHello(udp);
}

void raiseReceiveBuffer(const Socket& socket)
{
    const int wanted = 8 * 1024 * 1024;
    // The first goes beyond the system's limit, where this program may.
    if (::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) != 0)
        ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
}

std::optional<std::int64_t> droppedDatagrams(const Socket& socket)
{
    std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket.fd(), SOL_SOCKET, SO_MEMINFO, info.data(), &size) != 0 ||
        size <= SK_MEMINFO_DROPS * sizeof info[0])
        return std::nullopt;
    return info[SK_MEMINFO_DROPS];
}

} // namespace napkin::iperf3
