// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/throughputrun.h"

#include "core/base/logging.h"
#include "core/measure/os/hostconditions.h"
#include "core/measure/throughput/streamtotals.h"
#include "core/measure/throughput/ticketproof.h"
#include "core/results/certainty.h"
#include "core/results/summary.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using iperf3::State;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Throughput)
};

constexpr std::chrono::milliseconds shortestInterval = 100ms; // of samples
constexpr std::chrono::milliseconds sureInterval = 50ms;      // of a run that ends when it is sure
constexpr std::chrono::milliseconds watchInterval = 100ms;    // of looks at the run, however long
constexpr std::int64_t mostSamples = 1'000'000; // in one run; a longer one is sampled less often
constexpr auto spareTime = 15s;                 // for everything around the measured time
constexpr auto silencePatience = 10s;           // without a single byte on any stream
constexpr Duration shortestSureRun = 2s;
constexpr int confirmations = 5;    // in a row, for a run to end before its time
constexpr auto brokenPatience = 1s; // for the control connection to say why a stream ended

int streamCount(const ThroughputOptions& options)
{
    return options.flow == Flow::Bidirectional ? 2 * options.streams : options.streams;
}

std::chrono::milliseconds sampleInterval(const ThroughputOptions& options)
{
    const std::chrono::milliseconds whole = options.duration + options.omit;
    const auto shortest = options.ending == Ending::WhenSure ? sureInterval : shortestInterval;
    return std::max(shortest, whole * streamCount(options) / mostSamples);
}

} // namespace

ThroughputRun::ThroughputRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                             std::optional<DataTicket> ticket)
    : m_spec(std::move(spec))
    , m_options(std::get<ThroughputOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_interrupt(std::move(cancel))
    , m_hardEnd(m_options.duration + m_options.omit + spareTime)
    , m_ticket(std::move(ticket))
    , m_cookie(m_ticket ? m_ticket->cookie() : iperf3::makeCookie())
    , m_block(randomBlock(static_cast<int>(m_options.blockSize.bytes())))
{}

Result<ProbeResult> ThroughputRun::run()
{
    if (auto ready = prepare(); !ready)
        return tl::unexpected(ready.error());
    Result<void> outcome = moveBytes();
    for (const auto& stream : m_streams)
        stream->finish();
    if (outcome)
        outcome = finish();
    if (!outcome && outcome.error().isCancelled()) {
        // A farewell that fits into an empty socket buffer; the token is already stopped, so this
        // must not wait.
        const QByteArray farewell = iperf3::encodeState(State::ClientTerminate);
        ::send(m_control->socket().fd(), farewell.constData(), 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    for (const auto& stream : m_streams)
        stream->abort();
    return conclude(outcome);
}

Result<void> ThroughputRun::prepare()
{
    m_tell({Phase::Connecting, 0, ThroughputData{}});
    Result<Socket> socket = connectAny(m_route, m_hardEnd.within(10s), m_interrupt);
    if (!socket)
        return tl::unexpected(socket.error());
    m_control.emplace(std::move(*socket), m_route.peer, m_hardEnd, m_interrupt);
    // A busy server closes at once: what it said still waits to be read, even if this fails.
    Result<void> sent = m_control->send(m_cookie);
    if (!sent && sent.error().code != ErrorCode::ConnectionLost)
        return sent;
    noteConditions();
    return prove()
        .and_then([this] { return expect(State::ParamExchange); })
        .and_then([this] { return sendParameters(); })
        .and_then([this] { return expect(State::CreateStreams); })
        .and_then([this] { return openStreams(); })
        .and_then([this] { return expect(State::TestStart); })
        .and_then([this] { return expect(State::TestRunning); });
}

Result<void> ThroughputRun::prove()
{
    if (!m_ticket)
        return {};
    return proveToFarEnd(*m_control, *m_ticket);
}

Result<void> ThroughputRun::expect(State state)
{
    const Result<State> got = m_control->receiveState();
    if (!got)
        return tl::unexpected(got.error());
    if (*got == state)
        return {};
    return tl::unexpected(refusal(*got));
}

Error ThroughputRun::refusal(State got)
{
    switch (got) {
    case State::AccessDenied:
        return {ErrorCode::PeerBusy, {}, m_route.peer, nullptr};
    case State::ServerError: {
        const auto fault = m_control->receiveServerFault();
        return {ErrorCode::PeerRefused, fault ? iperf3::explain(*fault) : QString(), m_route.peer,
                nullptr};
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

Result<void> ThroughputRun::sendParameters()
{
    iperf3::Parameters parameters;
    parameters.flow = m_options.flow;
    parameters.timeSeconds = std::chrono::ceil<std::chrono::seconds>(m_options.duration).count();
    parameters.omitSeconds = std::chrono::ceil<std::chrono::seconds>(m_options.omit).count();
    parameters.streams = m_options.streams;
    parameters.blockSize = static_cast<int>(m_options.blockSize.bytes());
    parameters.congestion = m_options.congestionControl;
    parameters.clientVersion = QStringLiteral("napkin " NAPKIN_VERSION);
    return m_control->send(iperf3::encodeFrame(iperf3::encodeParameters(parameters)));
}

Result<void> ThroughputRun::openStreams()
{
    for (int i = 0; i < streamCount(m_options); ++i) {
        const bool forward = m_options.flow == Flow::Forward ||
                             (m_options.flow == Flow::Bidirectional && i < m_options.streams);
        if (auto opened = openStream(i, forward ? Direction::Forward : Direction::Reverse); !opened)
            return opened;
    }
    m_data.congestionControl = congestionControl(m_streams.front()->socket());
    return {};
}

Result<void> ThroughputRun::openStream(int number, Direction direction)
{
    const auto address = peerAddress(m_control->socket());
    if (!address)
        return fail(ErrorCode::ConnectionLost, m_route.peer);
    Result<Socket> socket = connectTcp(*address, m_route.by, m_hardEnd.within(5s), m_interrupt);
    if (!socket) {
        Error error = socket.error();
        error.context = error.context.isEmpty() ? m_route.peer : error.context;
        return tl::unexpected(error);
    }
    if (!m_options.congestionControl.isEmpty()) {
        if (auto set = setCongestionControl(*socket, m_options.congestionControl); !set)
            return set;
    }
    // 37 bytes into a fresh connection's buffer: this never waits.
    if (::send(socket->fd(), m_cookie.constData(), iperf3::cookieSize, MSG_NOSIGNAL) !=
        iperf3::cookieSize)
        return fail(ErrorCode::ConnectionLost, m_route.peer);
    DataStream::Plan plan;
    plan.id = iperf3::streamId(number);
    plan.index = number % m_options.streams;
    plan.direction = direction;
    plan.role = direction == Direction::Forward ? StreamRole::Sends : StreamRole::Receives;
    m_streams.push_back(std::make_unique<DataStream>(std::move(*socket), plan));
    return {};
}

// Every data connection takes the way of the control connection.
void ThroughputRun::noteConditions()
{
    m_conditions = conditionsOf(localAddress(m_control->socket()), peerAddress(m_control->socket()),
                                m_route.by.interfaceName);
}

Result<void> ThroughputRun::moveBytes()
{
    m_cpu.emplace();
    m_sampler.emplace(m_streams, m_options.omit);
    const SteadyTime start = m_sampler->start();
    m_lastBytes = start;
    for (const auto& stream : m_streams)
        stream->start(m_block);
    const SteadyTime omitEnd = start + m_options.omit;
    const SteadyTime end = omitEnd + m_options.duration;
    const std::chrono::duration<double> whole = end - start;
    const std::chrono::milliseconds interval = sampleInterval(m_options);
    SteadyTime nextLook = start + watchInterval;
    SteadyTime nextSample = start + interval;
    bool omitting = m_options.omit > 0ms;
    while (true) {
        const SteadyTime border = omitting ? omitEnd : end;
        const Ready ready =
            waitReady(m_control->socket().fd(), POLLIN,
                      Deadline(std::min({nextLook, nextSample, border})), m_interrupt);
        const auto now = std::chrono::steady_clock::now();
        if (m_sampler->look())
            m_lastBytes = now;
        const bool isDue = ready != Ready::TimedOut || now >= nextSample || now >= border;
        tell(omitting ? Phase::Omitting : Phase::Measuring, std::min(1.0, (now - start) / whole),
             isDue ? m_sampler->take() : std::vector<ThroughputSample>());
        if (ready == Ready::Yes)
            return watchControl();
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled, m_route.peer);
        if (omitting && now >= omitEnd) {
            m_sampler->cut();
            m_cpu.emplace();
            omitting = false;
        }
        if (now >= end || (isDue && isSureEnough(now - omitEnd)))
            break;
        while (nextLook <= now)
            nextLook += watchInterval;
        while (nextSample <= now)
            nextSample += interval;
        if (auto alive = checkStreams(); !alive)
            return alive;
    }
    m_data.nearCpu = m_cpu->use();
    return {};
}

// Asked after each sample: whether every direction has been known well enough for so many in a row.
bool ThroughputRun::isSureEnough(Duration measured)
{
    if (m_options.ending != Ending::WhenSure || measured < shortestSureRun)
        return false;
    bool isSure = true;
    for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
        const std::vector<double> rates = ratesOf(m_data, direction);
        isSure =
            isSure && (rates.empty() || certaintyOf(rates).verdict == Certainty::Verdict::Sure);
    }
    m_sureInARow = isSure ? m_sureInARow + 1 : 0;
    return m_sureInARow >= confirmations;
}

// The far end has no reason to speak while the test runs: whatever it says ends the run.
Result<void> ThroughputRun::watchControl()
{
    const Result<State> got = m_control->receiveState();
    if (!got)
        return tl::unexpected(got.error());
    return tl::unexpected(refusal(*got));
}

Result<void> ThroughputRun::checkStreams()
{
    const auto now = std::chrono::steady_clock::now();
    // A cut cable closes nothing: TCP goes on trying for minutes.
    if (now - m_lastBytes >= silencePatience) {
        m_data.nearCpu = m_cpu->use();
        keepUntilSilence();
        return fail(ErrorCode::PeerSilent, m_route.peer,
                    Words::tr("no byte arrived any more for 10 s"));
    }
    const bool broken = std::any_of(m_streams.begin(), m_streams.end(),
                                    [](const auto& stream) { return stream->isBroken(); });
    if (!broken)
        return {};
    if (!m_brokenSince)
        m_brokenSince = now;
    if (now - *m_brokenSince < brokenPatience)
        return {};
    keepUntilSilence();
    return fail(ErrorCode::ConnectionLost, m_route.peer, Words::tr("a data stream ended early"));
}

// What was gathered before the fault is kept; waiting for a dead link is no measurement of it.
void ThroughputRun::keepUntilSilence()
{
    const std::vector<ThroughputSample> rest = m_sampler->takeUntilSilence();
    m_data.samples.insert(m_data.samples.end(), rest.begin(), rest.end());
    std::vector<ThroughputSample>& samples = m_data.samples;
    const auto last =
        std::find_if(samples.rbegin(), samples.rend(), [](const ThroughputSample& sample) {
            return sample.bytes > ByteCount::bytes(0);
        });
    samples.erase(last.base(), samples.end());
}

void ThroughputRun::tell(Phase phase, double fraction, std::vector<ThroughputSample> samples)
{
    m_data.samples.insert(m_data.samples.end(), samples.begin(), samples.end());
    ThroughputData fresh;
    fresh.samples = std::move(samples);
    m_tell({phase, fraction, std::move(fresh)});
}

Result<void> ThroughputRun::finish()
{
    m_tell({Phase::Finishing, 1, ThroughputData{}});
    std::optional<iperf3::Results> far;
    const Result<void> told =
        m_control->send(State::TestEnd)
            .and_then([this] { return expect(State::ExchangeResults); })
            .and_then([this] {
                return m_control->send(iperf3::encodeFrame(iperf3::encodeResults(ownResults())));
            })
            .and_then([this] { return m_control->receiveFrame(iperf3::resultsLimit); })
            .and_then([](const QByteArray& json) { return iperf3::decodeResults(json); })
            .map([&far](iperf3::Results results) { far = std::move(results); });
    if (!told) {
        Error error = told.error();
        error.context = m_route.peer;
        return tl::unexpected(error);
    }
    if (auto taken = takeTotals(*far); !taken)
        return taken;
    // All figures are here. What follows is courtesy: a far end that is gone by now changes
    // nothing.
    const Result<void> parted = expect(State::DisplayResults).and_then([this] {
        return m_control->send(State::IperfDone);
    });
    if (!parted)
        qCDebug(lcMeasure) << "no farewell from" << m_route.peer << parted.error().detail;
    return {};
}

iperf3::Results ThroughputRun::ownResults() const
{
    iperf3::Results results;
    if (m_data.nearCpu) {
        results.cpuTotal = m_data.nearCpu->total.percent();
        results.cpuUser = m_data.nearCpu->user.percent();
        results.cpuSystem = m_data.nearCpu->system.percent();
    }
    if (m_options.flow != Flow::Reverse)
        results.senderHasRetransmits = true;
    results.congestionUsed = m_data.congestionControl;
    for (const Sampler::Span& span : m_sampler->spans())
        results.streams.push_back(streamResult(span));
    return results;
}

Result<void> ThroughputRun::takeTotals(const iperf3::Results& far)
{
    Result<std::vector<StreamTotal>> totals = streamTotals(m_sampler->spans(), far);
    if (!totals) {
        Error error = totals.error();
        error.context = m_route.peer;
        return tl::unexpected(error);
    }
    m_data.totals = std::move(*totals);
    m_data.farProgram = far.program;
    if (far.cpuTotal >= 0 && far.cpuUser >= 0 && far.cpuSystem >= 0)
        m_data.farCpu = CpuUse{Ratio::of(far.cpuTotal / 100), Ratio::of(far.cpuUser / 100),
                               Ratio::of(far.cpuSystem / 100)};
    return {};
}

bool ThroughputRun::hasMeasured() const
{
    return std::any_of(m_data.samples.begin(), m_data.samples.end(),
                       [](const ThroughputSample& sample) {
                           return !sample.omitted && sample.bytes > ByteCount::bytes(0);
                       });
}

// A direction that was asked for and in which nothing arrived is no measurement of zero.
Result<void> ThroughputRun::everyDirectionArrived() const
{
    for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
        std::optional<ByteCount> arrived;
        for (const StreamTotal& total : m_data.totals) {
            if (total.direction == direction)
                arrived = arrived.value_or(ByteCount()) + total.received;
        }
        if (arrived == ByteCount::bytes(0))
            return fail(ErrorCode::NothingMeasured, m_route.peer,
                        direction == Direction::Forward
                            ? Words::tr("nothing arrived at the far end")
                            : Words::tr("nothing arrived from the far end"));
    }
    return {};
}

Result<ProbeResult> ThroughputRun::conclude(const Result<void>& ended)
{
    const Result<void> outcome = ended.and_then([this] { return everyDirectionArrived(); });
    const bool complete = outcome.has_value();
    if (!complete && !hasMeasured()) {
        // After a whole run without a byte, a missing answer has the same reason.
        const bool stalled = m_data.nearCpu && outcome.error().code == ErrorCode::PeerSilent;
        if (stalled)
            return failBecause(ErrorCode::NothingMeasured, m_route.peer, outcome.error());
        return tl::unexpected(outcome.error());
    }
    if (!complete && m_cpu && !m_data.nearCpu)
        m_data.nearCpu = m_cpu->use();
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
