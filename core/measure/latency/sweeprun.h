// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echocontrol.h"
#include "core/measure/latency/echoio.h"
#include "core/results/result.h"

#include <functional>
#include <optional>
#include <vector>

namespace napkin {

// The sizes of a sweep, ascending: as SweepOptions has it. Where there is no power of two between
// them, the least and the most.
[[nodiscard]] std::vector<std::uint32_t> sweepSizes(ByteCount least, ByteCount most);

// One sweep against the EchoServer that issued the ticket. Blocks; for one thread of its own. Use
// once.
class SweepRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    SweepRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
             std::optional<DataTicket> ticket);

    // As Probe::run; id, dates, tool and quality are left to the caller. Only whole rounds are
    // kept; a run without a round after the warm-up is an error (TimedOut when its time was too
    // short for one). Where the far end has fallen silent as the time ends, far longer than any
    // exchange took, the run is partial (PeerSilent).
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> measure();
    [[nodiscard]] Result<void> playRound(pingpong::Schedule& schedule, int number);
    [[nodiscard]] Result<SweepSample> exchange(std::uint32_t size);
    [[nodiscard]] Result<void> made(pingpong::Moved moved) const;
    [[nodiscard]] Duration hush() const;
    [[nodiscard]] pingpong::Plan plan() const;
    void tellNew(Phase phase);
    [[nodiscard]] Result<ProbeResult> conclude(std::optional<Error> fault);

    ProbeSpec m_spec;
    SweepOptions m_options;
    Route m_route;
    Tell m_tell;
    Interrupt m_interrupt;
    std::optional<DataTicket> m_ticket;
    std::vector<std::uint32_t> m_sizes;
    std::uint64_t m_seed;
    std::optional<pingpong::EchoControl> m_control;
    std::vector<char> m_message;
    std::vector<char> m_answer;
    SteadyTime m_first; // when the first message was sent
    SteadyTime m_end;
    SweepData m_data;
    size_t m_whole = 0;   // samples of whole rounds
    int m_rounds = 0;     // whole ones, the warm-up included
    Duration m_longest{}; // of the exchanges so far
    size_t m_told = 0;
    SteadyTime m_toldAt;
};

} // namespace napkin
