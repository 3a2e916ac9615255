// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/ticket.h"

#include <QStringList>

#include <memory>

namespace napkin {

struct PathMtuServerOptions
{
    QString bindAddress; // empty: all addresses
    int port = 0;        // TCP and UDP; 0: any free one
    DataTicket ticket;
    QStringList clients; // addresses that may connect; empty: any
};

// The far end of one path MTU run: says which datagrams came, sends some back when asked, to where
// the first one came from and nowhere else, and takes or gives bytes on data connections. Serves
// whoever shows the ticket, once, on a thread of its own.
class PathMtuServer
{
public:
    // Listens at once. AddressInUse, AddressNotAvailable, PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<PathMtuServer>> start(PathMtuServerOptions options);
    ~PathMtuServer(); // closes everything and joins the thread at once
    PathMtuServer(const PathMtuServer&) = delete;
    PathMtuServer& operator=(const PathMtuServer&) = delete;
    PathMtuServer(PathMtuServer&&) = delete;
    PathMtuServer& operator=(PathMtuServer&&) = delete;

    [[nodiscard]] int port() const;

private:
    class Private;
    explicit PathMtuServer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
