// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/ticket.h"
#include "core/quantity/quantity.h"
#include "core/results/latency.h"

#include <QStringList>

#include <chrono>
#include <memory>

namespace napkin {

struct EchoServerOptions
{
    QString bindAddress; // empty: all addresses
    int port = 0;        // 0: any free one; with UDP the same number there
    DataTicket ticket;
    QStringList clients; // addresses that may connect; empty: any
    // What was agreed: a plan that wants more is refused.
    EchoMethod method = EchoMethod::Tcp;          // Tcp or Udp
    ByteCount largest = ByteCount::bytes(65'507); // message
    std::chrono::milliseconds longest{3'600'000}; // run
};

// The far end of one ping-pong over TCP or UDP: for the holder of the ticket, once; then the port
// is closed. Sends back each message as it came, on a thread of its own. The messages are bounded
// in size, number and time, and a silence of 10 s ends the run. Datagrams are answered only with
// the ticket's mark and from the address that has shown the ticket, and never with more bytes than
// came.
class EchoServer
{
public:
    // Listens at once. AddressInUse, AddressNotAvailable, PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<EchoServer>> start(EchoServerOptions options);
    ~EchoServer(); // closes the port and joins the thread, within 0.2 s
    EchoServer(const EchoServer&) = delete;
    EchoServer& operator=(const EchoServer&) = delete;
    EchoServer(EchoServer&&) = delete;
    EchoServer& operator=(EchoServer&&) = delete;

    [[nodiscard]] int port() const;

private:
    class Private;
    explicit EchoServer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

struct DatagramServerOptions
{
    QString bindAddress; // empty: all addresses
    int port = 0;        // 0: any free one
    DataTicket ticket;
    QStringList clients;                          // addresses that are answered; empty: any
    ByteCount size = ByteCount::bytes(64);        // of each datagram: others are dropped
    std::chrono::milliseconds longest{3'600'000}; // then it stops
};

// Sends back datagrams that carry the ticket's mark, beside another measurement that has a
// connection of its own; for one sender, the first that has the mark. On a thread of its own.
class DatagramServer
{
public:
    // AddressInUse, AddressNotAvailable, PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<DatagramServer>>
    start(DatagramServerOptions options);
    ~DatagramServer(); // closes the port and joins the thread, within 0.2 s
    DatagramServer(const DatagramServer&) = delete;
    DatagramServer& operator=(const DatagramServer&) = delete;
    DatagramServer(DatagramServer&&) = delete;
    DatagramServer& operator=(DatagramServer&&) = delete;

    [[nodiscard]] int port() const;

private:
    class Private;
    explicit DatagramServer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
