// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/result.h"

namespace napkin {

// What is known of this machine, and of the interface that holds `local`. Reads files in /proc and
// /sys: not for a GUI thread.
[[nodiscard]] HostConditions hostConditions(const std::optional<SocketAddress>& local,
                                            const QString& interfaceName = {});

[[nodiscard]] bool interfaceExists(const QString& name);
// Whether an interface of this machine has that address.
[[nodiscard]] bool isOwnAddress(const SocketAddress& address);
[[nodiscard]] QString interfaceOf(const SocketAddress& address); // empty: none has it

} // namespace napkin
