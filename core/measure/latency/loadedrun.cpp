// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/loadedrun.h"

#include "core/measure/latency/pingecho.h"
#include "core/measure/os/hostconditions.h"
#include "core/measure/reach/echo.h"
#include "core/measure/throughput/throughputrun.h"
#include "core/results/summary.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::LoadedLatency)
};

constexpr Duration leftOut = 1s; // of each phase: the load's slow start
// That bytes flow is told a tenth of a second after they began to: so much earlier the load ends.
constexpr Duration leftOutAtEnd = 250ms;
constexpr int phases = 4;

Flow flowOf(Load load)
{
    if (load == Load::Both)
        return Flow::Bidirectional;
    return load == Load::Receiving ? Flow::Reverse : Flow::Forward;
}

bool hasAnswer(const LoadPhase& phase)
{
    return std::ranges::any_of(phase.samples, [](const RoundTrip& sample) {
        return sample.outcome == RoundTrip::Outcome::Answered;
    });
}

} // namespace

// The load of one phase, on a thread of its own.
class LoadedRun::LoadThread
{
public:
    LoadThread(ProbeSpec spec, Route route, CancelSource stop, std::optional<DataTicket> ticket)
        : m_stop(std::move(stop))
        , m_interrupt(m_stop.get_token())
        , m_thread([this, spec = std::move(spec), route = std::move(route),
                    ticket = std::move(ticket)] { work(spec, route, ticket); })
    {}
    ~LoadThread() { m_thread.join(); }
    LoadThread(const LoadThread&) = delete;
    LoadThread& operator=(const LoadThread&) = delete;
    LoadThread(LoadThread&&) = delete;
    LoadThread& operator=(LoadThread&&) = delete;

    // Until bytes flow, or it has ended without that.
    void awaitFlow()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_flows || m_outcome.has_value(); });
    }
    [[nodiscard]] Result<ProbeResult> awaitEnd()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_outcome.has_value(); });
        return *m_outcome;
    }
    [[nodiscard]] bool hasEnded()
    {
        const std::lock_guard lock(m_mutex);
        return m_outcome.has_value();
    }

private:
    void work(const ProbeSpec& spec, const Route& route, const std::optional<DataTicket>& ticket);
    [[nodiscard]] Result<ProbeResult> attempt(const ProbeSpec& spec, const Route& route,
                                              const std::optional<DataTicket>& ticket);

    CancelSource m_stop;
    Interrupt m_interrupt;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_flows = false;
    std::optional<Result<ProbeResult>> m_outcome;
    std::thread m_thread; // last: it uses the others
};

Result<ProbeResult> LoadedRun::LoadThread::attempt(const ProbeSpec& spec, const Route& route,
                                                   const std::optional<DataTicket>& ticket)
{
    const auto told = [this](const Progress& progress) {
        if (progress.phase != Phase::Measuring)
            return;
        const std::lock_guard lock(m_mutex);
        m_flows = true;
        m_changed.notify_all();
    };
    try {
        return ThroughputRun(spec, route, m_stop.get_token(), told, ticket).run();
    } catch (const std::exception& error) {
        return tl::unexpected(errorFrom(error));
    }
}

// A server that has just served the phase before may take a moment.
void LoadedRun::LoadThread::work(const ProbeSpec& spec, const Route& route,
                                 const std::optional<DataTicket>& ticket)
{
    constexpr int attempts = 6;
    const auto isBusy = [&ticket](const Result<ProbeResult>& outcome) {
        // With a ticket the two can not be told apart from outside. A stock server, which was there
        // as the run began, is gone for a moment after each test.
        return !outcome && (outcome.error().code == ErrorCode::PeerBusy ||
                            outcome.error().code ==
                                (ticket ? ErrorCode::PeerRefused : ErrorCode::ConnectionRefused));
    };
    Result<ProbeResult> outcome = attempt(spec, route, ticket);
    for (int i = 1; i < attempts && isBusy(outcome); ++i) {
        if (!pingpong::pauseUntil(std::chrono::steady_clock::now() + 500ms, WaitMode::Blocking,
                                  m_interrupt))
            break;
        outcome = attempt(spec, route, ticket);
    }
    const bool isFault = !outcome || outcome->completion == Completion::Partial;
    {
        const std::lock_guard lock(m_mutex);
        m_outcome = std::move(outcome);
        m_changed.notify_all();
    }
    if (isFault)
        m_stop.request_stop(); // echoes without the load are of no use
}

LoadedRun::LoadedRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                     std::optional<DataTicket> ticket, IcmpMeans means)
    : m_spec(std::move(spec))
    , m_options(std::get<LoadedLatencyOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_cancelled(cancel, [stop = m_stop]() mutable { stop.request_stop(); })
    , m_cancel(cancel)
    , m_interrupt(m_stop.get_token())
    , m_ticket(ticket)
    , m_datagramTicket(std::move(ticket))
    , m_icmp(std::move(means))
{}

LoadedRun::~LoadedRun() = default;

Result<ProbeResult> LoadedRun::run()
{
    m_data.clockStep = pingpong::measureClockStep();
    tell(Phase::Connecting, Load::Idle, 0, {});
    Result<void> outcome = open().and_then([this] { return checkLoad(); });
    for (const Load load : {Load::Idle, Load::Sending, Load::Receiving, Load::Both}) {
        if (outcome)
            outcome = playPhase(load);
    }
    return conclude(outcome);
}

Result<void> LoadedRun::open()
{
    m_address = firstThatAnswers(m_route, m_icmp, m_interrupt);
    m_route.addresses = {m_address}; // the load takes the same way
    if (m_options.method == EchoMethod::Udp)
        return openUdp();
    Result<OpenedIcmp> opened = openIcmp(m_icmp, m_address, m_route.by, m_options.messageSize);
    if (opened) {
        m_data.means = meansName(opened->means);
        m_port = pingpong::makeIcmpPort(std::move(opened->socket), m_interrupt);
        return {};
    }
    const bool mayPing =
        std::ranges::find(m_icmp.order, EchoMeans::SystemPing) != m_icmp.order.end();
    if (!isAboutTheMeans(opened.error()) || !mayPing)
        return tl::unexpected(opened.error());
    m_data.means = meansName(EchoMeans::SystemPing);
    return {};
}

Result<void> LoadedRun::openUdp()
{
    m_data.means = meansName(EchoMethod::Udp);
    if (!m_datagramTicket)
        return fail(ErrorCode::InvalidArgument, m_data.means,
                    Words::tr("the far end must be a paired machine; choose ICMP, or pair it"));
    pingpong::PortOptions options;
    options.size = static_cast<std::uint32_t>(m_options.messageSize.bytes());
    options.timeout = m_options.timeout;
    options.interval = m_options.interval;
    const auto marks = pingpong::Marks::from(m_datagramTicket->datagramMarks());
    auto port =
        pingpong::makeUdpPort(m_address, m_route.by, marks, std::nullopt, options, m_interrupt);
    if (!port)
        return tl::unexpected(port.error());
    m_port = std::move(*port);
    return {};
}

ProbeSpec LoadedRun::loadSpec(Load load) const
{
    ProbeSpec spec = m_spec;
    ThroughputOptions options;
    options.flow = flowOf(load);
    options.streams = m_options.streams;
    options.duration = m_options.phase;
    spec.options = options;
    return spec;
}

// A connection that is closed without a word: a server goes on to wait, and a busy one says so at
// once. With a ticket the far end has just been made ready for this run.
Result<void> LoadedRun::checkLoad()
{
    if (m_ticket)
        return {};
    constexpr int attempts = 6;
    for (int i = 0; i < attempts; ++i) {
        const Result<Socket> socket = connectAny(m_route, Deadline(10s), m_interrupt);
        if (!socket)
            return tl::unexpected(socket.error());
        const Ready ready = waitReady(socket->fd(), POLLIN, Deadline(300ms), m_interrupt);
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled);
        if (ready == Ready::TimedOut)
            return {};
        if (!pingpong::pauseUntil(std::chrono::steady_clock::now() + 500ms, WaitMode::Blocking,
                                  m_interrupt))
            return fail(ErrorCode::Cancelled);
    }
    return fail(ErrorCode::PeerBusy);
}

Result<void> LoadedRun::playIdle()
{
    Echoed idle = echoes(Load::Idle);
    const bool isCut = !idle.outcome && idle.outcome.error().isCancelled();
    if (idle.outcome || (isCut && hasAnswer(idle.phase)))
        m_data.phases.push_back(std::move(idle.phase));
    return idle.outcome;
}

Result<void> LoadedRun::playPhase(Load load)
{
    if (load == Load::Idle)
        return playIdle();
    LoadThread thread(loadSpec(load), m_route, m_stop, m_ticket);
    if (m_ticket)
        m_ticket = m_ticket->next();
    thread.awaitFlow();
    Echoed echoed = thread.hasEnded() ? Echoed{{}, fail(ErrorCode::NothingMeasured)} : echoes(load);
    if (!echoed.outcome)
        m_stop.request_stop();
    const Result<ProbeResult> loaded = thread.awaitEnd();
    if (m_cancel.stop_requested()) {
        if (loaded && hasAnswer(echoed.phase))
            keep(std::move(echoed.phase), *loaded);
        return fail(ErrorCode::Cancelled);
    }
    if (!loaded)
        return tl::unexpected(loaded.error());
    if (loaded->completion == Completion::Partial && !loaded->fault->isCancelled())
        return tl::unexpected(*loaded->fault);
    if (!echoed.outcome)
        return echoed.outcome;
    keep(std::move(echoed.phase), *loaded);
    return {};
}

void LoadedRun::keep(LoadPhase phase, const ProbeResult& loaded)
{
    const ThroughputSummary summary = summarise(std::get<ThroughputData>(loaded.data));
    if (summary.forward)
        phase.forward = summary.forward->throughput;
    if (summary.reverse)
        phase.reverse = summary.reverse->throughput;
    m_conditions = loaded.conditions;
    m_data.phases.push_back(std::move(phase));
}

// What was sent while the load flowed, without its beginning.
LatencyData LoadedRun::within(LatencyData all) const
{
    std::erase_if(all.samples, [this](const RoundTrip& sample) {
        return sample.start < leftOut || sample.start >= Duration(m_options.phase) - leftOutAtEnd;
    });
    return all;
}

LoadedRun::Echoed LoadedRun::echoes(Load load)
{
    EchoLedger ledger(m_options.timeout);
    Result<void> outcome = echoInto(ledger, load);
    m_sent += ledger.sent();
    if (!outcome && load != Load::Idle && outcome.error().code == ErrorCode::PeerSilent)
        outcome = {};
    if (outcome && load == Load::Idle && ledger.answered() == 0)
        outcome = fail(ErrorCode::TimedOut, m_route.peer,
                       Words::tr("none of %Ln messages was answered", nullptr,
                                 static_cast<int>(ledger.sent())));
    LatencyData kept = within(ledger.takeData());
    return {LoadPhase{load, std::move(kept.samples), std::nullopt, std::nullopt, kept.duplicates,
                      kept.reordered},
            std::move(outcome)};
}

Result<void> LoadedRun::echoInto(EchoLedger& ledger, Load load)
{
    const double whole = inSeconds(m_options.phase);
    const auto told = [this, load](double fraction, LatencyData fresh) {
        tell(Phase::Measuring, load, fraction, std::move(fresh));
    };
    if (m_port) {
        pingpong::LoopOptions options;
        options.duration = m_options.phase;
        options.interval = m_options.interval;
        options.timeout = m_options.timeout;
        options.firstNumber = m_sent;
        return pingpong::Loop(*m_port, ledger, options, m_interrupt, told).run();
    }
    pingpong::PingOptions options;
    options.program = m_icmp.pingProgram;
    options.payload = m_options.messageSize.bytes();
    options.duration = m_options.phase;
    options.interval = m_options.interval;
    options.timeout = m_options.timeout;
    Result<void> outcome = pingpong::echoByPing(
        m_address, m_route.by, options, ledger, m_interrupt, [&](Duration elapsed) {
            told(std::min(1.0, inSeconds(elapsed) / whole), ledger.takeFresh());
            return true;
        });
    if (!outcome)
        ledger.dropPending();
    return outcome;
}

void LoadedRun::tell(Phase phase, Load load, double fraction, LatencyData fresh)
{
    LoadedLatencyData data;
    data.means = m_data.means;
    data.clockStep = m_data.clockStep;
    fresh = within(std::move(fresh));
    data.phases.push_back({load, std::move(fresh.samples), std::nullopt, std::nullopt,
                           fresh.duplicates, fresh.reordered});
    m_tell({phase, (static_cast<double>(load) + fraction) / phases, std::move(data)});
}

Result<ProbeResult> LoadedRun::conclude(const Result<void>& outcome)
{
    std::optional<Error> fault;
    if (!outcome) {
        fault = outcome.error();
        if (fault->context.isEmpty())
            fault->context = m_route.peer;
    }
    if (m_data.phases.empty())
        return tl::unexpected(
            fault.value_or(Error{ErrorCode::NothingMeasured, {}, m_route.peer, nullptr}));
    if (m_conditions == Conditions{})
        m_conditions = conditionsOf(m_port ? m_port->local() : m_route.by.source, m_address,
                                    m_route.by.interfaceName);
    ProbeResult result;
    result.spec = m_spec;
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = std::move(fault);
    result.conditions = std::move(m_conditions);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
