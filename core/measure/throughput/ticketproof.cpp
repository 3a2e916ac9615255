// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/ticketproof.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::DataTicket)
};

} // namespace

Result<void> proveToFarEnd(iperf3::ControlConnection& control, const DataTicket& ticket)
{
    const QByteArray expected = ticket.farProof();
    const auto stranger = [&control] {
        return fail(ErrorCode::PeerRefused, control.peer(),
                    Words::tr("it could not prove that it was asked for this measurement; no data "
                              "was sent to it"));
    };
    // A stock server says one byte and waits: there is no need to wait with it.
    const Result<QByteArray> first = control.receiveExactly(1);
    if (!first)
        return tl::unexpected(first.error());
    if (first->front() != expected.front()) {
        const QByteArray denied = iperf3::encodeState(iperf3::State::AccessDenied);
        return *first == denied
                   ? fail(ErrorCode::PeerRefused, control.peer(),
                          Words::tr("it does not know the ticket of this measurement, or not any "
                                    "more; begin the measurement again"))
                   : stranger();
    }
    const Result<QByteArray> rest = control.receiveExactly(expected.size() - 1);
    if (!rest)
        return tl::unexpected(rest.error());
    if (!equalInConstantTime(*first + *rest, expected))
        return stranger();
    return control.send(ticket.nearProof());
}

Result<SocketAddress> findHolder(const Route& route, const DataTicket& ticket,
                                 const Interrupt& interrupt)
{
    constexpr auto limit = std::chrono::seconds(5);
    Result<Socket> socket = connectAny(route, Deadline(limit), interrupt);
    if (!socket)
        return tl::unexpected(socket.error());
    const auto holder = peerAddress(*socket);
    if (!holder)
        return fail(ErrorCode::ConnectionLost, route.peer);
    iperf3::ControlConnection control(std::move(*socket), route.peer, Deadline(limit), interrupt);
    const Result<void> proved =
        control.send(ticket.cookie()).and_then([&] { return proveToFarEnd(control, ticket); });
    if (!proved)
        return tl::unexpected(proved.error());
    return *holder;
}

} // namespace napkin
