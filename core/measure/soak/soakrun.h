// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probethread.h"
#include "core/measure/resolve.h"
#include "core/measure/soak/soakpipe.h"
#include "core/measure/soak/soakspans.h"
#include "core/measure/soak/soaktargets.h"
#include "core/measure/soak/soakwatch.h"

#include <memory>

namespace napkin {

// The near end of a soak, on one thread that watches and two that move bytes. It comes back after
// every connection that is lost, until its time is over; that it could not connect at first is an
// error. Stalls it sees by itself, forward by what was acknowledged and in reverse by what came;
// what is wrong with a block is seen by the end that receives it, the far end tells its share once
// a second. Lives for one run().
class SoakRun
{
public:
    using Tell = std::function<void(Progress)>;

    // `targets` may be null: then a far end that was started anew is not found again.
    SoakRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell, DataTicket ticket,
            std::shared_ptr<SoakTargets> targets = nullptr);

    [[nodiscard]] Result<ProbeResult> run();

private:
    // What the newest service of the far end told, and what those before it had.
    struct FarSide
    {
        std::uint64_t instance = 0;
        bool isKnown = false;
        soak::Counts before;
        soak::Counts counts;
        std::int64_t retransmitsBefore = 0;
        std::optional<std::int64_t> retransmits;
        std::uint32_t events = 0;
    };
    // Of the connection that stands, or stood last: where its samples have come to.
    struct Sampled
    {
        Duration at{};
        std::int64_t bytes = 0;
        std::optional<std::int64_t> retransmits;
    };

    [[nodiscard]] Result<void> connect(Deadline limit);
    void step();
    void watchPipe();
    void sampleReverse(const soak::PipeView& view, Duration now);
    void hear(const soak::Report& report);
    void hearEvents(const soak::Report& report);
    void lose(SoakEvent::Cause cause, Duration now);
    void dropPipe();
    void comeBack();
    void wait(std::chrono::milliseconds time);
    void finish();
    void add(SoakEvent event);
    void tellProgress(Phase phase);
    [[nodiscard]] SoakData cumulative() const;
    [[nodiscard]] SoakTotal forwardTotal() const;
    [[nodiscard]] SoakTotal reverseTotal() const;
    [[nodiscard]] Result<ProbeResult> conclude();
    [[nodiscard]] Duration now() const { return std::chrono::steady_clock::now() - m_begin; }
    [[nodiscard]] bool flows(Direction direction) const;

    ProbeSpec m_spec;
    SoakOptions m_options;
    Route m_route;
    CancelToken m_cancel;
    Interrupt m_interrupt;
    Tell m_tell;
    DataTicket m_ticket;
    std::shared_ptr<SoakTargets> m_targets;
    std::uint64_t m_seed;

    SteadyTime m_begin;
    std::optional<SocketAddress> m_local;
    std::optional<SocketAddress> m_far;
    std::unique_ptr<soak::Pipe> m_pipe;
    std::vector<Duration> m_began; // of each connection
    soak::StallWatch m_watch;
    soak::SpanBuilder m_forwardSpans;
    soak::SpanBuilder m_reverseSpans;
    Sampled m_forwardSampled;
    Sampled m_reverseSampled;
    FarSide m_farSide;
    soak::Counts m_reverseBefore; // of connections that are gone
    soak::Counts m_reverse;       // with the one that stands
    std::optional<std::int64_t> m_nearRetransmitsBefore;
    std::optional<std::int64_t> m_nearRetransmits;
    std::optional<Duration> m_nearRtt;
    std::optional<Duration> m_farRtt;
    Duration m_lastStep{};
    Duration m_lastTold{};
    std::optional<SoakEvent> m_dropOut; // goes on
    std::chrono::milliseconds m_pause{};
    int m_failures = 0;              // to connect, one after the other
    std::optional<Duration> m_ended; // when the time was over

    SoakData m_counts;      // of what is counted here; spans and events: fresh ones
    std::size_t m_kept = 0; // events
    ProbeData m_all = SoakData();
};

} // namespace napkin
