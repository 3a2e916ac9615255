// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latency.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace napkin {

// What was sent in a run, and what became of each message. All times count from the first one sent.
class EchoLedger
{
public:
    explicit EchoLedger(Duration timeout);

    // Its number: 0, 1, ...
    std::int64_t noteSent(Duration start);
    // An answer: the first in time counts, others are duplicates. A number that was not sent is
    // nobody's.
    void noteAnswer(std::int64_t number, Duration time);
    // Gives up what was sent longer ago than the time limit.
    void expire(Duration now);
    // Takes out what nothing is known of yet: a run that ends early does not know whether it would
    // have been answered.
    void dropPending();

    [[nodiscard]] std::int64_t sent() const { return m_sent; }
    [[nodiscard]] std::int64_t answered() const { return m_answered; }
    [[nodiscard]] bool isPending(std::int64_t number) const;
    [[nodiscard]] bool isSettled() const { return m_settled == m_data.samples.size(); }
    [[nodiscard]] Duration startOf(std::int64_t number) const
    {
        return m_data.samples[static_cast<size_t>(number)].start;
    }
    [[nodiscard]] Duration lastStart() const;

    // The settled ones, in the order of sending, that were not taken yet; with the duplicates and
    // reorderings since.
    [[nodiscard]] LatencyData takeFresh();
    [[nodiscard]] const LatencyData& data() const { return m_data; }
    [[nodiscard]] LatencyData takeData() { return std::move(m_data); }

    // Whether nothing came back any more at the end: of at least three messages, which were sent
    // over at least a second. Of answers there must have been one.
    [[nodiscard]] bool endsInSilence() const;

    // Whether the medians of blocks of 50 ms have been known well enough five times in a row.
    [[nodiscard]] bool isSure();

private:
    enum class State : std::uint8_t { Pending, Answered, Lost, Late };
    void settle(Duration now);
    void closeBlock();

    Duration m_timeout;
    LatencyData m_data;
    std::vector<State> m_states;
    std::int64_t m_sent = 0;
    std::int64_t m_answered = 0;
    std::int64_t m_latest = -1; // the latest message that was answered
    size_t m_settled = 0;       // all before it are
    size_t m_told = 0;
    std::int64_t m_toldDuplicates = 0;
    std::int64_t m_toldReordered = 0;
    size_t m_looked = 0; // for the blocks
    std::int64_t m_block = 0;
    std::vector<Duration> m_inBlock;
    std::vector<double> m_medians;
    size_t m_asked = 0; // medians at the last verdict
    int m_sureInARow = 0;
};

} // namespace napkin
