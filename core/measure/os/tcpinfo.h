// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <cstdint>
#include <optional>

namespace napkin {

// What the kernel knows of a TCP connection. A kernel that does not tell a figure leaves it out.
struct TcpState
{
    std::optional<std::int64_t> acknowledged; // bytes since the connection began
    std::optional<std::int64_t> retransmits;  // segments since the connection began
    std::optional<ByteCount> congestionWindow;
    std::optional<Duration> rtt; // smoothed
};

[[nodiscard]] TcpState tcpState(int fd);

// Bytes handed to the socket that the other side has not acknowledged yet.
[[nodiscard]] std::optional<std::int64_t> unacknowledged(int fd);

} // namespace napkin
