// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/measure/throughput/controlconnection.h"
#include "core/measure/throughput/cpumeter.h"
#include "core/measure/throughput/sampler.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <functional>
#include <memory>
#include <optional>

namespace napkin {

// One throughput run as the client of an iperf3 server, from connecting to the far end's results.
// Blocks; for one thread of its own. Use once.
class ThroughputRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    // With a ticket not a byte is sent to a far end that has not proved that it issued it.
    ThroughputRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                  std::optional<DataTicket> ticket = std::nullopt);

    // As Probe::run; id, dates, tool and quality are left to the caller.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<void> prove();
    [[nodiscard]] Result<void> expect(iperf3::State state);
    [[nodiscard]] Error refusal(iperf3::State got);
    [[nodiscard]] Result<void> sendParameters();
    [[nodiscard]] Result<void> openStreams();
    [[nodiscard]] Result<void> openStream(int number, Direction direction);
    [[nodiscard]] Result<void> moveBytes();
    [[nodiscard]] bool isSureEnough(Duration measured);
    [[nodiscard]] Result<void> watchControl();
    [[nodiscard]] Result<void> checkStreams();
    void keepUntilSilence();
    void tell(Phase phase, double fraction, std::vector<ThroughputSample> samples);
    [[nodiscard]] Result<void> finish();
    [[nodiscard]] iperf3::Results ownResults() const;
    [[nodiscard]] Result<void> takeTotals(const iperf3::Results& far);
    [[nodiscard]] Result<ProbeResult> conclude(const Result<void>& ended);
    [[nodiscard]] Result<void> everyDirectionArrived() const;
    [[nodiscard]] bool hasMeasured() const;
    void noteConditions();

    ProbeSpec m_spec;
    ThroughputOptions m_options;
    Route m_route;
    Tell m_tell;
    Interrupt m_interrupt;
    Deadline m_hardEnd;
    std::optional<DataTicket> m_ticket;
    QByteArray m_cookie;
    Block m_block;
    std::optional<iperf3::ControlConnection> m_control;
    DataStreams m_streams; // after the block: their threads read it
    std::optional<Sampler> m_sampler;
    std::optional<CpuMeter> m_cpu;
    SteadyTime m_lastBytes; // when any stream last moved some
    std::optional<SteadyTime> m_brokenSince;
    int m_sureInARow = 0;
    ThroughputData m_data;
    Conditions m_conditions;
};

} // namespace napkin
