// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/measure/throughput/controlconnection.h"
#include "core/peer/ticket.h"

#include <optional>

namespace napkin::iperf3 {

// A client's talk with the server over the control connection, step by step; the same for TCP and
// UDP. Every fault has the far end's name as context: PeerBusy, PeerRefused (with the reason),
// ConnectionLost, PeerSilent, ProtocolViolation, Cancelled, and those of connecting. Blocking; for
// one thread.
class ClientTalk
{
public:
    // `interrupt` must outlive it. With a ticket nothing more is said to a far end that does not
    // prove that it issued it.
    ClientTalk(Route route, const std::optional<DataTicket>& ticket, Deadline hardEnd,
               const Interrupt& interrupt);

    // Connects, shows the cookie and the ticket; the server asks for the parameters.
    [[nodiscard]] Result<void> open();
    // The server takes the parameters and waits for the streams.
    [[nodiscard]] Result<void> agree(const Parameters& parameters);
    // The server has all streams: data may flow.
    [[nodiscard]] Result<void> begin();
    // The far end has no reason to speak while data flows: why it did, as an error.
    [[nodiscard]] Error heard();
    // Says that the test is over; the far end has then stopped sending.
    [[nodiscard]] Result<void> end();
    // Our results against the far end's.
    [[nodiscard]] Result<Results> exchange(const Results& own);
    // A farewell: a far end that is gone by now changes nothing.
    void part();
    // A farewell to a run that was cancelled: never waits.
    void terminate();
    // From now on everything ends within that time.
    void hurry(std::chrono::milliseconds limit);
    // From now on a stopped token changes nothing any more; everything ends within that time.
    void outliveCancellation(std::chrono::milliseconds limit);

    [[nodiscard]] const Socket& socket() const { return m_control->socket(); }
    [[nodiscard]] const QByteArray& cookie() const { return m_cookie; }

private:
    [[nodiscard]] Result<void> expect(State state);
    [[nodiscard]] Error refusal(State got);

    Route m_route;
    std::optional<DataTicket> m_ticket;
    QByteArray m_cookie;
    Deadline m_hardEnd;
    const Interrupt& m_interrupt;
    std::optional<Interrupt> m_late;
    std::optional<ControlConnection> m_control;
};

} // namespace napkin::iperf3
