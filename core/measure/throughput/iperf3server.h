// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/ticket.h"
#include "core/quantity/quantity.h"
#include "core/results/spec.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <chrono>
#include <memory>
#include <optional>

namespace napkin {

struct Iperf3ServerOptions
{
    QString bindAddress; // empty: all addresses, IPv4 and IPv6
    int port = 5201;     // 0: any free one, see Iperf3Server::port()
    int maxStreams = 128;
    std::chrono::seconds maxDuration{86'400};
    // UDP, of all streams of a direction: who asks for more, or for no limit, is refused. None:
    // any.
    std::optional<BitRate> maxUdpRate;
    // `tests` of them only, for whoever shows that it holds this ticket; then the port is closed.
    // Anybody else, stock iperf3 too, is turned away before a word is said.
    std::optional<DataTicket> ticket;
    QStringList clients; // addresses that may connect; empty: any
    int tests = 1; // with a ticket: so many in turn, each further one with the ticket's next()
};

struct ServedTest
{
    QString client; // address
    Flow flow = Flow::Forward;
    int streams = 1;
    bool udp = false;
    // All streams together: what arrived here, and what the client acknowledged (with UDP, where
    // nobody acknowledges: what was sent). Nullopt where nothing was to go that way, and when the
    // test ended before its results.
    std::optional<BitRate> received;
    std::optional<BitRate> sent;
    std::optional<Error> fault;
};

// A far end for the iperf3 protocol over TCP and UDP: stock iperf3 3.9 to 3.21 and our own client
// measure against it. One test at a time; a further client is told that it is busy, as iperf3 does.
// With a ticket a single test of its holder. Datagrams go to, and are taken from, nobody but the
// machine at the other end of the test's control connection; a UDP port is open only while a test
// of UDP is set up. Works on its own threads.
class Iperf3Server : public QObject
{
    Q_OBJECT
public:
    // Listens at once. AddressInUse, AddressNotAvailable, PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<Iperf3Server>> start(Iperf3ServerOptions options);
    ~Iperf3Server() override; // ends a running test, joins its threads; at most 1 s

    [[nodiscard]] int port() const;

Q_SIGNALS:
    // On the thread that made the server.
    void testStarted(QString client);
    void testEnded(napkin::ServedTest test);
    // Busy, nonsense, too large, without the ticket (PermissionDenied).
    void clientRefused(QString client, napkin::Error why);

private:
    class Private;
    explicit Iperf3Server(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
