// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/udprun.h"

#include "core/measure/os/hostconditions.h"
#include "core/measure/os/socket.h"
#include "core/measure/udp/udpsocket.h"
#include "core/measure/udp/udptotals.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <thread>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Udp)
};

constexpr std::chrono::milliseconds shortestInterval = 100ms; // of samples
constexpr std::chrono::milliseconds watchInterval = 100ms;    // of looks at the run, however long
constexpr std::int64_t mostSamples = 1'000'000; // in one run; a longer one is sampled less often
constexpr auto spareTime = 25s;                 // for everything around the measured time
constexpr auto helloLimit = 5s;                 // for the answer to the first datagram
constexpr auto silencePatience = 10s;           // without a single datagram
constexpr auto troublePatience = 1s;            // without being able to send
constexpr auto flightTime = 50ms;               // for what was sent last to arrive
constexpr auto finishLimit = 5s;                // for all that is said after the measured time
constexpr auto cancelledLimit = 250ms;          // for the results of a run that was cancelled

int streamCount(const UdpOptions& options)
{
    return options.flow == Flow::Bidirectional ? 2 * options.streams : options.streams;
}

std::chrono::milliseconds sampleInterval(const UdpOptions& options)
{
    const std::chrono::milliseconds whole = options.duration + options.omit;
    return std::max(shortestInterval, whole * streamCount(options) / mostSamples);
}

// At a low rate there are pauses between two datagrams.
Duration patience(const UdpWire& wire)
{
    const double interval = wire.datagramSize * 8.0 / static_cast<double>(wire.bitsPerSecond);
    return std::max<Duration>(silencePatience, Duration(std::llround(interval * 3e9)));
}

} // namespace

UdpRun::UdpRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
               const std::optional<DataTicket>& ticket)
    : m_spec(std::move(spec))
    , m_options(std::get<UdpOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_interrupt(std::move(cancel))
    , m_hardEnd(m_options.duration + m_options.omit + spareTime)
    , m_hasTicket(ticket.has_value())
    , m_talk(m_route, ticket, m_hardEnd, m_interrupt)
{}

Result<ProbeResult> UdpRun::run()
{
    if (auto ready = prepare(); !ready)
        return tl::unexpected(ready.error());
    Result<void> outcome = moveBytes();
    m_data.nearBufferDrops = m_sampler->bufferDrops();
    for (const auto& stream : m_streams)
        stream->finish();
    if (m_sampler)
        (void)awaitSenders(m_streams, 200ms);
    if (outcome)
        outcome = finish(m_options.flow == Flow::Reverse ? 0ms : flightTime);
    if (!outcome && outcome.error().isCancelled())
        finishCancelled();
    if (!outcome)
        dropSilence();
    for (const auto& stream : m_streams)
        stream->abort();
    return conclude(outcome);
}

Result<void> UdpRun::prepare()
{
    m_tell({Phase::Connecting, 0, UdpData{}});
    if (auto open = m_talk.open(); !open)
        return open;
    m_conditions = conditionsOf(localAddress(m_talk.socket()), peerAddress(m_talk.socket()),
                                m_route.by.interfaceName);
    chooseDatagram();
    return m_talk.agree(parameters()).and_then([this] { return openStreams(); }).and_then([this] {
        return m_talk.begin();
    });
}

// As iperf3 does it: the segment size of the control connection, which the path MTU bounds.
void UdpRun::chooseDatagram()
{
    constexpr int usual = 1448;
    int size = static_cast<int>(m_options.datagramSize.bytes());
    if (size == 0)
        size = maxSegment(m_talk.socket()).value_or(usual);
    m_wire.datagramSize = std::clamp(size, iperf3::minDatagram, iperf3::maxDatagram);
    m_wire.bitsPerSecond = static_cast<std::uint64_t>(
        std::max<std::int64_t>(1, m_options.rate.bitsPerSecond() / m_options.streams));
    m_wire.longNumbers = true;
    m_data.datagramSize = m_wire.datagramSize;
    m_block = randomBlock(m_wire.datagramSize);
}

iperf3::Parameters UdpRun::parameters() const
{
    iperf3::Parameters asked;
    asked.udp = true;
    asked.longNumbers = m_wire.longNumbers;
    asked.flow = m_options.flow;
    asked.timeSeconds = std::chrono::ceil<std::chrono::seconds>(m_options.duration).count();
    asked.omitSeconds = std::chrono::ceil<std::chrono::seconds>(m_options.omit).count();
    asked.streams = m_options.streams;
    asked.blockSize = m_wire.datagramSize;
    asked.bandwidth = m_wire.bitsPerSecond;
    asked.clientVersion = QStringLiteral("napkin " NAPKIN_VERSION);
    return asked;
}

Result<void> UdpRun::openStreams()
{
    for (int i = 0; i < streamCount(m_options); ++i) {
        const bool forward = m_options.flow == Flow::Forward ||
                             (m_options.flow == Flow::Bidirectional && i < m_options.streams);
        if (auto opened = openStream(i, forward ? Direction::Forward : Direction::Reverse); !opened)
            return opened;
    }
    return {};
}

// Every datagram takes the way of the control connection.
Result<void> UdpRun::openStream(int number, Direction direction)
{
    const auto near = localAddress(m_talk.socket());
    const auto far = peerAddress(m_talk.socket());
    if (!near || !far)
        return fail(ErrorCode::ConnectionLost, m_route.peer);
    Result<Socket> socket = iperf3::connectUdp(*near, *far, m_route.by.interfaceName);
    if (!socket) {
        Error error = socket.error();
        error.context = error.context.isEmpty() ? m_route.peer : error.context;
        return tl::unexpected(error);
    }
    if (auto greeted = greet(*socket, number == streamCount(m_options) - 1); !greeted)
        return greeted;
    StreamPlan plan;
    plan.id = iperf3::streamId(number);
    plan.index = number % m_options.streams;
    plan.direction = direction;
    plan.role = direction == Direction::Forward ? StreamRole::Sends : StreamRole::Receives;
    m_streams.push_back(std::make_unique<UdpStream>(std::move(*socket), plan, m_wire));
    return {};
}

Result<void> UdpRun::greet(const Socket& socket, bool isLast)
{
    const auto hello = m_hasTicket ? iperf3::Hello::Again : iperf3::Hello::Once;
    switch (
        iperf3::greet(socket, m_talk.socket(), hello, m_hardEnd.within(helloLimit), m_interrupt)) {
    case iperf3::Greeted::Answered:
        return {};
    case iperf3::Greeted::Interrupted:
        return fail(ErrorCode::Cancelled, m_route.peer);
    case iperf3::Greeted::ControlSpoke:
        // With all streams together the server goes on: only the answer was lost.
        if (isLast)
            return {};
        return tl::unexpected(m_talk.heard());
    case iperf3::Greeted::Refused:
        // A server that has just given up says so.
        if (waitReady(m_talk.socket().fd(), POLLIN, Deadline(300ms), m_interrupt) == Ready::Yes)
            return tl::unexpected(m_talk.heard());
        break;
    case iperf3::Greeted::Unanswered:
        break;
    }
    const int port = peerAddress(m_talk.socket()).value_or(SocketAddress()).port();
    return fail(ErrorCode::PeerSilent, m_route.peer,
                Words::tr("TCP gets through, but UDP does not: no answer to a datagram to port %1. "
                          "Let UDP port %1 through every firewall on the way, in both directions")
                    .arg(port));
}

Result<void> UdpRun::moveBytes()
{
    // A cut cable closes nothing, and a sender of datagrams notices nothing.
    setPatientKeepAlive(m_talk.socket());
    m_cpu.emplace();
    m_sampler.emplace(m_streams, m_options.omit);
    const SteadyTime start = m_sampler->start();
    for (const auto& stream : m_streams)
        stream->start(m_block);
    const SteadyTime omitEnd = start + m_options.omit;
    const SteadyTime end = omitEnd + m_options.duration;
    const std::chrono::duration<double> whole = end - start;
    const std::chrono::milliseconds interval = sampleInterval(m_options);
    SteadyTime nextLook = start + watchInterval;
    SteadyTime nextSample = start + interval;
    bool omitting = m_options.omit > 0ms;
    m_isCounting = !omitting;
    while (true) {
        const SteadyTime border = omitting ? omitEnd : end;
        const Ready ready =
            waitReady(m_talk.socket().fd(), POLLIN,
                      Deadline(std::min({nextLook, nextSample, border})), m_interrupt);
        const auto now = std::chrono::steady_clock::now();
        const bool isDue = ready != Ready::TimedOut || now >= nextSample || now >= border;
        tell(omitting ? Phase::Omitting : Phase::Measuring, std::min(1.0, (now - start) / whole),
             isDue ? m_sampler->take() : std::vector<UdpSample>());
        if (ready == Ready::Yes)
            return tl::unexpected(whyItSpoke());
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled, m_route.peer);
        if (omitting && now >= omitEnd) {
            m_sampler->cut();
            m_cpu.emplace();
            omitting = false;
            m_isCounting = true;
        }
        if (now >= end)
            return {};
        while (nextLook <= now)
            nextLook += watchInterval;
        while (nextSample <= now)
            nextSample += interval;
        if (auto alive = checkStreams(); !alive)
            return alive;
    }
}

// The far end has no reason to speak while data flows; without a word it is the kernel that says
// that the far end answers no more.
Error UdpRun::whyItSpoke()
{
    Error error = m_talk.heard();
    if (error.code == ErrorCode::TimedOut || error.code == ErrorCode::HostUnreachable) {
        error.code = ErrorCode::PeerSilent;
        error.detail = Words::tr("it did not answer any more for 10 s");
    }
    return error;
}

Result<void> UdpRun::checkStreams()
{
    const auto now = std::chrono::steady_clock::now();
    const auto last = m_sampler->lastArrival();
    if (last && now - *last >= patience(m_wire))
        return fail(ErrorCode::PeerSilent, m_route.peer,
                    Words::tr("no datagram arrived any more for %1 s")
                        .arg(std::llround(inSeconds(patience(m_wire)))));
    for (const auto& stream : m_streams) {
        const auto trouble = stream->trouble();
        // Refused: the far end has closed its socket; the control connection says why.
        if (trouble && now - trouble->since >= troublePatience && trouble->error != ECONNREFUSED)
            return fail(codeOfErrno(trouble->error), m_route.peer,
                        Words::tr("sending a datagram: %1").arg(textOfErrno(trouble->error)));
    }
    return {};
}

void UdpRun::tell(Phase phase, double fraction, std::vector<UdpSample> samples)
{
    m_data.samples.insert(m_data.samples.end(), samples.begin(), samples.end());
    UdpData fresh;
    fresh.samples = std::move(samples);
    fresh.datagramSize = m_wire.datagramSize;
    m_tell({phase, fraction, std::move(fresh)});
}

// What is under way still arrives; not for long.
void UdpRun::awaitQuiet()
{
    constexpr auto quiet = 20ms;
    const Deadline limit(300ms);
    std::int64_t before = -1;
    while (!limit.hasPassed() && m_sampler->moved() != before && !m_interrupt.isCancelled()) {
        before = m_sampler->moved();
        std::this_thread::sleep_for(quiet);
    }
}

Result<void> UdpRun::finish(std::chrono::milliseconds wait)
{
    m_tell({Phase::Finishing, 1, UdpData{}});
    std::this_thread::sleep_for(wait);
    m_talk.hurry(finishLimit);
    if (auto ended = m_talk.end(); !ended)
        return ended;
    if (m_options.flow != Flow::Forward)
        awaitQuiet();
    m_sampler->settle();
    m_data.nearBufferDrops = m_sampler->bufferDrops();
    const Result<iperf3::Results> far = m_talk.exchange(ownResults());
    if (!far)
        return tl::unexpected(far.error());
    if (auto taken = takeTotals(*far, wait); !taken)
        return taken;
    m_talk.part(); // all figures are here
    return {};
}

void UdpRun::finishCancelled()
{
    m_talk.outliveCancellation(cancelledLimit);
    if (!m_isCounting || !finish(0ms))
        m_talk.terminate();
}

// Waiting for a dead link is no measurement of it.
void UdpRun::dropSilence()
{
    const auto isSilent = [](const UdpSample& sample) {
        return sample.atReceiver && sample.packets == 0;
    };
    std::vector<UdpSample>& samples = m_data.samples;
    const auto last = std::find_if(samples.rbegin(), samples.rend(), [](const UdpSample& sample) {
        return sample.atReceiver && sample.packets > 0;
    });
    samples.erase(std::remove_if(last.base(), samples.end(), isSilent), samples.end());
}

iperf3::Results UdpRun::ownResults() const
{
    iperf3::Results results;
    const CpuUse cpu = m_cpu->use();
    results.cpuTotal = cpu.total.percent();
    results.cpuUser = cpu.user.percent();
    results.cpuSystem = cpu.system.percent();
    if (m_options.flow != Flow::Reverse)
        results.senderHasRetransmits = false;
    results.bufferDrops = m_data.nearBufferDrops;
    for (const UdpSampler::Span& span : m_sampler->spans())
        results.streams.push_back(streamResult(span));
    return results;
}

Result<void> UdpRun::takeTotals(const iperf3::Results& far, Duration wait)
{
    Result<std::vector<UdpTotal>> totals = udpTotals(m_sampler->spans(), far, wait);
    if (!totals) {
        Error error = totals.error();
        error.context = m_route.peer;
        return tl::unexpected(error);
    }
    m_data.totals = std::move(*totals);
    m_data.farProgram = far.program;
    if (m_options.flow != Flow::Reverse)
        m_data.farBufferDrops = far.bufferDrops;
    if (m_options.flow != Flow::Reverse)
        m_data.farArrivals = far.arrivals;
    return {};
}

bool UdpRun::hasMeasured() const
{
    return std::ranges::any_of(m_data.samples,
                               [](const UdpSample& sample) {
                                   return sample.atReceiver && !sample.omitted &&
                                          sample.packets > 0;
                               }) ||
           std::ranges::any_of(m_data.totals, [](const UdpTotal& total) {
               return total.received > ByteCount::bytes(0);
           });
}

// What was sent until the far end was lost: of what arrived nothing is known then. A far end that
// answers something else has told that its counts are of no use.
bool UdpRun::hasSent(ErrorCode fault) const
{
    const bool isLost = fault == ErrorCode::PeerSilent || fault == ErrorCode::ConnectionLost ||
                        fault == ErrorCode::HostUnreachable || fault == ErrorCode::TimedOut ||
                        fault == ErrorCode::Cancelled;
    return isLost && m_data.totals.empty() &&
           std::ranges::any_of(m_data.samples, [](const UdpSample& sample) {
               return !sample.atReceiver && !sample.omitted && sample.packets > 0;
           });
}

// A direction that was asked for and in which nothing arrived is no measurement of zero.
Result<void> UdpRun::everyDirectionArrived() const
{
    for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
        std::optional<ByteCount> arrived;
        for (const UdpTotal& total : m_data.totals) {
            if (total.direction == direction)
                arrived = arrived.value_or(ByteCount()) + total.received;
        }
        if (arrived == ByteCount::bytes(0))
            return fail(ErrorCode::NothingMeasured, m_route.peer,
                        direction == Direction::Forward
                            ? Words::tr("no datagram arrived at the far end; larger ones than "
                                        "the path carries vanish, try a smaller size")
                            : Words::tr("no datagram arrived from the far end; larger ones than "
                                        "the path carries vanish, try a smaller size"));
    }
    return {};
}

Result<ProbeResult> UdpRun::conclude(const Result<void>& ended)
{
    const Result<void> outcome = ended.and_then([this] { return everyDirectionArrived(); });
    const bool complete = outcome.has_value();
    if (!complete && !hasMeasured() && !hasSent(outcome.error().code))
        return tl::unexpected(outcome.error());
    ProbeResult result;
    result.spec = m_spec;
    result.completion = complete ? Completion::Complete : Completion::Partial;
    if (!complete)
        result.fault = outcome.error();
    result.conditions = std::move(m_conditions);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
