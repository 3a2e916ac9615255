// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/hostfacts.h"

#include <vector>

namespace napkin {

// The way the kernel would send to `to`, from an address of its choice or from `from`. See
// host/route.h.
[[nodiscard]] Result<RouteFacts> kernelRoute(const SocketAddress& to,
                                             const std::optional<SocketAddress>& from);

// The default routes of the main table, IPv4 first, the preferred first; at most 64.
[[nodiscard]] Result<std::vector<RouteFacts>> defaultRoutes();

} // namespace napkin
