// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/connect/connectrun.h"

#include "core/measure/os/hostconditions.h"
#include "core/measure/throughput/ticketproof.h"
#include "core/results/summary.h"

#include <QCoreApplication>
#include <QStringList>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using Outcome = ConnectSample::Outcome;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ConnectTime)
};

std::optional<Outcome> outcomeOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::ConnectionRefused:
    case ErrorCode::ConnectionLost: // reset while connecting: a refusal, too
        return Outcome::Refused;
    case ErrorCode::TimedOut:
        return Outcome::TimedOut;
    case ErrorCode::HostUnreachable:
        return Outcome::Unreachable;
    default:
        return std::nullopt;
    }
}

} // namespace

ConnectRun::ConnectRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                       std::optional<DataTicket> ticket)
    : m_spec(std::move(spec))
    , m_options(std::get<ConnectOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_interrupt(std::move(cancel))
    , m_ticket(std::move(ticket))
{}

// A first connection, which is no sample: the far end shows that it issued the ticket, and lets the
// others in.
Result<void> ConnectRun::prove()
{
    const Result<SocketAddress> holder = findHolder(m_route, *m_ticket, m_interrupt);
    if (!holder)
        return tl::unexpected(holder.error());
    m_address = *holder;
    return {};
}

// A name with several addresses may be served on only one of them: the first that answers is the
// one to measure. These handshakes are no samples.
void ConnectRun::chooseAddress()
{
    m_address = m_route.addresses.front();
    if (m_route.addresses.size() == 1)
        return;
    const Deadline deadline(5s);
    for (const SocketAddress& address : m_route.addresses) {
        if (connectTcp(address, m_route.by, deadline.within(m_options.timeout), m_interrupt)) {
            m_address = address;
            return;
        }
    }
}

Result<ConnectSample> ConnectRun::attempt(Duration start)
{
    ConnectSample sample;
    sample.start = start;
    const auto before = std::chrono::steady_clock::now();
    const Result<Socket> socket =
        connectTcp(m_address, m_route.by, Deadline(m_options.timeout), m_interrupt);
    sample.time = std::chrono::steady_clock::now() - before;
    if (socket) {
        if (!m_local)
            m_local = localAddress(*socket);
        // Closed with a reset: thousands of handshakes must not use up the ports.
        const linger atOnce{1, 0};
        ::setsockopt(socket->fd(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        return sample;
    }
    const std::optional<Outcome> outcome = outcomeOf(socket.error().code);
    if (!outcome) {
        Error error = socket.error();
        error.context = error.context.isEmpty() ? m_route.peer : error.context;
        return tl::unexpected(error);
    }
    sample.outcome = *outcome;
    return sample;
}

void ConnectRun::tellNew(SteadyTime now, bool last)
{
    if (!last && now - m_lastTold < 50ms)
        return;
    ConnectData fresh;
    fresh.samples.assign(m_data.samples.begin() + static_cast<std::ptrdiff_t>(m_told),
                         m_data.samples.end());
    m_told = m_data.samples.size();
    m_lastTold = now;
    m_tell({Phase::Measuring, static_cast<double>(m_told) / m_options.attempts, std::move(fresh)});
}

bool ConnectRun::pause(SteadyTime until) const
{
    return waitReady(-1, 0, Deadline(until), m_interrupt) != Ready::Interrupted;
}

// Not one handshake: no time was measured. What most of the attempts met says it best.
Error ConnectRun::nothingConnected() const
{
    const ConnectSummary summary = summarise(m_data);
    ErrorCode code = ErrorCode::ConnectionRefused;
    if (summary.timedOut > summary.refused)
        code = ErrorCode::TimedOut;
    if (summary.unreachable > std::max(summary.refused, summary.timedOut))
        code = ErrorCode::HostUnreachable;
    QStringList parts;
    if (summary.refused > 0)
        parts << Words::tr("refused: %1").arg(summary.refused);
    if (summary.timedOut > 0)
        parts << Words::tr("without an answer: %1").arg(summary.timedOut);
    if (summary.unreachable > 0)
        parts << Words::tr("unreachable: %1").arg(summary.unreachable);
    return {code,
            Words::tr("none of %Ln attempts connected (%1)", nullptr, summary.attempts)
                .arg(parts.join(QStringLiteral(", "))),
            m_route.peer, nullptr};
}

Result<ProbeResult> ConnectRun::run()
{
    m_tell({Phase::Connecting, 0, ConnectData{}});
    if (m_ticket) {
        if (auto proved = prove(); !proved)
            return tl::unexpected(proved.error());
    }
    if (!m_ticket)
        chooseAddress();
    const SteadyTime first = std::chrono::steady_clock::now();
    SteadyTime next = first;
    std::optional<Error> fault;
    for (int i = 0; i < m_options.attempts && !fault; ++i) {
        if (i > 0 && !pause(next)) {
            fault = Error{ErrorCode::Cancelled, {}, m_route.peer, nullptr};
            break;
        }
        const SteadyTime now = std::chrono::steady_clock::now();
        next = now + m_options.interval;
        const Result<ConnectSample> sample = attempt(now - first);
        if (sample)
            m_data.samples.push_back(*sample);
        else
            fault = sample.error();
        tellNew(std::chrono::steady_clock::now(), fault || i + 1 == m_options.attempts);
    }
    if (summarise(m_data).connected == 0)
        return tl::unexpected(fault.value_or(nothingConnected()));
    ProbeResult result;
    result.spec = m_spec;
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = fault;
    result.conditions = conditionsOf(m_local, m_address, m_route.by.interfaceName);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
