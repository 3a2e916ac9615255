// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoloop.h"

#include <algorithm>
#include <utility>

namespace napkin::pingpong {

namespace {

constexpr Duration tellInterval = 50ms;
constexpr Duration leastTime = 2s; // before a result may be sure
constexpr Duration lateness = 2s;  // after its time a run waits so long for what keeps order
constexpr int returnsThatDo = 3;   // messages given back before the first answer

} // namespace

Loop::Loop(Port& port, EchoLedger& ledger, const LoopOptions& options, const Interrupt& interrupt,
           Tell tell)
    : m_port(port)
    , m_ledger(ledger)
    , m_options(options)
    , m_interrupt(interrupt)
    , m_tell(std::move(tell))
{}

Result<void> Loop::run()
{
    m_first = m_now = m_heardAt = m_toldAt = std::chrono::steady_clock::now();
    const Result<void> outcome = exchange();
    if (!outcome)
        m_ledger.dropPending();
    m_tell(outcome ? 1.0
                   : std::min(1.0, inSeconds(m_now - m_first) / inSeconds(m_options.duration)),
           m_ledger.takeFresh());
    return outcome;
}

Result<void> Loop::exchange()
{
    while (!isOver()) {
        if (auto sent = send(); !sent)
            return sent;
        const bool inTurn = m_port.isOrdered() || m_options.interval == 0ns;
        if (auto heard = inTurn ? awaitAnswer() : hearUntilDue(); !heard)
            return heard;
        if (m_options.interval > 0ns && m_port.isOrdered() &&
            !pauseUntil(std::min(m_sentAt + m_options.interval, m_first + m_options.duration),
                        m_options.wait, m_interrupt))
            return fail(ErrorCode::Cancelled);
        if (m_options.interval > 0ns)
            m_now = std::chrono::steady_clock::now();
        tellSome(m_now);
        if (auto alive = checkSilence(); !alive)
            return alive;
    }
    return awaitRest();
}

bool Loop::isOver() const
{
    return m_isSure || m_now - m_first >= m_options.duration || m_ledger.sent() >= mostRoundTrips;
}

Result<void> Loop::send()
{
    if (m_interrupt.isCancelled())
        return fail(ErrorCode::Cancelled);
    m_sentAt = std::chrono::steady_clock::now();
    m_number = m_ledger.sent();
    if (m_number == 0)
        m_first = m_heardAt = m_sentAt;
    m_ledger.noteSent(m_sentAt - m_first);
    return m_port.send(m_options.firstNumber + m_number);
}

// Whether there was an answer.
Result<bool> Loop::hear(SteadyTime until)
{
    const Result<Port::Heard> heard = m_port.hear(until);
    if (!heard)
        return tl::unexpected(heard.error());
    if (heard->what == Port::Heard::What::Interrupted)
        return fail(ErrorCode::Cancelled);
    if (heard->what == Port::Heard::What::Nothing) {
        m_now = std::chrono::steady_clock::now();
        return false;
    }
    m_now = m_heardAt = heard->at;
    const std::int64_t number = heard->number - m_options.firstNumber;
    if (number >= 0 && number < m_ledger.sent())
        m_ledger.noteAnswer(number, heard->at - m_first - m_ledger.startOf(number));
    return true;
}

// Ping-pong: until this one is answered or given up; what keeps order is waited for even then.
Result<void> Loop::awaitAnswer()
{
    while (m_ledger.isPending(m_number)) {
        const auto heard = hear(m_sentAt + m_options.timeout);
        if (!heard)
            return tl::unexpected(heard.error());
        m_ledger.expire(m_now - m_first);
        if (*heard || m_ledger.isPending(m_number) || !m_port.isOrdered())
            continue;
        tellSome(m_now);
        const SteadyTime given = m_sentAt + m_options.timeout;
        const SteadyTime end = std::max(given, m_first + m_options.duration);
        const auto late = hear(std::min(given + silenceLimit, end + lateness));
        if (!late)
            return tl::unexpected(late.error());
        if (!*late)
            return fail(ErrorCode::PeerSilent);
    }
    return {};
}

// Until the next one is due.
Result<void> Loop::hearUntilDue()
{
    const SteadyTime due = std::min(m_sentAt + m_options.interval, m_first + m_options.duration);
    do {
        const auto heard = hear(due);
        if (!heard)
            return tl::unexpected(heard.error());
        m_ledger.expire(m_now - m_first);
        tellSome(m_now);
    } while (m_now < due);
    return {};
}

// What is still on its way has its time.
Result<void> Loop::awaitRest()
{
    while (!m_ledger.isSettled()) {
        const auto heard = hear(m_first + m_ledger.lastStart() + m_options.timeout);
        if (!heard)
            return tl::unexpected(heard.error());
        m_ledger.expire(m_now - m_first);
    }
    return {};
}

Result<void> Loop::checkSilence() const
{
    const Duration patience =
        std::max<Duration>(silenceLimit, m_options.interval + m_options.timeout);
    const bool isGivenBack = m_ledger.answered() == 0 && m_port.returned() &&
                             m_ledger.sent() >= returnsThatDo && m_now - m_first >= 1s;
    if (isGivenBack)
        return tl::unexpected(*m_port.returned());
    if (m_now - m_heardAt >= patience)
        return fail(ErrorCode::PeerSilent);
    return {};
}

void Loop::tellSome(SteadyTime now)
{
    if (now - m_toldAt < tellInterval)
        return;
    m_toldAt = now;
    const Duration elapsed = now - m_first;
    if (m_options.ending == Ending::WhenSure && m_ledger.isSure() && elapsed >= leastTime)
        m_isSure = true;
    m_tell(std::min(1.0, inSeconds(elapsed) / inSeconds(m_options.duration)), m_ledger.takeFresh());
}

} // namespace napkin::pingpong
