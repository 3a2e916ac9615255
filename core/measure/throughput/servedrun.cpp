// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/servedrun.h"

#include "core/measure/throughput/servedtraffic.h"
#include "core/measure/udp/serveddatagrams.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using iperf3::State;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Server)
};

constexpr auto graceTime = 40s;      // beyond the time that the client asked for
constexpr auto idleLimit = 120s;     // without a single byte
constexpr auto farewellLimit = 5s;   // for the client's last word
constexpr auto lookInterval = 100ms; // at the counters

} // namespace

ServedRun::ServedRun(Socket control, QByteArray cookie, const Iperf3ServerOptions& options,
                     std::span<const Socket> listeners, CancelToken stop)
    : m_cookie(std::move(cookie))
    , m_options(options)
    , m_listeners(listeners)
    , m_stop(stop)
    , m_arrivals(stop)
    , m_control(std::move(control), QString(), Deadline(std::chrono::hours(48)), m_stop)
{
    m_test.client = peerName(m_control.socket());
}

ServedTest ServedRun::run()
{
    const Result<void> outcome = serve();
    m_phase = Phase::Leaving;
    if (!outcome) {
        m_test.fault = outcome.error();
        if (m_test.fault->context.isEmpty())
            m_test.fault->context = m_test.client;
        if (outcome.error().isCancelled())
            say(State::ServerTerminate);
    }
    m_traffic.reset();
    m_control.close();
    return m_test;
}

Result<void> ServedRun::serve()
{
    try {
        return prove()
            .and_then([this] { return agree(); })
            .and_then([this] { return m_parameters.udp ? gatherDatagrams() : gatherStreams(); })
            .and_then([this] { return m_control.send(State::TestStart); })
            .and_then([this] { return m_control.send(State::TestRunning); })
            .and_then([this] { return moveBytes(); })
            .and_then([this] { return exchangeResults(); });
    } catch (const std::exception& error) { // out of memory or threads
        return tl::unexpected(errorFrom(error));
    }
}

// A last byte to a client that may be gone: never waits.
void ServedRun::say(State state)
{
    const QByteArray byte = iperf3::encodeState(state);
    ::send(m_control.socket().fd(), byte.constData(), 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

Result<void> ServedRun::refuse(std::int32_t code, Error why)
{
    m_phase = Phase::Leaving;
    if (const auto sent = m_control.send(iperf3::encodeServerFault({code, 0})); sent) {
        // Unread input would turn the close into a reset, which can overtake the reason.
        ::shutdown(m_control.socket().fd(), SHUT_WR);
        drain();
    }
    return tl::unexpected(std::move(why));
}

// Reads and drops what the client still says, until it closes; not much and not for long.
void ServedRun::drain()
{
    const int fd = m_control.socket().fd();
    const Deadline deadline(500ms);
    std::array<char, 16 * 1024> dropped{};
    constexpr int reads = 16;
    for (int i = 0; i < reads; ++i) {
        if (waitReady(fd, POLLIN, deadline, m_stop) != Ready::Yes)
            return;
        const ssize_t got = ::recv(fd, dropped.data(), dropped.size(), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return;
    }
}

// Both ends show that they hold the ticket: this one that it issued it, the client that it was
// given it and has not merely seen the cookie go by.
Result<void> ServedRun::prove()
{
    if (!m_options.ticket)
        return {};
    if (auto sent = m_control.send(m_options.ticket->farProof()); !sent)
        return sent;
    const QByteArray expected = m_options.ticket->nearProof();
    const Result<QByteArray> proof = m_control.receiveExactly(expected.size());
    if (!proof)
        return tl::unexpected(proof.error());
    if (!equalInConstantTime(*proof, expected))
        return fail(ErrorCode::PermissionDenied, m_test.client,
                    Words::tr("it does not hold the ticket of this measurement"));
    return {};
}

Result<void> ServedRun::agree()
{
    if (auto sent = m_control.send(State::ParamExchange); !sent)
        return sent;
    const Result<QByteArray> frame = m_control.receiveFrame(iperf3::parametersLimit);
    if (!frame && frame.error().code == ErrorCode::FrameTooLarge)
        return refuse(iperf3::faultBadParameters, frame.error());
    if (!frame)
        return tl::unexpected(frame.error());
    const Result<iperf3::Parameters> parameters = iperf3::decodeParameters(*frame);
    if (!parameters)
        return refuse(iperf3::faultBadParameters, parameters.error());
    m_parameters = *parameters;
    if (m_parameters.streams > m_options.maxStreams)
        return refuse(iperf3::faultBadParameters,
                      {ErrorCode::InvalidArgument,
                       {},
                       Words::tr("A number of %1 streams").arg(m_parameters.streams),
                       nullptr});
    const std::chrono::seconds asked(m_parameters.timeSeconds + m_parameters.omitSeconds);
    if (asked > m_options.maxDuration)
        return refuse(iperf3::faultMaxDuration, {ErrorCode::InvalidArgument,
                                                 {},
                                                 Words::tr("A duration of %1 s").arg(asked.count()),
                                                 nullptr});
    if (isTooFast())
        return refuse(iperf3::faultRate,
                      {ErrorCode::InvalidArgument, {}, Words::tr("That rate of UDP"), nullptr});
    m_test.flow = m_parameters.flow;
    m_test.streams = m_parameters.streams;
    m_test.udp = m_parameters.udp;
    m_wanted =
        m_parameters.flow == Flow::Bidirectional ? 2 * m_parameters.streams : m_parameters.streams;
    return {};
}

bool ServedRun::isTooFast() const
{
    if (!m_parameters.udp || !m_options.maxUdpRate)
        return false;
    const auto most = static_cast<std::uint64_t>(m_options.maxUdpRate->bitsPerSecond());
    return m_parameters.bandwidth == 0 ||
           m_parameters.bandwidth > most / static_cast<std::uint64_t>(m_parameters.streams);
}

bool ServedRun::offer(const QByteArray& cookie, Socket& socket)
{
    const std::lock_guard lock(m_mutex);
    if (m_phase != Phase::Gathering || cookie != m_cookie || m_offered >= m_wanted)
        return false;
    ++m_offered;
    m_arrived.push_back(std::move(socket));
    m_arrivals.raise();
    return true;
}

Result<void> ServedRun::gatherStreams()
{
    // The segment size is told in the handshake, so the listener must know it first.
    for (const Socket& listener : m_listeners) {
        if (m_parameters.maxSegment > 0)
            setMaxSegment(listener, m_parameters.maxSegment);
    }
    ServedConnections connections(m_parameters);
    m_phase = Phase::Gathering;
    Result<void> outcome = m_control.send(State::CreateStreams);
    Deadline deadline(iperf3::silenceLimit);
    while (outcome && connections.count() < m_wanted) {
        const Ready ready = waitReady(m_control.socket().fd(), POLLIN, deadline, m_arrivals);
        if (m_stop.isCancelled())
            outcome = fail(ErrorCode::Cancelled);
        else if (ready == Ready::TimedOut)
            outcome = fail(ErrorCode::PeerSilent);
        else if (ready == Ready::Yes)
            outcome = ended();
        const int before = connections.count();
        addArrivals(connections);
        if (connections.count() > before)
            deadline = Deadline(iperf3::silenceLimit);
    }
    m_phase = Phase::Running;
    for (const Socket& listener : m_listeners) {
        if (m_parameters.maxSegment > 0)
            setMaxSegment(listener, 0);
    }
    if (outcome)
        m_traffic = std::make_unique<ServedConnections>(std::move(connections));
    return outcome;
}

Result<void> ServedRun::gatherDatagrams()
{
    auto datagrams = std::make_unique<ServedDatagrams>(m_parameters);
    if (auto listening = datagrams->listen(m_control.socket()); !listening)
        return refuse(iperf3::faultStreamCreation, listening.error());
    if (auto sent = m_control.send(State::CreateStreams); !sent)
        return sent;
    const Result<void> gathered = datagrams->gather(m_control.socket(), m_stop);
    if (!gathered && gathered.error().code == ErrorCode::NotFound)
        return ended();
    if (!gathered && gathered.error().code == ErrorCode::PeerSilent)
        return refuse(iperf3::faultStreamCreation, gathered.error());
    if (!gathered)
        return gathered;
    m_phase = Phase::Running;
    m_traffic = std::move(datagrams);
    return {};
}

void ServedRun::addArrivals(ServedConnections& connections)
{
    m_arrivals.clear();
    std::vector<Socket> arrived;
    {
        const std::lock_guard lock(m_mutex);
        arrived.swap(m_arrived);
    }
    for (Socket& socket : arrived)
        connections.add(std::move(socket));
}

Result<void> ServedRun::moveBytes()
{
    const std::chrono::seconds omit(m_parameters.omitSeconds);
    m_cpu.emplace();
    const SteadyTime start = std::chrono::steady_clock::now();
    m_traffic->start();
    // A client behind a cut cable closes nothing, and must not keep others out; nor may datagrams
    // go on being sent there.
    if (m_parameters.udp)
        setPatientKeepAlive(m_control.socket());
    else
        setKeepAlive(m_control.socket());
    const bool timed = m_parameters.timeSeconds > 0;
    const std::chrono::seconds asked(m_parameters.timeSeconds);
    const SteadyTime watchdog = start + omit + (timed ? asked : m_options.maxDuration) + graceTime;
    const SteadyTime cutTime = start + omit;
    bool omitting = omit > 0s;
    std::int64_t lastMoved = 0;
    SteadyTime lastMove = start;
    while (true) {
        const SteadyTime look = std::chrono::steady_clock::now() + lookInterval;
        const Deadline wake(omitting ? std::min(look, cutTime) : look);
        const Ready ready = waitReady(m_control.socket().fd(), POLLIN, wake, m_stop);
        const auto now = std::chrono::steady_clock::now();
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled);
        if (ready == Ready::Yes)
            return ended();
        if (omitting && now >= cutTime) {
            m_traffic->cut();
            m_cpu.emplace();
            omitting = false;
        }
        m_traffic->look();
        if (const std::int64_t moved = m_traffic->moved(); moved != lastMoved) {
            lastMoved = moved;
            lastMove = now;
        }
        if (now >= watchdog)
            return refuse(iperf3::faultDurationExpired, {ErrorCode::PeerSilent, {}, {}, nullptr});
        if (now - lastMove >= idleLimit)
            return fail(ErrorCode::PeerSilent);
    }
}

// The client has spoken before or while bytes move.
Result<void> ServedRun::ended()
{
    const Result<State> state = m_control.receiveState();
    if (!state)
        return tl::unexpected(state.error());
    if (*state == State::TestEnd && m_traffic)
        return {};
    if (*state == State::ClientTerminate || *state == State::IperfDone)
        return fail(ErrorCode::ConnectionLost, {}, Words::tr("the client ended the test"));
    return fail(
        ErrorCode::ProtocolViolation, {},
        Words::tr("it sent the byte %1 where that has no meaning").arg(static_cast<int>(*state)));
}

Result<void> ServedRun::exchangeResults()
{
    const CpuUse cpu = m_cpu->use();
    iperf3::Results results = m_traffic->conclude();
    m_test.received = m_traffic->received();
    m_test.sent = m_traffic->sent();
    results.cpuTotal = cpu.total.percent();
    results.cpuUser = cpu.user.percent();
    results.cpuSystem = cpu.system.percent();
    results.program = QStringLiteral("napkin " NAPKIN_VERSION);

    Result<void> exchanged =
        m_control.send(State::ExchangeResults)
            .and_then([this] { return m_control.receiveFrame(iperf3::resultsLimit); })
            .and_then([this, &results](const QByteArray&) {
                return m_control.send(iperf3::encodeFrame(iperf3::encodeResults(results)));
            })
            .and_then([this] { return m_control.send(State::DisplayResults); });
    if (!exchanged)
        return exchanged;
    m_phase = Phase::Leaving;
    // The client says farewell and closes; should it not, nothing is lost.
    (void)waitReady(m_control.socket().fd(), POLLIN, Deadline(farewellLimit), m_stop);
    return {};
}

} // namespace napkin
