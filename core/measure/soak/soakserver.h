// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/ticket.h"
#include "core/results/spec.h"

#include <QStringList>

#include <memory>

namespace napkin {

struct SoakServerOptions
{
    QString bindAddress; // empty: all addresses
    int port = 0;        // 0: any free one
    DataTicket ticket;
    QStringList clients;                           // addresses that may connect; empty: any
    SoakOptions soak;                              // what was asked for: nothing else is served
    std::chrono::milliseconds longest{86'400'000}; // it serves; then everything is closed
};

// The far end of one soak: sends and checks blocks for whoever proves to hold the ticket, over one
// connection at a time. A new one that proves itself takes the place of the one before, which this
// end may not know yet to be dead; so the near end comes back as often as it has to. Two blocks of
// memory a direction, on threads of its own.
class SoakServer
{
public:
    // Listens at once. AddressInUse, AddressNotAvailable, PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<SoakServer>> start(SoakServerOptions options);
    ~SoakServer(); // closes everything and joins its threads at once
    SoakServer(const SoakServer&) = delete;
    SoakServer& operator=(const SoakServer&) = delete;
    SoakServer(SoakServer&&) = delete;
    SoakServer& operator=(SoakServer&&) = delete;

    [[nodiscard]] int port() const;

private:
    class Private;
    explicit SoakServer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
