// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/deadline.h"
#include "core/base/error.h"

#include <sys/socket.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace napkin {

// Owns a file descriptor.
class Socket
{
public:
    Socket() = default;
    explicit Socket(int fd)
        : m_fd(fd)
    {}
    ~Socket() { close(); }
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }
    void close();

private:
    int m_fd = -1;
};

// An IPv4 or IPv6 address with port, as the kernel takes it.
struct SocketAddress
{
    sockaddr_storage storage{};
    socklen_t length = 0;

    [[nodiscard]] const sockaddr* raw() const
    {
        return reinterpret_cast<const sockaddr*>(&storage);
    }
    [[nodiscard]] int family() const { return storage.ss_family; }
    [[nodiscard]] int port() const;
    void setPort(int port);
    [[nodiscard]] bool isLoopback() const;
    // Local to a link, and the interface is not said: fe80::1 without %eth0.
    [[nodiscard]] bool wantsScope() const;
    // Without the port; an IPv4 address mapped into IPv6 reads as IPv4; a scope is kept
    // ("fe80::1%eth0").
    [[nodiscard]] QString text() const;
    // Whether both name the same interface address, whatever the port.
    [[nodiscard]] bool sameHost(const SocketAddress& other) const;
};

// A numeric address, with a scope where there is one. Never asks a name server. NameNotResolved
// when it is not an address.
[[nodiscard]] Result<SocketAddress> addressFromText(const QString& text, int port);
[[nodiscard]] std::optional<SocketAddress> localAddress(const Socket& socket);
[[nodiscard]] std::optional<SocketAddress> peerAddress(const Socket& socket);
[[nodiscard]] QString peerName(const Socket& socket); // its address; empty: not connected

// Wakes whoever waits on a descriptor: when the token is stopped, or by raise() from any thread.
class Interrupt
{
public:
    explicit Interrupt(CancelToken token = {});
    ~Interrupt() = default;
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    Interrupt(Interrupt&&) = delete;
    Interrupt& operator=(Interrupt&&) = delete;

    void raise();
    void clear(); // what raise() did; a stopped token stays stopped
    [[nodiscard]] bool isCancelled() const { return m_token.stop_requested(); }
    [[nodiscard]] int fd() const { return m_event.fd(); }

private:
    CancelToken m_token;
    Socket m_event;
    std::stop_callback<std::function<void()>> m_callback;
};

enum class Ready { Yes, TimedOut, Interrupted };

// Waits until `fd` is ready for `events` (of poll()). Interrupted also when raise() was called.
[[nodiscard]] Ready waitReady(int fd, short events, Deadline deadline, const Interrupt& interrupt);

// Where a connection leaves this machine.
struct LeaveBy
{
    QString interfaceName;
    std::optional<SocketAddress> source;
};

// The kernel's errno as one of our codes.
[[nodiscard]] ErrorCode codeOfErrno(int error);
[[nodiscard]] QString textOfErrno(int error);

// Binds the socket as asked. PermissionDenied, NoSuchInterface, AddressNotAvailable.
[[nodiscard]] Result<void> leaveThrough(const Socket& socket, const LeaveBy& by);

// A new, non-blocking TCP socket of that family, bound as asked. PermissionDenied,
// NoSuchInterface, AddressNotAvailable.
[[nodiscard]] Result<Socket> openTcp(int family, const LeaveBy& by);

// Connects, non-blocking afterwards too. ConnectionRefused, HostUnreachable, TimedOut, Cancelled;
// the error has no context yet.
[[nodiscard]] Result<Socket> connectTcp(const SocketAddress& to, const LeaveBy& by,
                                        Deadline deadline, const Interrupt& interrupt);

// Listens on `address`; for an IPv6 wildcard on IPv4 too.
[[nodiscard]] Result<Socket> listenTcp(const SocketAddress& address);
// A connection that waits, non-blocking. NotFound when none does.
[[nodiscard]] Result<Socket> acceptTcp(const Socket& listener);

void setBlocking(const Socket& socket, std::chrono::milliseconds timeout); // of each call
void setNoDelay(const Socket& socket);
// A peer that is gone without a word ends the connection in about 11 s, even when nothing is said.
void setKeepAlive(const Socket& socket);
// The same within 10 s, through a link that drops most of what it is given: asks every second.
void setPatientKeepAlive(const Socket& socket);
[[nodiscard]] Result<void> setCongestionControl(const Socket& socket, const QString& name);
[[nodiscard]] QString congestionControl(const Socket& socket);
// Best effort: the kernel bounds them.
void setBufferSizes(const Socket& socket, int bytes);
void setMaxSegment(const Socket& socket, int bytes); // 0: back to the kernel's
// What one segment of a connection carries at present. Nullopt where the kernel does not tell.
[[nodiscard]] std::optional<int> maxSegment(const Socket& socket);
// A blocked receive is woken only once so many bytes have come, or when its time is up.
void setReceiveMark(const Socket& socket, int bytes);
void setPacingRate(const Socket& socket, std::uint64_t bytesPerSecond);

} // namespace napkin
