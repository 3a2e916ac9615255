// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/sweeprun.h"

#include "core/measure/os/hostconditions.h"

#include <QCoreApplication>
#include <QRandomGenerator>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <random>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using pingpong::Moved;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Sweep)
};

constexpr Duration tellInterval = 50ms;
constexpr Duration leastHush = 500ms; // one lost segment is sent again sooner
constexpr int hushFactor = 4;         // times the longest exchange

} // namespace

std::vector<std::uint32_t> sweepSizes(ByteCount least, ByteCount most)
{
    const auto low = static_cast<std::uint32_t>(least.bytes());
    const auto high = static_cast<std::uint32_t>(most.bytes());
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t power = std::bit_ceil(low); power <= high; power *= 2) {
        const std::uint32_t between = (power / 4 * 3) | 1U;
        if (!sizes.empty() && between > power / 2 && between < power)
            sizes.push_back(between);
        sizes.push_back(power);
    }
    if (sizes.empty())
        sizes.push_back(low);
    if (sizes.size() == 1 && high != sizes.front())
        sizes.push_back(high);
    return sizes;
}

SweepRun::SweepRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                   std::optional<DataTicket> ticket)
    : m_spec(std::move(spec))
    , m_options(std::get<SweepOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_tell(std::move(tell))
    , m_interrupt(std::move(cancel))
    , m_ticket(std::move(ticket))
    , m_sizes(sweepSizes(m_options.least, m_options.most))
    , m_seed(QRandomGenerator::system()->generate64())
    , m_message(m_sizes.back())
    , m_answer(m_sizes.back())
{
    std::mt19937 random(static_cast<std::uint32_t>(m_seed));
    for (char& byte : m_message)
        byte = static_cast<char>(random() & 0xff);
}

pingpong::Plan SweepRun::plan() const
{
    pingpong::Plan plan;
    plan.method = EchoMethod::Tcp;
    plan.wait = m_options.wait;
    plan.milliseconds = static_cast<std::uint32_t>(m_options.duration.count());
    plan.messages = static_cast<std::uint32_t>(m_sizes.size()) *
                    static_cast<std::uint32_t>(m_options.rounds + 1);
    plan.seed = m_seed;
    plan.sizes = m_sizes;
    return plan;
}

Result<ProbeResult> SweepRun::run()
{
    m_data.clockStep = pingpong::measureClockStep();
    tellNew(Phase::Connecting);
    const Result<void> outcome = measure();
    std::optional<Error> fault;
    if (!outcome) {
        fault = outcome.error();
        if (fault->context.isEmpty())
            fault->context = m_route.peer;
    }
    return conclude(std::move(fault));
}

Result<void> SweepRun::measure()
{
    if (!m_ticket)
        return fail(ErrorCode::InvalidArgument, {},
                    Words::tr("the far end of a sweep must be a paired machine"));
    auto control = pingpong::EchoControl::open(m_route, *m_ticket, plan(), m_interrupt);
    if (!control)
        return tl::unexpected(control.error());
    m_control.emplace(std::move(*control));
    pingpong::setWait(m_control->socket(), m_options.wait, pingpong::slice);
    pingpong::Schedule schedule(m_seed, m_sizes);
    m_first = m_toldAt = std::chrono::steady_clock::now();
    m_end = m_first + m_options.duration;
    Duration longest{};
    for (int round = 0; round <= m_options.rounds; ++round) {
        const SteadyTime begin = std::chrono::steady_clock::now();
        if (m_rounds > 1 && begin + longest > m_end)
            return {};
        if (auto played = playRound(schedule, round); !played) {
            const bool isTimeUp = played.error().code == ErrorCode::TimedOut;
            return isTimeUp && m_rounds > 1 ? Result<void>() : played;
        }
        m_whole = m_data.samples.size();
        m_rounds = round + 1;
        longest = std::max<Duration>(longest, std::chrono::steady_clock::now() - begin);
    }
    return {};
}

Result<void> SweepRun::playRound(pingpong::Schedule& schedule, int number)
{
    for (size_t i = 0; i < m_sizes.size(); ++i) {
        Result<SweepSample> sample = exchange(schedule.next());
        if (!sample)
            return tl::unexpected(sample.error());
        sample->round = number;
        m_data.samples.push_back(*sample);
        if (m_first + sample->start + sample->time - m_toldAt >= tellInterval)
            tellNew(Phase::Measuring);
    }
    return {};
}

Result<SweepSample> SweepRun::exchange(std::uint32_t size)
{
    const Socket& socket = m_control->socket();
    const pingpong::Limits limits{m_end, pingpong::silenceLimit, pingpong::looksOf(m_options.wait),
                                  hush()};
    size_t sent = 0;
    size_t received = 0;
    const SteadyTime begin = std::chrono::steady_clock::now();
    Moved moved = pingpong::sendRest(socket, {m_message.data(), size}, sent, limits, m_interrupt);
    if (moved == Moved::Whole)
        moved =
            pingpong::receiveRest(socket, {m_answer.data(), size}, received, limits, m_interrupt);
    const SteadyTime end = std::chrono::steady_clock::now();
    if (auto done = made(moved); !done)
        return tl::unexpected(done.error());
    if (m_interrupt.isCancelled())
        return fail(ErrorCode::Cancelled);
    m_longest = std::max<Duration>(m_longest, end - begin);
    return SweepSample{0, ByteCount::bytes(size), begin - m_first, end - begin};
}

// Once all sizes have been there it is known how long an exchange takes here.
Duration SweepRun::hush() const
{
    return m_rounds > 1 ? std::max(leastHush, hushFactor * m_longest) : Duration::max();
}

Result<void> SweepRun::made(Moved moved) const
{
    switch (moved) {
    case Moved::Whole:
        return {};
    case Moved::TimedOut:
        return fail(ErrorCode::TimedOut, m_route.peer,
                    Words::tr("not one round could be made in this time: choose a longer duration "
                              "or smaller messages"));
    case Moved::Silent:
        return fail(ErrorCode::PeerSilent);
    case Moved::Interrupted:
        return fail(ErrorCode::Cancelled);
    case Moved::Closed:
        return fail(ErrorCode::ConnectionLost);
    case Moved::Failed:
        break;
    }
    const int error = errno;
    return fail(codeOfErrno(error), {}, textOfErrno(error));
}

void SweepRun::tellNew(Phase phase)
{
    SweepData fresh;
    fresh.clockStep = m_data.clockStep;
    fresh.samples.assign(m_data.samples.begin() + static_cast<std::ptrdiff_t>(m_told),
                         m_data.samples.end());
    m_told = m_data.samples.size();
    m_toldAt = std::chrono::steady_clock::now();
    const double all = static_cast<double>(m_sizes.size()) * (m_options.rounds + 1);
    const double byTime =
        m_told == 0 ? 0 : inSeconds(m_toldAt - m_first) / inSeconds(m_options.duration);
    const double byCount = static_cast<double>(m_told) / all;
    m_tell({phase, std::min(1.0, std::max(byTime, byCount)), std::move(fresh)});
}

Result<ProbeResult> SweepRun::conclude(std::optional<Error> fault)
{
    if (m_rounds < 2)
        return tl::unexpected(
            fault.value_or(Error{ErrorCode::NothingMeasured, {}, m_route.peer, nullptr}));
    m_data.samples.resize(m_whole);
    m_told = std::min(m_told, m_whole);
    tellNew(Phase::Finishing);
    ProbeResult result;
    result.spec = m_spec;
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = std::move(fault);
    result.conditions =
        conditionsOf(m_control->local(), m_control->far(), m_route.by.interfaceName);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
