// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/throughputrun.h"

#include "core/measure/os/hostconditions.h"
#include "core/measure/os/tcpinfo.h"
#include "core/measure/throughput/streamtotals.h"
#include "core/results/certainty.h"
#include "core/results/summary.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>

namespace napkin {

namespace {

using namespace std::chrono_literals;

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
constexpr auto limitedWatch = 5ms;  // of a run that ends after so many bytes
constexpr auto quietAtEnd = 1s;     // without a byte as the time ends: the link may be gone
constexpr auto hurriedEnd = 5s;     // for all that then remains to be said

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
                             const std::optional<DataTicket>& ticket)
    : m_spec(std::move(spec))
    , m_options(std::get<ThroughputOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_interrupt(std::move(cancel))
    , m_hardEnd(m_options.duration + m_options.omit + spareTime)
    , m_talk(m_route, ticket, m_hardEnd, m_interrupt)
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
    if (!outcome && outcome.error().isCancelled())
        m_talk.terminate();
    for (const auto& stream : m_streams)
        stream->abort();
    return conclude(outcome);
}

Result<void> ThroughputRun::prepare()
{
    m_tell({Phase::Connecting, 0, ThroughputData{}});
    if (auto open = m_talk.open(); !open)
        return open;
    noteConditions();
    return m_talk.agree(parameters()).and_then([this] { return openStreams(); }).and_then([this] {
        return m_talk.begin();
    });
}

iperf3::Parameters ThroughputRun::parameters() const
{
    iperf3::Parameters parameters;
    parameters.flow = m_options.flow;
    parameters.timeSeconds = std::chrono::ceil<std::chrono::seconds>(m_options.duration).count();
    parameters.omitSeconds = std::chrono::ceil<std::chrono::seconds>(m_options.omit).count();
    parameters.streams = m_options.streams;
    parameters.blockSize = static_cast<int>(m_options.blockSize.bytes());
    parameters.congestion = m_options.congestionControl;
    parameters.clientVersion = QStringLiteral("napkin " NAPKIN_VERSION);
    parameters.byteLimit = m_most;
    return parameters;
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
    const auto address = peerAddress(m_talk.socket());
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
    if (::send(socket->fd(), m_talk.cookie().constData(), iperf3::cookieSize, MSG_NOSIGNAL) !=
        iperf3::cookieSize)
        return fail(ErrorCode::ConnectionLost, m_route.peer);
    DataStream::Plan plan;
    plan.id = iperf3::streamId(number);
    plan.index = number % m_options.streams;
    plan.direction = direction;
    plan.role = direction == Direction::Forward ? StreamRole::Sends : StreamRole::Receives;
    plan.most = m_most;
    m_streams.push_back(std::make_unique<DataStream>(std::move(*socket), plan));
    return {};
}

// Every data connection takes the way of the control connection.
void ThroughputRun::noteConditions()
{
    m_conditions = conditionsOf(localAddress(m_talk.socket()), peerAddress(m_talk.socket()),
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
    const std::chrono::milliseconds watching = m_most > 0 ? limitedWatch : watchInterval;
    SteadyTime nextLook = start + watching;
    SteadyTime nextSample = start + interval;
    bool omitting = m_options.omit > 0ms;
    while (true) {
        const SteadyTime border = omitting ? omitEnd : end;
        const Ready ready =
            waitReady(m_talk.socket().fd(), POLLIN,
                      Deadline(std::min({nextLook, nextSample, border})), m_interrupt);
        const auto now = std::chrono::steady_clock::now();
        if (m_sampler->look())
            m_lastBytes = now;
        const bool isOver = now >= end || isThrough();
        const bool isDue = ready != Ready::TimedOut || now >= nextSample || now >= border || isOver;
        tell(omitting ? Phase::Omitting : Phase::Measuring, std::min(1.0, (now - start) / whole),
             isDue ? m_sampler->take() : std::vector<ThroughputSample>());
        if (ready == Ready::Yes)
            return tl::unexpected(m_talk.heard());
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled, m_route.peer);
        if (omitting && now >= omitEnd) {
            m_sampler->cut();
            m_cpu.emplace();
            omitting = false;
        }
        if (isOver || (isDue && isSureEnough(now - omitEnd)))
            break;
        while (nextLook <= now)
            nextLook += watching;
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

// Whether all that was to be sent at most has been acknowledged, or read.
bool ThroughputRun::isThrough() const
{
    if (m_most == 0)
        return false;
    std::int64_t moved = 0;
    for (const auto& stream : m_streams) {
        const bool isSender = stream->plan().role == StreamRole::Sends;
        const std::int64_t waiting =
            isSender ? unacknowledged(stream->socket().fd()).value_or(0) : 0;
        moved += stream->bytes() - waiting;
    }
    return moved >= m_most;
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
    if (std::chrono::steady_clock::now() - m_lastBytes >= quietAtEnd)
        m_talk.hurry(hurriedEnd);
    const Result<iperf3::Results> far =
        m_talk.end().and_then([this] { return m_talk.exchange(ownResults()); });
    if (!far)
        return tl::unexpected(far.error());
    if (auto taken = takeTotals(*far); !taken)
        return taken;
    m_talk.part(); // all figures are here
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
