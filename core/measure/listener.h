// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"

#include <QStringList>

namespace napkin {

// Listens on that address; empty: on all, IPv6 with IPv4, or IPv4 alone where the kernel has no
// IPv6. Port 0: any free one. AddressInUse, AddressNotAvailable, PermissionDenied, with what was
// asked for as context.
[[nodiscard]] Result<Socket> openListener(const QString& bindAddress, int port);

// Whether an address is one of these, whatever the scope of either.
[[nodiscard]] bool isAmong(const QString& address, const QStringList& addresses);

} // namespace napkin
