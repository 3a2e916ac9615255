// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/reach/echo.h"

#include <QByteArray>

namespace napkin {

// Sends echoes through the system's ping (iputils' options) and fills in what it counted.
// NotFound when there is no such program, PermissionDenied when it may not either. Blocks until
// it ended, at the latest until `deadline`; then it is killed.
[[nodiscard]] Result<void> runPing(const SocketAddress& to, const LeaveBy& by,
                                   const EchoOptions& options, Deadline deadline,
                                   const Interrupt& interrupt, EchoReport& report);

// What ping printed (in the locale C), as far as it is about single replies: their RTTs in order,
// none counted twice.
[[nodiscard]] std::vector<Duration> parsePing(QByteArrayView output);

// Whether what ping said means that it may not.
[[nodiscard]] bool isAboutPermission(const QString& reason);

} // namespace napkin
