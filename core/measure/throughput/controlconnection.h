// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/measure/throughput/protocol.h"

#include <QByteArray>

#include <utility>

namespace napkin::iperf3 {

// How long the other side may be silent, and how long one message may take.
inline constexpr std::chrono::seconds silenceLimit{10};
inline constexpr std::chrono::seconds messageLimit{30};

// The control connection: whole messages in, whole messages out, each with an end in time. Faults:
// PeerSilent, ConnectionLost (closed or reset), FrameTooLarge, ProtocolViolation, Cancelled; with
// the peer's name as context. Blocking; for one thread.
class ControlConnection
{
public:
    ControlConnection(Socket socket, QString peer, Deadline wholeRun, const Interrupt& interrupt);

    [[nodiscard]] const Socket& socket() const { return m_socket; }
    [[nodiscard]] const QString& peer() const { return m_peer; }
    void close() { m_socket.close(); }
    [[nodiscard]] Socket release() { return std::move(m_socket); }

    [[nodiscard]] Result<void> send(const QByteArray& bytes);
    [[nodiscard]] Result<void> send(State state) { return send(encodeState(state)); }
    [[nodiscard]] Result<State> receiveState();
    [[nodiscard]] Result<ServerFault> receiveServerFault();
    [[nodiscard]] Result<QByteArray> receiveFrame(qsizetype limit);
    [[nodiscard]] Result<QByteArray> receiveExactly(qsizetype count);

private:
    [[nodiscard]] Result<QByteArray> receive(qsizetype count, Deadline first, Deadline all);
    [[nodiscard]] tl::unexpected<Error> failed(ErrorCode code, QString detail = {}) const;

    Socket m_socket;
    QString m_peer;
    Deadline m_wholeRun;
    const Interrupt& m_interrupt;
};

} // namespace napkin::iperf3
