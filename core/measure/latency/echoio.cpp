// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoio.h"

#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

namespace napkin::pingpong {

namespace {

SteadyTime now()
{
    return std::chrono::steady_clock::now();
}

// `move` sends or receives some of it, as the kernel's calls do. EAGAIN means: nothing for a slice,
// or, in a socket that never waits, nothing yet.
template <typename Move>
Moved moveRest(size_t size, size_t& done, const Limits& limits, const Interrupt& interrupt,
               Move move)
{
    std::optional<SteadyTime> quietSince;
    int count = 0;
    while (done < size) {
        const ssize_t moved = move(done);
        if (moved > 0) {
            done += static_cast<size_t>(moved);
            quietSince.reset();
            if (done == size)
                break;
            if (interrupt.isCancelled())
                return Moved::Interrupted;
            if (now() >= limits.until)
                return Moved::TimedOut;
            continue;
        }
        if (moved == 0)
            return Moved::Closed;
        if (errno != EAGAIN && errno != EINTR)
            return Moved::Failed;
        if (!quietSince)
            quietSince = now();
        if (++count % limits.looks != 0)
            continue;
        if (interrupt.isCancelled())
            return Moved::Interrupted;
        const SteadyTime at = now();
        if (at >= limits.until)
            return at - *quietSince >= limits.hush ? Moved::Silent : Moved::TimedOut;
        if (at - *quietSince >= limits.silence)
            return Moved::Silent;
    }
    return Moved::Whole;
}

tl::unexpected<Error> failErrno(QString context)
{
    const int error = errno;
    return fail(codeOfErrno(error), std::move(context), textOfErrno(error));
}

Result<Socket> openUdp(int family)
{
    Socket socket(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_UDP));
    if (!socket.isOpen())
        return failErrno({});
    return socket;
}

} // namespace

void setWait(const Socket& socket, WaitMode wait, std::chrono::milliseconds longest)
{
    if (wait == WaitMode::Blocking)
        setBlocking(socket, std::max(1ms, std::min(longest, slice)));
}

Moved sendRest(const Socket& socket, std::span<const char> message, size_t& done,
               const Limits& limits, const Interrupt& interrupt)
{
    return moveRest(message.size(), done, limits, interrupt, [&](size_t at) {
        return ::send(socket.fd(), message.data() + at, message.size() - at, MSG_NOSIGNAL);
    });
}

Moved receiveRest(const Socket& socket, std::span<char> message, size_t& done, const Limits& limits,
                  const Interrupt& interrupt)
{
    return moveRest(message.size(), done, limits, interrupt, [&](size_t at) {
        return ::recv(socket.fd(), message.data() + at, message.size() - at, 0);
    });
}

Ready waitReadable(int fd, SteadyTime until, const Interrupt& interrupt)
{
    while (!interrupt.isCancelled()) {
        const Duration left = std::clamp<Duration>(until - now(), 0ns, 1s);
        const timespec time{0, static_cast<long>(std::min<Duration>(left, 999'999'999ns).count())};
        std::array<pollfd, 2> polled{pollfd{fd, POLLIN, 0}, pollfd{interrupt.fd(), POLLIN, 0}};
        const int count = ::ppoll(polled.data(), polled.size(), &time, nullptr);
        if (count > 0 && polled[0].revents != 0)
            return Ready::Yes;
        if (count > 0 && polled[1].revents != 0)
            return Ready::Interrupted;
        if (now() >= until)
            return Ready::TimedOut;
    }
    return Ready::Interrupted;
}

bool pauseUntil(SteadyTime until, WaitMode wait, const Interrupt& interrupt)
{
    if (wait == WaitMode::Blocking)
        return waitReadable(-1, until, interrupt) != Ready::Interrupted;
    while (now() < until) {
        if (interrupt.isCancelled())
            return false;
    }
    return true;
}

bool isClosed(const Socket& socket)
{
    char byte = 0;
    const ssize_t got = ::recv(socket.fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

Result<Socket> bindUdp(const SocketAddress& address)
{
    Result<Socket> socket = openUdp(address.family());
    if (!socket)
        return socket;
    if (address.family() == AF_INET6) {
        const int off = 0;
        ::setsockopt(socket->fd(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    if (::bind(socket->fd(), address.raw(), address.length) != 0)
        return failErrno(address.text());
    return socket;
}

Result<Socket> connectUdp(const SocketAddress& to, const LeaveBy& by)
{
    Result<Socket> socket = openUdp(to.family());
    if (!socket)
        return socket;
    if (auto bound = leaveThrough(*socket, by); !bound)
        return tl::unexpected(bound.error());
    if (::connect(socket->fd(), to.raw(), to.length) != 0)
        return failErrno(to.text());
    return socket;
}

Duration measureClockStep()
{
    constexpr int readings = 4'000;
    Duration least = Duration::max();
    SteadyTime last = now();
    for (int i = 0; i < readings; ++i) {
        const SteadyTime next = now();
        if (next > last)
            least = std::min<Duration>(least, next - last);
        last = next;
    }
    while (least == Duration::max()) { // a clock so coarse that it stood still all the while
        const SteadyTime next = now();
        if (next > last)
            least = next - last;
    }
    return least;
}

} // namespace napkin::pingpong
