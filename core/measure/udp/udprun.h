// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/resolve.h"
#include "core/measure/throughput/clienttalk.h"
#include "core/measure/throughput/cpumeter.h"
#include "core/measure/udp/udpsampler.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <functional>
#include <optional>

namespace napkin {

// One UDP run as the client of an iperf3 server, from connecting to the far end's results. Blocks;
// for one thread of its own. Use once.
//
// A run that is cancelled asks the far end what arrived so far, for a quarter of a second: a sender
// alone knows nothing of that. Where the far end is lost, what was sent is kept all the same.
class UdpRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    // With a ticket not a datagram is sent to a far end that has not proved that it issued it.
    UdpRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
           const std::optional<DataTicket>& ticket = std::nullopt);

    // As Probe::run; id, dates, tool and quality are left to the caller.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] iperf3::Parameters parameters() const;
    void chooseDatagram();
    [[nodiscard]] Result<void> openStreams();
    [[nodiscard]] Result<void> openStream(int number, Direction direction);
    [[nodiscard]] Result<void> greet(const Socket& socket, bool isLast);
    [[nodiscard]] Result<void> moveBytes();
    [[nodiscard]] Result<void> checkStreams();
    [[nodiscard]] Error whyItSpoke();
    void tell(Phase phase, double fraction, std::vector<UdpSample> samples);
    [[nodiscard]] Result<void> finish(std::chrono::milliseconds wait);
    void finishCancelled();
    void awaitQuiet();
    void dropSilence();
    [[nodiscard]] iperf3::Results ownResults() const;
    [[nodiscard]] Result<void> takeTotals(const iperf3::Results& far, Duration wait);
    [[nodiscard]] Result<ProbeResult> conclude(const Result<void>& ended);
    [[nodiscard]] Result<void> everyDirectionArrived() const;
    [[nodiscard]] bool hasMeasured() const;
    [[nodiscard]] bool hasSent(ErrorCode fault) const;

    ProbeSpec m_spec;
    UdpOptions m_options;
    Route m_route;
    Tell m_tell;
    Interrupt m_interrupt;
    Deadline m_hardEnd;
    bool m_hasTicket;
    iperf3::ClientTalk m_talk;
    UdpWire m_wire;
    Block m_block;
    UdpStreams m_streams; // after the block: their threads read it
    std::optional<UdpSampler> m_sampler;
    std::optional<CpuMeter> m_cpu;
    bool m_isCounting = false; // the omit period is over
    UdpData m_data;
    Conditions m_conditions;
};

} // namespace napkin
