// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/socket.h"

#include <QCoreApplication>
#include <QFile>

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Socket)
};

tl::unexpected<Error> failErrno(int error, QString context = {})
{
    return fail(codeOfErrno(error), std::move(context), textOfErrno(error));
}

void setInt(const Socket& socket, int level, int option, int value)
{
    ::setsockopt(socket.fd(), level, option, &value, sizeof value);
}

Result<void> bindToInterface(const Socket& socket, const QString& name)
{
    const QByteArray bytes = name.toUtf8();
    if (bytes.size() >= IFNAMSIZ || if_nametoindex(bytes.constData()) == 0)
        return fail(ErrorCode::NoSuchInterface, name);
    if (::setsockopt(socket.fd(), SOL_SOCKET, SO_BINDTODEVICE, bytes.constData(),
                     static_cast<socklen_t>(bytes.size())) == 0)
        return {};
    if (errno == ENODEV)
        return fail(ErrorCode::NoSuchInterface, name);
    return failErrno(errno, Words::tr("Binding to the interface %1").arg(name));
}

} // namespace

Socket::Socket(Socket&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1))
{}

Socket& Socket::operator=(Socket&& other) noexcept
{
    if (this != &other) {
        close();
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

void Socket::close()
{
    if (m_fd >= 0)
        ::close(std::exchange(m_fd, -1));
}

int SocketAddress::port() const
{
    if (family() == AF_INET)
        return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
}

void SocketAddress::setPort(int port)
{
    const in_port_t value = htons(static_cast<std::uint16_t>(port));
    if (family() == AF_INET)
        reinterpret_cast<sockaddr_in*>(&storage)->sin_port = value;
    else
        reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port = value;
}

bool SocketAddress::isLoopback() const
{
    const QString plain = text();
    return plain == QLatin1StringView("::1") || plain.startsWith(QLatin1StringView("127."));
}

bool SocketAddress::wantsScope() const
{
    if (family() != AF_INET6)
        return false;
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&storage);
    return v6->sin6_scope_id == 0 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr);
}

QString SocketAddress::text() const
{
    std::array<char, NI_MAXHOST> host{};
    if (::getnameinfo(raw(), length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0)
        return {};
    QString plain = QString::fromLatin1(host.data());
    if (plain.startsWith(QLatin1StringView("::ffff:")) && plain.contains(QLatin1Char('.')))
        plain.remove(0, 7);
    return plain;
}

bool SocketAddress::sameHost(const SocketAddress& other) const
{
    return text() == other.text();
}

Result<SocketAddress> addressFromText(const QString& text, int port)
{
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const QByteArray host = text.trimmed().toUtf8();
    const QByteArray service = QByteArray::number(port);
    if (::getaddrinfo(host.constData(), service.constData(), &hints, &found) != 0)
        return fail(ErrorCode::NameNotResolved, text);
    SocketAddress address;
    std::memcpy(&address.storage, found->ai_addr, found->ai_addrlen);
    address.length = found->ai_addrlen;
    ::freeaddrinfo(found);
    return address;
}

std::optional<SocketAddress> localAddress(const Socket& socket)
{
    SocketAddress address;
    address.length = sizeof address.storage;
    if (::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address.storage),
                      &address.length) != 0)
        return std::nullopt;
    return address;
}

std::optional<SocketAddress> peerAddress(const Socket& socket)
{
    SocketAddress address;
    address.length = sizeof address.storage;
    if (::getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&address.storage),
                      &address.length) != 0)
        return std::nullopt;
    return address;
}

QString peerName(const Socket& socket)
{
    const auto address = peerAddress(socket);
    return address ? address->text() : QString();
}

Interrupt::Interrupt(CancelToken token)
    : m_token(std::move(token))
    , m_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    , m_callback(m_token, [this] { raise(); })
{}

void Interrupt::raise()
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m_event.fd(), &one, sizeof one);
}

void Interrupt::clear()
{
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(m_event.fd(), &count, sizeof count);
}

Ready waitReady(int fd, short events, Deadline deadline, const Interrupt& interrupt)
{
    // Bounded slices: should the event descriptor be missing, the token is still looked at.
    constexpr int longestSlice = 200;
    while (true) {
        if (interrupt.isCancelled())
            return Ready::Interrupted;
        const auto left =
            static_cast<int>(std::min<std::int64_t>(deadline.remaining().count(), longestSlice));
        std::array<pollfd, 2> polled{pollfd{fd, events, 0}, pollfd{interrupt.fd(), POLLIN, 0}};
        const int count = ::poll(polled.data(), polled.size(), left);
        if (count > 0 && polled[1].revents != 0)
            return Ready::Interrupted;
        if (count > 0 && polled[0].revents != 0)
            return Ready::Yes;
        if (count < 0 && errno != EINTR)
            return Ready::TimedOut;
        if (deadline.hasPassed())
            return Ready::TimedOut;
    }
}

ErrorCode codeOfErrno(int error)
{
    switch (error) {
    case ECONNREFUSED:
        return ErrorCode::ConnectionRefused;
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
        return ErrorCode::HostUnreachable;
    case ETIMEDOUT:
        return ErrorCode::TimedOut;
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
        return ErrorCode::ConnectionLost;
    case EADDRINUSE:
        return ErrorCode::AddressInUse;
    case EADDRNOTAVAIL:
        return ErrorCode::AddressNotAvailable;
    case EACCES:
    case EPERM:
    case EMFILE: // a limit that the machine's owner set
    case ENFILE:
        return ErrorCode::PermissionDenied;
    case ENODEV:
        return ErrorCode::NoSuchInterface;
    case ENOMEM:
    case ENOBUFS:
        return ErrorCode::OutOfMemory;
    case EAFNOSUPPORT:
        return ErrorCode::Unsupported;
    default:
        return ErrorCode::Internal;
    }
}

QString textOfErrno(int error)
{
    return QString::fromStdString(std::generic_category().message(error));
}

Result<void> leaveThrough(const Socket& socket, const LeaveBy& by)
{
    if (!by.interfaceName.isEmpty()) {
        if (auto bound = bindToInterface(socket, by.interfaceName); !bound)
            return bound;
    }
    if (by.source && ::bind(socket.fd(), by.source->raw(), by.source->length) != 0)
        return failErrno(errno, by.source->text());
    return {};
}

Result<Socket> openTcp(int family, const LeaveBy& by)
{
    Socket socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (!socket.isOpen())
        return failErrno(errno, Words::tr("Opening a socket"));
    if (auto bound = leaveThrough(socket, by); !bound)
        return tl::unexpected(bound.error());
    return socket;
}

Result<Socket> connectTcp(const SocketAddress& to, const LeaveBy& by, Deadline deadline,
                          const Interrupt& interrupt)
{
    Result<Socket> socket = openTcp(to.family(), by);
    if (!socket)
        return socket;
    if (::connect(socket->fd(), to.raw(), to.length) == 0)
        return socket;
    if (errno == EINVAL && by.source) // such as from 127.0.0.1 to another machine
        return fail(ErrorCode::HostUnreachable, {},
                    Words::tr("not from the source address %1").arg(by.source->text()));
    if (errno != EINPROGRESS)
        return failErrno(errno);
    switch (waitReady(socket->fd(), POLLOUT, deadline, interrupt)) {
    case Ready::Interrupted:
        return fail(ErrorCode::Cancelled);
    case Ready::TimedOut:
        return fail(ErrorCode::TimedOut);
    case Ready::Yes:
        break;
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket->fd(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0)
        return failErrno(error);
    return socket;
}

Result<Socket> listenTcp(const SocketAddress& address)
{
    Socket socket(
        ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (!socket.isOpen())
        return failErrno(errno, address.text());
    setInt(socket, SOL_SOCKET, SO_REUSEADDR, 1);
    if (address.family() == AF_INET6)
        setInt(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    constexpr int backlog = 256;
    if (::bind(socket.fd(), address.raw(), address.length) != 0 ||
        ::listen(socket.fd(), backlog) != 0)
        return failErrno(errno, address.text());
    return socket;
}

Result<Socket> acceptTcp(const Socket& listener)
{
    Socket socket(::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.isOpen() && (errno == EAGAIN || errno == ECONNABORTED))
        return fail(ErrorCode::NotFound);
    if (!socket.isOpen())
        return failErrno(errno);
    return socket;
}

void setBlocking(const Socket& socket, std::chrono::milliseconds timeout)
{
    const int flags = ::fcntl(socket.fd(), F_GETFL);
    ::fcntl(socket.fd(), F_SETFL, flags & ~O_NONBLOCK);
    timeval time{};
    time.tv_sec = timeout.count() / 1000;
    time.tv_usec = static_cast<suseconds_t>(timeout.count() % 1000 * 1000);
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

void setNoDelay(const Socket& socket)
{
    setInt(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

void setKeepAlive(const Socket& socket)
{
    setInt(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    setInt(socket, IPPROTO_TCP, TCP_KEEPIDLE, 5);
    setInt(socket, IPPROTO_TCP, TCP_KEEPINTVL, 2);
    setInt(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

void setPatientKeepAlive(const Socket& socket)
{
    setInt(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    setInt(socket, IPPROTO_TCP, TCP_KEEPIDLE, 1);
    setInt(socket, IPPROTO_TCP, TCP_KEEPINTVL, 1);
    setInt(socket, IPPROTO_TCP, TCP_KEEPCNT, 9);
}

namespace {

// One of the kernel's lists: "cubic, reno".
QString kernelList(const char* file)
{
    QFile list(QStringLiteral("/proc/sys/net/ipv4/") + QLatin1StringView(file));
    if (!list.open(QIODevice::ReadOnly))
        return {};
    const QString words = QString::fromLatin1(list.readAll()).simplified();
    return words.split(u' ', Qt::SkipEmptyParts).join(QStringLiteral(", "));
}

// Why it was refused, with those that would do.
QString congestionAdvice(int error)
{
    const QString usable = kernelList(error == EPERM ? "tcp_allowed_congestion_control"
                                                     : "tcp_available_congestion_control");
    if (usable.isEmpty())
        return textOfErrno(error);
    return error == EPERM ? Words::tr("without more rights this machine allows: %1").arg(usable)
                          : Words::tr("this machine has: %1").arg(usable);
}

} // namespace

Result<void> setCongestionControl(const Socket& socket, const QString& name)
{
    const QByteArray bytes = name.toUtf8();
    if (::setsockopt(socket.fd(), IPPROTO_TCP, TCP_CONGESTION, bytes.constData(),
                     static_cast<socklen_t>(bytes.size())) == 0)
        return {};
    const int error = errno;
    return fail(error == EPERM ? ErrorCode::PermissionDenied : ErrorCode::Unsupported,
                Words::tr("The congestion control “%1”").arg(name), congestionAdvice(error));
}

QString congestionControl(const Socket& socket)
{
    std::array<char, 64> name{};
    socklen_t size = name.size() - 1;
    if (::getsockopt(socket.fd(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &size) != 0)
        return {};
    return QString::fromLatin1(name.data());
}

void setBufferSizes(const Socket& socket, int bytes)
{
    setInt(socket, SOL_SOCKET, SO_RCVBUF, bytes);
    setInt(socket, SOL_SOCKET, SO_SNDBUF, bytes);
}

void setMaxSegment(const Socket& socket, int bytes)
{
    setInt(socket, IPPROTO_TCP, TCP_MAXSEG, bytes);
}

std::optional<int> maxSegment(const Socket& socket)
{
    int bytes = 0;
    socklen_t size = sizeof bytes;
    if (::getsockopt(socket.fd(), IPPROTO_TCP, TCP_MAXSEG, &bytes, &size) != 0 || bytes <= 0)
        return std::nullopt;
    return bytes;
}

void setReceiveMark(const Socket& socket, int bytes)
{
    setInt(socket, SOL_SOCKET, SO_RCVLOWAT, bytes);
}

void setPacingRate(const Socket& socket, std::uint64_t bytesPerSecond)
{
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_MAX_PACING_RATE, &bytesPerSecond,
                 sizeof bytesPerSecond);
}

} // namespace napkin
