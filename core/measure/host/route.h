// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/hostfacts.h"

namespace napkin {

// The way the kernel would send to a numeric address, from `source` unless that is empty; either
// may carry a scope ("fe80::1%eth0"). The interface need not be the one that holds `source`: Linux
// lets an address of one interface leave through another. The loopback interface for an address of
// this machine itself. NameNotResolved when it is no address, InvalidArgument when the two are of
// different families, HostUnreachable when there is no way, AddressNotAvailable when `source` is
// not this machine's. Waits for the kernel for at most a second: not for a GUI thread.
[[nodiscard]] Result<RouteFacts> routeTo(const QString& address, const QString& source = {});

} // namespace napkin
