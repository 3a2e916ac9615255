// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakrun.h"

#include "core/measure/os/hostconditions.h"
#include "core/measure/soak/soakproof.h"
#include "core/results/data.h"

#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr auto stepEvery = 50ms;
constexpr Duration tellEvery = 100ms;
constexpr Duration second = 1s;
constexpr Duration leastSample = 20ms;
constexpr Duration heldUpAfter = 1s; // between two steps
constexpr auto firstConnect = 10s;
constexpr auto connectAgain = 3s;
constexpr milliseconds firstPause = 100ms;
constexpr milliseconds longestPause = 5s;
constexpr int askEvery = 3; // failures
constexpr auto lastWords = 10s;

std::vector<Direction> directionsOf(Flow flow)
{
    switch (flow) {
    case Flow::Forward:
        return {Direction::Forward};
    case Flow::Reverse:
        return {Direction::Reverse};
    case Flow::Bidirectional:
        break;
    }
    return {Direction::Forward, Direction::Reverse};
}

soak::Counts sum(const soak::Counts& a, const soak::Counts& b)
{
    return {a.received + b.received,   a.checked + b.checked, a.blocks + b.blocks,
            a.corrupted + b.corrupted, a.lost + b.lost,       a.duplicated + b.duplicated};
}

SoakTotal totalOf(Direction direction, const soak::Counts& counts)
{
    SoakTotal total;
    total.direction = direction;
    total.received = ByteCount::bytes(counts.received);
    total.checked = ByteCount::bytes(counts.checked);
    total.blocks = counts.blocks;
    total.corrupted = counts.corrupted;
    total.lost = counts.lost;
    total.duplicated = counts.duplicated;
    return total;
}

// What it grew by; it begins anew with each connection.
std::optional<std::int64_t> grown(const std::optional<std::int64_t>& now,
                                  const std::optional<std::int64_t>& before)
{
    if (!now)
        return std::nullopt;
    return std::max<std::int64_t>(0, *now - before.value_or(0));
}

} // namespace

SoakRun::SoakRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell, DataTicket ticket,
                 std::shared_ptr<SoakTargets> targets)
    : m_spec(std::move(spec))
    , m_options(std::get<SoakOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_cancel(std::move(cancel))
    , m_interrupt(m_cancel)
    , m_tell(std::move(tell))
    , m_ticket(std::move(ticket))
    , m_targets(std::move(targets))
    , m_seed(QRandomGenerator::system()->generate64())
    , m_watch(directionsOf(m_options.flow), m_options.stallAfter, m_options.lostAfter)
    , m_forwardSpans(Direction::Forward, soakSpanLength(m_options.duration))
    , m_reverseSpans(Direction::Reverse, soakSpanLength(m_options.duration))
{}

bool SoakRun::flows(Direction direction) const
{
    const auto all = directionsOf(m_options.flow);
    return std::ranges::find(all, direction) != all.end();
}

Result<ProbeResult> SoakRun::run()
{
    m_tell({Phase::Connecting, 0, SoakData{}});
    m_begin = std::chrono::steady_clock::now();
    if (auto connected = connect(Deadline(firstConnect)); !connected)
        return tl::unexpected(connected.error());
    m_begin = std::chrono::steady_clock::now();
    m_began = {Duration::zero()};
    m_watch.restart(Duration::zero());
    while (!m_cancel.stop_requested() && now() < m_options.duration)
        step();
    m_ended = std::min<Duration>(now(), m_options.duration);
    if (!m_cancel.stop_requested())
        finish();
    return conclude();
}

Result<void> SoakRun::connect(Deadline limit)
{
    Result<Socket> socket = connectAny(m_route, limit, m_interrupt);
    if (!socket)
        return tl::unexpected(socket.error());
    setPatientKeepAlive(*socket);
    const auto local = localAddress(*socket);
    const auto far = peerAddress(*socket);
    iperf3::ControlConnection connection(std::move(*socket), m_route.peer, limit.within(5s),
                                         m_interrupt);
    const auto number = static_cast<std::uint32_t>(m_began.size());
    if (auto begun = soak::begin(connection, m_ticket, {number, m_seed}); !begun)
        return begun;
    m_local = local;
    m_far = far;
    soak::PipeOptions pipe;
    pipe.sends = Direction::Forward;
    pipe.seed = m_seed;
    pipe.connection = number;
    pipe.blockSize = static_cast<std::size_t>(m_options.blockSize.bytes());
    pipe.rateCap = m_options.rateCap;
    pipe.sendsBlocks = flows(Direction::Forward);
    m_pipe = std::make_unique<soak::Pipe>(connection.release(), std::move(pipe));
    m_forwardSampled = {};
    m_reverseSampled = {};
    m_watch.restart(now());
    return {};
}

void SoakRun::wait(milliseconds time)
{
    const Deadline end(m_begin + m_options.duration);
    (void)waitReady(-1, 0, end.within(time), m_interrupt);
}

void SoakRun::step()
{
    const Duration at = now();
    if (m_pipe && at - m_lastStep > heldUpAfter) {
        SoakEvent event;
        event.kind = SoakEvent::Kind::HeldUp;
        event.start = m_lastStep;
        event.length = at - m_lastStep;
        ++m_counts.heldUps;
        add(event);
        m_watch.forgive(at);
    }
    m_lastStep = at;
    if (m_pipe)
        watchPipe();
    else
        comeBack();
    if (now() - m_lastTold >= tellEvery)
        tellProgress(Phase::Measuring);
    if (m_pipe)
        wait(stepEvery);
}

void SoakRun::watchPipe()
{
    const soak::PipeView view = m_pipe->look();
    const Duration at = now();
    m_reverse = sum(m_reverseBefore, view.counts);
    m_nearRetransmits = view.tcp.retransmits;
    m_nearRtt = view.tcp.rtt;
    for (const soak::Report& report : view.reports)
        hear(report);
    for (SoakEvent event : view.events) {
        event.start += m_began.back();
        add(event);
    }
    if (flows(Direction::Reverse))
        sampleReverse(view, at);
    m_watch.saw(Direction::Forward, view.tcp.acknowledged.value_or(m_farSide.counts.received), at);
    m_watch.saw(Direction::Reverse, view.heard, at);
    for (const SoakEvent& stall : m_watch.takeEnded())
        add(stall);
    if (view.end)
        lose(view.end->cause, at);
    else if (view.isEnded) // before its time
        lose(SoakEvent::Cause::Closed, at);
    else if (m_watch.isSilent(at))
        lose(SoakEvent::Cause::Silent, at);
}

void SoakRun::sampleReverse(const soak::PipeView& view, Duration at)
{
    const Duration here = at - m_began.back();
    const Duration length = here - m_reverseSampled.at;
    if (length < second)
        return;
    const auto& farRetransmits = m_farSide.retransmits;
    soak::Second one{m_began.back() + m_reverseSampled.at, length,
                     view.counts.received - m_reverseSampled.bytes,
                     grown(farRetransmits, m_reverseSampled.retransmits), std::nullopt};
    if (!m_reverseSampled.retransmits)
        one.retransmits.reset(); // the first only tells where it begins
    m_reverseSampled = {here, view.counts.received, farRetransmits};
    one.rtt = m_farRtt;
    m_counts.spans.push_back(m_reverseSpans.add(one));
}

void SoakRun::hear(const soak::Report& report)
{
    if (!m_farSide.isKnown || m_farSide.instance != report.instance) {
        m_farSide.before = sum(m_farSide.before, m_farSide.counts);
        m_farSide.retransmitsBefore += m_farSide.retransmits.value_or(0);
        m_farSide.instance = report.instance;
        m_farSide.isKnown = true;
        m_farSide.events = 0;
        m_reverseSampled.retransmits.reset();
    }
    m_farSide.counts = report.counts;
    m_farSide.retransmits = report.retransmits;
    m_farRtt = report.rtt;
    hearEvents(report);
    const Duration length = report.time - m_forwardSampled.at;
    if (!flows(Direction::Forward) || length < leastSample)
        return;
    m_counts.spans.push_back(
        m_forwardSpans.add({m_began.back() + m_forwardSampled.at, length,
                            std::max<std::int64_t>(0, report.receivedHere - m_forwardSampled.bytes),
                            grown(m_nearRetransmits, m_forwardSampled.retransmits), m_nearRtt}));
    m_forwardSampled = {report.time, report.receivedHere, m_nearRetransmits};
}

// A report has the newest of all there were; of those before, only the number is known.
void SoakRun::hearEvents(const soak::Report& report)
{
    const std::uint32_t fresh = report.events - std::min(report.events, m_farSide.events);
    m_farSide.events = report.events;
    const auto told = std::min<std::size_t>(fresh, report.newest.size());
    m_counts.eventsLeftOut += static_cast<std::int64_t>(fresh - told);
    for (SoakEvent event : std::span(report.newest).last(told)) {
        const auto connection = static_cast<std::size_t>(event.connection);
        event.start += m_began[std::min(connection, m_began.size() - 1)];
        event.direction = Direction::Forward;
        add(event);
    }
}

void SoakRun::lose(SoakEvent::Cause cause, Duration at)
{
    SoakEvent event;
    event.kind = SoakEvent::Kind::DropOut;
    event.start = m_watch.withdraw().value_or(at);
    event.cause = cause;
    event.connection = static_cast<int>(m_began.size()) - 1;
    m_dropOut = event;
    ++m_counts.dropOuts;
    m_counts.resets += cause == SoakEvent::Cause::Reset ? 1 : 0;
    dropPipe();
    m_pause = firstPause;
    m_failures = 0;
}

void SoakRun::dropPipe()
{
    const soak::PipeView view = m_pipe->look();
    m_reverseBefore = sum(m_reverseBefore, view.counts);
    m_reverse = m_reverseBefore;
    // A connection that is gone may not tell any more.
    if (const auto newest = std::max(m_nearRetransmits, view.tcp.retransmits))
        m_nearRetransmitsBefore = m_nearRetransmitsBefore.value_or(0) + *newest;
    m_nearRetransmits.reset();
    m_pipe.reset();
}

// Tries once to connect, and waits where that failed, longer each time.
void SoakRun::comeBack()
{
    if (m_targets) {
        if (const auto target = m_targets->take()) {
            for (SocketAddress& address : m_route.addresses)
                address.setPort(target->port);
            m_ticket = target->ticket;
            m_spec.far.port = target->port;
        }
    }
    const Deadline end(m_begin + m_options.duration);
    const Result<void> connected = connect(end.within(connectAgain));
    if (!connected) {
        ++m_failures;
        const ErrorCode code = connected.error().code;
        const bool isGone = code == ErrorCode::ConnectionRefused || code == ErrorCode::PeerRefused;
        if (m_targets && (isGone || m_failures % askEvery == 0))
            m_targets->ask();
        tellProgress(Phase::Measuring);
        wait(m_pause);
        m_pause = std::min(2 * m_pause, longestPause);
        return;
    }
    const Duration at = now();
    m_began.push_back(at);
    m_dropOut->length = at - m_dropOut->start;
    m_counts.withoutConnection += m_dropOut->length;
    add(*std::exchange(m_dropOut, std::nullopt));
    m_lastStep = at;
}

// The time is over: both ends send no more blocks, and the far end's last figures come.
void SoakRun::finish()
{
    if (!m_pipe)
        return;
    tellProgress(Phase::Finishing);
    m_pipe->finish();
    const Deadline patience(std::min<Duration>(lastWords, m_options.lostAfter));
    while (!patience.hasPassed() && !m_cancel.stop_requested()) {
        const soak::PipeView view = m_pipe->look();
        m_reverse = sum(m_reverseBefore, view.counts);
        for (const soak::Report& report : view.reports)
            hear(report);
        for (SoakEvent event : view.events) {
            event.start += m_began.back();
            add(event);
        }
        if (view.isEnded || view.end)
            break;
        (void)waitReady(-1, 0, patience.within(stepEvery), m_interrupt);
    }
}

void SoakRun::add(SoakEvent event)
{
    if (m_kept >= mostSoakEvents) {
        ++m_counts.eventsLeftOut;
        return;
    }
    ++m_kept;
    m_counts.events.push_back(event);
}

SoakTotal SoakRun::forwardTotal() const
{
    SoakTotal total = totalOf(Direction::Forward, sum(m_farSide.before, m_farSide.counts));
    if (m_nearRetransmitsBefore || m_nearRetransmits)
        total.retransmits = m_nearRetransmitsBefore.value_or(0) + m_nearRetransmits.value_or(0);
    // A report that was damaged on its way counts with the blocks, where none go that way.
    if (!flows(Direction::Reverse))
        total.corrupted += m_reverse.corrupted;
    return total;
}

SoakTotal SoakRun::reverseTotal() const
{
    SoakTotal total = totalOf(Direction::Reverse, m_reverse);
    if (m_farSide.retransmits)
        total.retransmits = m_farSide.retransmitsBefore + *m_farSide.retransmits;
    return total;
}

SoakData SoakRun::cumulative() const
{
    SoakData data = m_counts;
    data.elapsed = m_ended.value_or(std::min<Duration>(now(), m_options.duration));
    data.stalls = m_watch.begun();
    if (m_dropOut)
        data.withoutConnection += std::max(Duration::zero(), data.elapsed - m_dropOut->start);
    if (flows(Direction::Forward))
        data.totals.push_back(forwardTotal());
    if (flows(Direction::Reverse))
        data.totals.push_back(reverseTotal());
    return data;
}

void SoakRun::tellProgress(Phase phase)
{
    m_lastTold = now();
    SoakData fresh = cumulative();
    m_counts.spans.clear();
    m_counts.events.clear();
    append(m_all, fresh);
    const double fraction = inSeconds(fresh.elapsed) / inSeconds(m_options.duration);
    m_tell({phase, std::clamp(fraction, 0.0, 1.0), std::move(fresh)});
}

Result<ProbeResult> SoakRun::conclude()
{
    for (const SoakEvent& stall : m_watch.close(*m_ended))
        add(stall);
    if (m_dropOut) {
        SoakEvent event = *m_dropOut;
        event.isOpen = true;
        event.length = std::max(Duration::zero(), *m_ended - event.start);
        add(event);
    }
    tellProgress(Phase::Finishing);
    m_pipe.reset();
    std::optional<Error> fault;
    if (m_cancel.stop_requested())
        fault = Error{ErrorCode::Cancelled, {}, m_route.peer, nullptr};
    if (!hasMeasured(m_all))
        return fault ? tl::unexpected(*fault)
                     : Result<ProbeResult>(fail(ErrorCode::NothingMeasured, m_route.peer));
    ProbeResult result;
    result.spec = m_spec;
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = fault;
    result.conditions = conditionsOf(m_local, m_far, m_route.by.interfaceName);
    result.data = std::move(m_all);
    return result;
}

} // namespace napkin
