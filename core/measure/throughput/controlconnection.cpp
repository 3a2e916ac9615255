// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/controlconnection.h"

#include <QCoreApplication>

#include <poll.h>

#include <array>
#include <cerrno>
#include <utility>

namespace napkin::iperf3 {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Protocol)
};

} // namespace

ControlConnection::ControlConnection(Socket socket, QString peer, Deadline wholeRun,
                                     const Interrupt& interrupt)
    : m_socket(std::move(socket))
    , m_peer(std::move(peer))
    , m_wholeRun(wholeRun)
    , m_interrupt(interrupt)
{
    setNoDelay(m_socket);
}

tl::unexpected<Error> ControlConnection::failed(ErrorCode code, QString detail) const
{
    return fail(code, m_peer, std::move(detail));
}

Result<void> ControlConnection::send(const QByteArray& bytes)
{
    const Deadline deadline = m_wholeRun.within(silenceLimit);
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t sent = ::send(m_socket.fd(), bytes.constData() + done,
                                    static_cast<size_t>(bytes.size() - done), MSG_NOSIGNAL);
        if (sent > 0) {
            done += sent;
        } else if (errno == EAGAIN) {
            const Ready ready = waitReady(m_socket.fd(), POLLOUT, deadline, m_interrupt);
            if (ready == Ready::Interrupted)
                return failed(ErrorCode::Cancelled);
            if (ready == Ready::TimedOut)
                return failed(ErrorCode::PeerSilent);
        } else if (errno != EINTR) {
            return failed(codeOfErrno(errno), textOfErrno(errno));
        }
    }
    return {};
}

Result<QByteArray> ControlConnection::receive(qsizetype count, Deadline first, Deadline all)
{
    // Grows with what arrives, never with what was announced.
    QByteArray bytes;
    std::array<char, 16 * 1024> chunk{};
    while (bytes.size() < count) {
        const auto wanted =
            std::min<size_t>(chunk.size(), static_cast<size_t>(count - bytes.size()));
        const ssize_t got = ::recv(m_socket.fd(), chunk.data(), wanted, 0);
        if (got > 0) {
            bytes.append(chunk.data(), got);
        } else if (got == 0) {
            return failed(ErrorCode::ConnectionLost);
        } else if (errno == EAGAIN) {
            const Deadline deadline = bytes.isEmpty() ? first : all;
            const Ready ready = waitReady(m_socket.fd(), POLLIN, deadline, m_interrupt);
            if (ready == Ready::Interrupted)
                return failed(ErrorCode::Cancelled);
            if (ready == Ready::TimedOut)
                return failed(ErrorCode::PeerSilent);
        } else if (errno != EINTR) {
            return failed(codeOfErrno(errno), textOfErrno(errno));
        }
        if (all.hasPassed() && bytes.size() < count) // dripping byte by byte
            return failed(ErrorCode::PeerSilent);
    }
    return bytes;
}

Result<QByteArray> ControlConnection::receiveExactly(qsizetype count)
{
    return receive(count, m_wholeRun.within(silenceLimit), m_wholeRun.within(messageLimit));
}

Result<State> ControlConnection::receiveState()
{
    return receiveExactly(1).map([](const QByteArray& byte) {
        return static_cast<State>(static_cast<signed char>(byte[0]));
    });
}

Result<ServerFault> ControlConnection::receiveServerFault()
{
    return receiveExactly(serverFaultSize).map([](const QByteArray& bytes) {
        return decodeServerFault(bytes);
    });
}

Result<QByteArray> ControlConnection::receiveFrame(qsizetype limit)
{
    const Deadline all = m_wholeRun.within(messageLimit);
    auto prefix = receive(4, m_wholeRun.within(silenceLimit), all);
    if (!prefix)
        return prefix;
    const auto length = static_cast<qsizetype>(decodeLength(*prefix));
    if (length > limit)
        return failed(ErrorCode::FrameTooLarge,
                      Words::tr("%1 bytes were announced, %2 are allowed").arg(length).arg(limit));
    if (length == 0)
        return failed(ErrorCode::ProtocolViolation, Words::tr("an empty message"));
    return receive(length, all.within(silenceLimit), all);
}

} // namespace napkin::iperf3
