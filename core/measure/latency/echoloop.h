// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echoledger.h"
#include "core/measure/latency/echoports.h"

#include <functional>

namespace napkin::pingpong {

struct LoopOptions
{
    Duration duration{}; // of sending; what is on its way then has `timeout` to come back
    Duration interval{}; // 0: the next message goes when the one before is answered or given up
    Duration timeout{};
    WaitMode wait = WaitMode::Blocking;
    Ending ending = Ending::FixedTime;
    std::int64_t firstNumber =
        0; // as the port has it: answers to earlier runs over it are no one's
};

// Sends messages and keeps account of them until the time is over, the result is sure, or nothing
// is to be expected any more. With an interval messages go when they are due, whatever is still on
// its way, unless the port keeps order. For one thread; use once.
class Loop
{
public:
    // Called up to 20 times a second, between messages.
    using Tell = std::function<void(double fraction, LatencyData fresh)>;

    Loop(Port& port, EchoLedger& ledger, const LoopOptions& options, const Interrupt& interrupt,
         Tell tell);

    // Faults: Cancelled, PeerSilent, ConnectionLost and those of the port. What was gathered until
    // then is in the ledger.
    [[nodiscard]] Result<void> run();
    [[nodiscard]] SteadyTime first() const { return m_first; } // when the first was sent

private:
    [[nodiscard]] Result<void> exchange();
    [[nodiscard]] Result<void> send();
    [[nodiscard]] Result<void> hearUntilDue();
    [[nodiscard]] Result<void> awaitAnswer();
    [[nodiscard]] Result<void> awaitRest();
    [[nodiscard]] Result<bool> hear(SteadyTime until);
    [[nodiscard]] Result<void> checkSilence() const;
    [[nodiscard]] bool isOver() const;
    void tellSome(SteadyTime now);

    Port& m_port;
    EchoLedger& m_ledger;
    LoopOptions m_options;
    const Interrupt& m_interrupt;
    Tell m_tell;
    SteadyTime m_first;
    SteadyTime m_sentAt; // the last one
    SteadyTime m_now;    // as last read
    SteadyTime m_heardAt;
    SteadyTime m_toldAt;
    std::int64_t m_number = 0; // of the last one
    bool m_isSure = false;
};

} // namespace napkin::pingpong
