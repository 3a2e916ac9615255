// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/measure/throughput/clienttalk.h"
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
                  const std::optional<DataTicket>& ticket = std::nullopt);

    // Ends as soon as so many bytes have got through, if that comes before its time; no more are
    // sent. Before run().
    void limitTo(ByteCount most) { m_most = most.bytes(); }
    // As Probe::run; id, dates, tool and quality are left to the caller.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] iperf3::Parameters parameters() const;
    [[nodiscard]] Result<void> openStreams();
    [[nodiscard]] Result<void> openStream(int number, Direction direction);
    [[nodiscard]] Result<void> moveBytes();
    [[nodiscard]] bool isSureEnough(Duration measured);
    [[nodiscard]] bool isThrough() const;
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
    iperf3::ClientTalk m_talk;
    Block m_block;
    DataStreams m_streams; // after the block: their threads read it
    std::optional<Sampler> m_sampler;
    std::optional<CpuMeter> m_cpu;
    SteadyTime m_lastBytes; // when any stream last moved some
    std::optional<SteadyTime> m_brokenSince;
    int m_sureInARow = 0;
    std::int64_t m_most = 0; // bytes; 0: no limit
    ThroughputData m_data;
    Conditions m_conditions;
};

} // namespace napkin
