// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/measure/os/socket.h"
#include "core/results/latency.h"

#include <chrono>
#include <optional>
#include <span>

// Moving messages over sockets, asleep or asking all the time. A blocking call of the kernel is not
// woken by an interrupt: it ends after `slice` at the latest, and then all limits are looked at.
namespace napkin::pingpong {

using namespace std::chrono_literals;

inline constexpr std::chrono::milliseconds slice{100};
inline constexpr Duration silenceLimit = 10s; // without a byte

enum class Moved {
    Whole,
    TimedOut,    // `until` is over; call again for the rest
    Silent,      // not a byte for `silence`, or for `hush` as the time was over
    Interrupted, // cancelled
    Closed,      // the other side has ended the connection
    Failed,      // see errno
};

struct Limits
{
    SteadyTime until;
    Duration silence = silenceLimit;
    int looks = 1; // at them: every so many calls that moved nothing
    // So long without a byte when `until` comes is silence, not a time that was too short.
    Duration hush = Duration::max();
};
[[nodiscard]] constexpr int looksOf(WaitMode wait)
{
    return wait == WaitMode::BusyPoll ? 256 : 1;
}

// Prepares the socket for one of the waits: blocking calls that end after `longest`, or calls that
// never wait.
void setWait(const Socket& socket, WaitMode wait, std::chrono::milliseconds longest);

// Send and receive the rest of a message, from `done` on, over a connection; `done` grows.
[[nodiscard]] Moved sendRest(const Socket& socket, std::span<const char> message, size_t& done,
                             const Limits& limits, const Interrupt& interrupt);
[[nodiscard]] Moved receiveRest(const Socket& socket, std::span<char> message, size_t& done,
                                const Limits& limits, const Interrupt& interrupt);

// False when interrupted. With BusyPoll the core is kept awake.
[[nodiscard]] bool pauseUntil(SteadyTime until, WaitMode wait, const Interrupt& interrupt);
// Whether there is something to read, or a fault, by then. To the microsecond.
[[nodiscard]] Ready waitReadable(int fd, SteadyTime until, const Interrupt& interrupt);

// Whether the other side has closed the connection, or it broke. Reads nothing, never waits.
[[nodiscard]] bool isClosed(const Socket& socket);

// A datagram socket bound to that address. AddressInUse, AddressNotAvailable, PermissionDenied.
[[nodiscard]] Result<Socket> bindUdp(const SocketAddress& address);
// One that is connected: it hears that address alone.
[[nodiscard]] Result<Socket> connectUdp(const SocketAddress& to, const LeaveBy& by);

// The smallest step of std::chrono::steady_clock other than none, as seen in some thousand
// readings.
[[nodiscard]] Duration measureClockStep();

} // namespace napkin::pingpong
