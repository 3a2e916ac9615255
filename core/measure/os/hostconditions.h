// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/result.h"

namespace napkin {

// What is known of both ends of a connection from `local`, bound to an interface or not, to `peer`.
// The interface is the one the routes take, which need not hold `local`.
// What goes to an address of this machine itself goes through the loopback interface, whichever one
// holds the address. Reads files in /proc and /sys: not for a GUI thread.
[[nodiscard]] Conditions conditionsOf(const std::optional<SocketAddress>& local,
                                      const std::optional<SocketAddress>& peer,
                                      const QString& interfaceName = {});

[[nodiscard]] bool interfaceExists(const QString& name);
// Whether an interface of this machine has that address.
[[nodiscard]] bool isOwnAddress(const SocketAddress& address);
[[nodiscard]] QString interfaceOf(const SocketAddress& address); // empty: none has it

} // namespace napkin
