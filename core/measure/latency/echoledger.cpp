// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoledger.h"

#include "core/results/certainty.h"
#include "core/results/statistics.h"

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr Duration blockLength = 50ms;
constexpr int sureEnough = 5;
constexpr size_t oftenUpTo = 400; // medians; with more of them the question is put less often

double inNanoseconds(std::optional<Duration> time)
{
    return static_cast<double>(time.value_or(Duration(0)).count());
}

} // namespace

EchoLedger::EchoLedger(Duration timeout)
    : m_timeout(timeout)
{}

std::int64_t EchoLedger::noteSent(Duration start)
{
    m_data.samples.push_back({start, {}, RoundTrip::Outcome::Answered});
    m_states.push_back(State::Pending);
    return m_sent++;
}

void EchoLedger::noteAnswer(std::int64_t number, Duration time)
{
    if (number < 0 || number >= std::ssize(m_states))
        return;
    const auto at = static_cast<size_t>(number);
    State& state = m_states[at];
    if (state == State::Answered || state == State::Late) {
        ++m_data.duplicates;
        return;
    }
    if (number < m_latest)
        ++m_data.reordered;
    m_latest = std::max(m_latest, number);
    RoundTrip& sample = m_data.samples[at];
    if (state == State::Lost || time > m_timeout) {
        state = State::Late;
        sample.time = m_timeout;
        sample.outcome = RoundTrip::Outcome::Lost;
    } else {
        state = State::Answered;
        sample.time = time;
        ++m_answered;
    }
    settle(Duration::min());
}

void EchoLedger::expire(Duration now)
{
    settle(now);
}

void EchoLedger::settle(Duration now)
{
    for (; m_settled < m_states.size(); ++m_settled) {
        if (m_states[m_settled] != State::Pending)
            continue;
        RoundTrip& sample = m_data.samples[m_settled];
        if (now == Duration::min() || now - sample.start < m_timeout)
            return;
        m_states[m_settled] = State::Lost;
        sample.time = m_timeout;
        sample.outcome = RoundTrip::Outcome::Lost;
    }
}

void EchoLedger::dropPending()
{
    size_t kept = 0;
    for (size_t i = 0; i < m_states.size(); ++i) {
        if (m_states[i] == State::Pending)
            continue;
        m_data.samples[kept] = m_data.samples[i];
        m_states[kept] = m_states[i];
        ++kept;
    }
    m_data.samples.resize(kept);
    m_states.resize(kept);
    m_settled = kept;
}

bool EchoLedger::isPending(std::int64_t number) const
{
    return m_states[static_cast<size_t>(number)] == State::Pending;
}

Duration EchoLedger::lastStart() const
{
    return m_data.samples.empty() ? Duration(0) : m_data.samples.back().start;
}

bool EchoLedger::endsInSilence() const
{
    constexpr std::ptrdiff_t fewest = 3;
    const auto heard = std::find_if(m_states.rbegin(), m_states.rend(), [](State state) {
        return state == State::Answered || state == State::Late;
    });
    const std::ptrdiff_t silent = heard - m_states.rbegin();
    if (heard == m_states.rend() || silent < fewest)
        return false;
    const RoundTrip& last = m_data.samples[m_states.size() - 1 - static_cast<size_t>(silent)];
    return lastStart() - (last.start + last.time) >= 1s;
}

LatencyData EchoLedger::takeFresh()
{
    LatencyData fresh;
    fresh.samples.assign(m_data.samples.begin() + static_cast<std::ptrdiff_t>(m_told),
                         m_data.samples.begin() + static_cast<std::ptrdiff_t>(m_settled));
    m_told = m_settled;
    fresh.duplicates = m_data.duplicates - std::exchange(m_toldDuplicates, m_data.duplicates);
    fresh.reordered = m_data.reordered - std::exchange(m_toldReordered, m_data.reordered);
    return fresh;
}

void EchoLedger::closeBlock()
{
    if (m_inBlock.empty())
        return;
    m_medians.push_back(inNanoseconds(quantile(std::exchange(m_inBlock, {}), 0.5)));
    if (m_medians.size() - m_asked <= m_medians.size() / oftenUpTo)
        return;
    m_asked = m_medians.size();
    const bool isSure = certaintyOf(m_medians).verdict == Certainty::Verdict::Sure;
    m_sureInARow = isSure ? m_sureInARow + 1 : 0;
}

bool EchoLedger::isSure()
{
    for (; m_looked < m_settled && m_sureInARow < sureEnough; ++m_looked) {
        const RoundTrip& sample = m_data.samples[m_looked];
        const std::int64_t block = sample.start / blockLength;
        if (block != m_block)
            closeBlock();
        m_block = block;
        if (sample.outcome == RoundTrip::Outcome::Answered)
            m_inBlock.push_back(sample.time);
    }
    return m_sureInARow >= sureEnough;
}

} // namespace napkin
