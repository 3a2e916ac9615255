// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/clienttalk.h"

#include "core/base/logging.h"
#include "core/measure/throughput/ticketproof.h"

#include <QCoreApplication>

#include <utility>

namespace napkin::iperf3 {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Throughput)
};

} // namespace

ClientTalk::ClientTalk(Route route, const std::optional<DataTicket>& ticket, Deadline hardEnd,
                       const Interrupt& interrupt)
    : m_route(std::move(route))
    , m_ticket(ticket)
    , m_cookie(ticket ? ticket->cookie() : makeCookie())
    , m_hardEnd(hardEnd)
    , m_interrupt(interrupt)
{}

Result<void> ClientTalk::open()
{
    Result<Socket> socket = connectAny(m_route, m_hardEnd.within(10s), m_interrupt);
    if (!socket)
        return tl::unexpected(socket.error());
    m_control.emplace(std::move(*socket), m_route.peer, m_hardEnd, m_interrupt);
    // A busy server closes at once: what it said still waits to be read, even if this fails.
    Result<void> sent = m_control->send(m_cookie);
    if (!sent && sent.error().code != ErrorCode::ConnectionLost)
        return sent;
    if (m_ticket) {
        if (auto proved = proveToFarEnd(*m_control, *m_ticket); !proved)
            return proved;
    }
    return expect(State::ParamExchange);
}

Result<void> ClientTalk::agree(const Parameters& parameters)
{
    return m_control->send(encodeFrame(encodeParameters(parameters))).and_then([this] {
        return expect(State::CreateStreams);
    });
}

Result<void> ClientTalk::begin()
{
    return expect(State::TestStart).and_then([this] { return expect(State::TestRunning); });
}

Result<void> ClientTalk::expect(State state)
{
    const Result<State> got = m_control->receiveState();
    if (!got)
        return tl::unexpected(got.error());
    if (*got == state)
        return {};
    return tl::unexpected(refusal(*got));
}

Error ClientTalk::refusal(State got)
{
    switch (got) {
    case State::AccessDenied:
        return {ErrorCode::PeerBusy, {}, m_route.peer, nullptr};
    case State::ServerError: {
        const auto fault = m_control->receiveServerFault();
        return {ErrorCode::PeerRefused, fault ? explain(*fault) : QString(), m_route.peer, nullptr};
    }
    case State::ServerTerminate:
        return {ErrorCode::ConnectionLost, Words::tr("the server was stopped"), m_route.peer,
                nullptr};
    default:
        return {
            ErrorCode::ProtocolViolation,
            Words::tr("it sent the byte %1 where that has no meaning").arg(static_cast<int>(got)),
            m_route.peer, nullptr};
    }
}

Error ClientTalk::heard()
{
    const Result<State> got = m_control->receiveState();
    return got ? refusal(*got) : got.error();
}

Result<void> ClientTalk::end()
{
    return m_control->send(State::TestEnd).and_then([this] {
        return expect(State::ExchangeResults);
    });
}

Result<Results> ClientTalk::exchange(const Results& own)
{
    Result<Results> far = m_control->send(encodeFrame(encodeResults(own)))
                              .and_then([this] { return m_control->receiveFrame(resultsLimit); })
                              .and_then([](const QByteArray& json) { return decodeResults(json); });
    if (!far)
        far.error().context = m_route.peer;
    return far;
}

void ClientTalk::part()
{
    const Result<void> parted = expect(State::DisplayResults).and_then([this] {
        return m_control->send(State::IperfDone);
    });
    if (!parted)
        qCDebug(lcMeasure) << "no farewell from" << m_route.peer << parted.error().detail;
}

void ClientTalk::terminate()
{
    // It fits into an empty socket buffer.
    const QByteArray farewell = encodeState(State::ClientTerminate);
    ::send(socket().fd(), farewell.constData(), 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ClientTalk::hurry(std::chrono::milliseconds limit)
{
    if (m_late) // it is bound to less already
        return;
    Socket socket = m_control->release();
    m_control.emplace(std::move(socket), m_route.peer, m_hardEnd.within(limit), m_interrupt);
}

void ClientTalk::outliveCancellation(std::chrono::milliseconds limit)
{
    m_late.emplace();
    Socket socket = m_control->release();
    m_control.emplace(std::move(socket), m_route.peer, Deadline(limit), *m_late);
}

} // namespace napkin::iperf3
