// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/latencyrun.h"

#include "core/measure/latency/pingecho.h"
#include "core/measure/os/hostconditions.h"
#include "core/measure/reach/echo.h"
#include "core/measure/throughput/ticketproof.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Latency)
};

} // namespace

QString meansName(EchoMeans means)
{
    switch (means) {
    case EchoMeans::Datagram:
        return QStringLiteral("ICMP socket");
    case EchoMeans::Raw:
        return QStringLiteral("raw socket");
    case EchoMeans::SystemPing:
        return QStringLiteral("ping program");
    }
    return {};
}

QString meansName(EchoMethod method)
{
    return method == EchoMethod::Udp ? QStringLiteral("UDP") : QStringLiteral("TCP");
}

Result<OpenedIcmp> openIcmp(const IcmpMeans& means, const SocketAddress& to, const LeaveBy& by,
                            ByteCount payload)
{
    QStringList reasons;
    for (const EchoMeans one : means.order) {
        if (one == EchoMeans::SystemPing)
            continue;
        const auto kind = one == EchoMeans::Raw ? IcmpSocketKind::Raw : IcmpSocketKind::Datagram;
        auto socket = IcmpSocket::open(kind, to, by, payload.bytes());
        if (socket)
            return OpenedIcmp{std::move(*socket), one};
        if (!isAboutTheMeans(socket.error()))
            return tl::unexpected(socket.error());
        reasons << reasonOf(one, socket.error());
    }
    reasons << noMeansAdvice();
    return fail(ErrorCode::PermissionDenied, {}, reasons.join(QStringLiteral("; ")));
}

SocketAddress firstThatAnswers(const Route& route, const IcmpMeans& means,
                               const Interrupt& interrupt)
{
    if (route.addresses.size() == 1)
        return route.addresses.front();
    EchoOptions one;
    one.count = 1;
    one.patience = 1s;
    one.means = means.order;
    one.pingProgram = means.pingProgram;
    const Deadline deadline(5s);
    for (const SocketAddress& address : route.addresses) {
        const EchoReport report =
            echo(address, route.by, one, deadline.within(one.patience + 300ms), interrupt);
        if (report.outcome == ReachOutcome::Reachable)
            return address;
    }
    return route.addresses.front();
}

LatencyRun::LatencyRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                       std::optional<DataTicket> ticket, IcmpMeans means)
    : m_spec(std::move(spec))
    , m_options(std::get<LatencyOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_interrupt(std::move(cancel))
    , m_ticket(std::move(ticket))
    , m_icmp(std::move(means))
    , m_ledger(m_options.timeout)
{}

Result<ProbeResult> LatencyRun::run()
{
    m_clockStep = pingpong::measureClockStep();
    tell(Phase::Connecting, 0, {});
    return conclude(measure());
}

Result<void> LatencyRun::measure()
{
    if (m_options.method != EchoMethod::Icmp)
        return measureWithPeer();
    if (!m_ticket) {
        m_address = firstThatAnswers(m_route, m_icmp, m_interrupt);
        return measureIcmp();
    }
    // Not even echoes go to a machine that did not ask for them.
    const Result<SocketAddress> holder = findHolder(m_route, *m_ticket, m_interrupt);
    if (!holder)
        return tl::unexpected(holder.error());
    m_address = *holder;
    return measureIcmp();
}

Result<void> LatencyRun::measureIcmp()
{
    Result<OpenedIcmp> opened = openIcmp(m_icmp, m_address, m_route.by, m_options.messageSize);
    if (opened) {
        m_means = meansName(opened->means);
        const auto port = pingpong::makeIcmpPort(std::move(opened->socket), m_interrupt);
        return loop(*port);
    }
    const bool mayPing =
        std::ranges::find(m_icmp.order, EchoMeans::SystemPing) != m_icmp.order.end();
    if (!isAboutTheMeans(opened.error()) || !mayPing)
        return tl::unexpected(opened.error());
    const Result<void> pinged = measureByPing();
    if (pinged || !isAboutTheMeans(pinged.error()))
        return pinged;
    return fail(ErrorCode::PermissionDenied, m_icmp.pingProgram,
                opened.error().detail + QStringLiteral("; ") + pinged.error().detail);
}

Result<void> LatencyRun::measureByPing()
{
    m_means = meansName(EchoMeans::SystemPing);
    m_local = m_route.by.source;
    pingpong::PingOptions options;
    options.program = m_icmp.pingProgram;
    options.payload = m_options.messageSize.bytes();
    options.duration = m_options.duration;
    options.interval = m_options.interval;
    options.timeout = m_options.timeout;
    const auto told = [this](Duration elapsed) {
        tell(Phase::Measuring, std::min(1.0, inSeconds(elapsed) / inSeconds(m_options.duration)),
             m_ledger.takeFresh());
        return m_options.ending == Ending::FixedTime || elapsed < 2s || !m_ledger.isSure();
    };
    const Result<void> outcome =
        pingpong::echoByPing(m_address, m_route.by, options, m_ledger, m_interrupt, told);
    m_ledger.dropPending();
    tell(Phase::Measuring, 1, m_ledger.takeFresh());
    return outcome;
}

pingpong::Plan LatencyRun::plan() const
{
    pingpong::Plan plan;
    plan.method = m_options.method;
    plan.wait = m_options.wait;
    plan.milliseconds =
        static_cast<std::uint32_t>((m_options.duration + m_options.timeout).count());
    plan.pause = static_cast<std::uint32_t>(
        (std::chrono::ceil<std::chrono::milliseconds>(m_options.interval) + m_options.timeout)
            .count());
    plan.messages = mostRoundTrips;
    plan.sizes = {static_cast<std::uint32_t>(m_options.messageSize.bytes())};
    return plan;
}

pingpong::PortOptions LatencyRun::portOptions() const
{
    pingpong::PortOptions options;
    options.wait = m_options.wait;
    options.size = static_cast<std::uint32_t>(m_options.messageSize.bytes());
    options.timeout = m_options.timeout;
    options.interval = m_options.interval;
    return options;
}

Result<void> LatencyRun::measureWithPeer()
{
    m_means = meansName(m_options.method);
    if (!m_ticket)
        return fail(ErrorCode::InvalidArgument, m_means,
                    Words::tr("the far end must be a paired machine; choose ICMP, or pair it"));
    auto control = pingpong::EchoControl::open(m_route, *m_ticket, plan(), m_interrupt);
    if (!control)
        return tl::unexpected(control.error());
    m_address = control->far();
    if (m_options.method == EchoMethod::Tcp) {
        const auto port = pingpong::makeTcpPort(std::move(*control), portOptions(), m_interrupt);
        return loop(*port);
    }
    LeaveBy by = m_route.by;
    by.source = control->local(); // the far end answers this address alone
    by.source->setPort(0);
    const auto marks = pingpong::Marks::from(m_ticket->datagramMarks());
    auto port = pingpong::makeUdpPort(m_address, by, marks, std::move(*control), portOptions(),
                                      m_interrupt);
    if (!port)
        return tl::unexpected(port.error());
    return loop(**port);
}

Result<void> LatencyRun::loop(pingpong::Port& port)
{
    m_local = port.local();
    pingpong::LoopOptions options;
    options.duration = m_options.duration;
    options.interval = m_options.interval;
    options.timeout = m_options.timeout;
    options.wait = m_options.wait;
    options.ending = m_options.ending;
    const auto told = [this](double fraction, LatencyData fresh) {
        tell(Phase::Measuring, fraction, std::move(fresh));
    };
    const Result<void> outcome = pingpong::Loop(port, m_ledger, options, m_interrupt, told).run();
    m_returned = port.returned();
    return outcome;
}

void LatencyRun::tell(Phase phase, double fraction, LatencyData fresh)
{
    fresh.means = m_means;
    fresh.clockStep = m_clockStep;
    m_tell({phase, fraction, std::move(fresh)});
}

Error LatencyRun::withContext(Error error) const
{
    if (error.context.isEmpty())
        error.context = m_route.peer;
    return error;
}

// What came back instead says it best; otherwise nothing did.
Error LatencyRun::nothingAnswered(const std::optional<Error>& fault) const
{
    const bool isSilence = !fault || fault->code == ErrorCode::PeerSilent;
    if (!isSilence)
        return withContext(*fault);
    Error error{ErrorCode::TimedOut,
                Words::tr("none of %Ln messages was answered", nullptr,
                          static_cast<int>(m_ledger.data().samples.size())),
                m_route.peer, nullptr};
    if (m_returned) {
        error.code = m_returned->code;
        error.detail += QStringLiteral("; ") + m_returned->detail;
    }
    return error;
}

Result<ProbeResult> LatencyRun::conclude(const Result<void>& outcome)
{
    std::optional<Error> fault;
    if (!outcome)
        fault = withContext(outcome.error());
    if (m_ledger.answered() == 0)
        return tl::unexpected(nothingAnswered(fault));
    if (!fault && m_ledger.endsInSilence())
        fault = Error{ErrorCode::PeerSilent,
                      Words::tr("nothing came back any more at the end of the run"), m_route.peer,
                      nullptr};
    ProbeResult result;
    result.spec = m_spec;
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = fault;
    result.conditions = conditionsOf(m_local, m_address, m_route.by.interfaceName);
    LatencyData data = m_ledger.takeData();
    data.means = m_means;
    data.clockStep = m_clockStep;
    result.data = std::move(data);
    return result;
}

} // namespace napkin
