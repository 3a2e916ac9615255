// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/ticket.h"

#include <QStringList>

#include <memory>

namespace napkin {

struct ConnectServerOptions
{
    QString bindAddress; // empty: all addresses
    int port = 0;        // 0: any free one
    DataTicket ticket;
    QStringList clients; // addresses that may connect; empty: any
};

// A port for one measurement of connect times: the holder of the ticket shows it on a first
// connection and then opens and closes as many as it likes. Accepts and closes on a thread of its
// own; nothing is ever read after the ticket was shown.
class ConnectServer
{
public:
    // Listens at once. AddressInUse, AddressNotAvailable, PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<ConnectServer>> start(ConnectServerOptions options);
    ~ConnectServer(); // closes the port and joins the thread at once
    ConnectServer(const ConnectServer&) = delete;
    ConnectServer& operator=(const ConnectServer&) = delete;
    ConnectServer(ConnectServer&&) = delete;
    ConnectServer& operator=(ConnectServer&&) = delete;

    [[nodiscard]] int port() const;

private:
    class Private;
    explicit ConnectServer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
