// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"

namespace napkin {

// The interface through which the kernel sends from `local` to `peer`, by its routes. It need not
// be the one that holds `local`: Linux lets an address of one interface leave through another.
// Empty when the kernel does not say. Waits for the kernel's answer for at most a second: not for a
// GUI thread.
[[nodiscard]] QString egressInterface(const SocketAddress& local, const SocketAddress& peer);

} // namespace napkin
