// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/latencyrun.h"

#include <functional>
#include <memory>
#include <optional>

namespace napkin {

// RTT idle, while sending, while receiving and both: echoes beside runs of the iperf3 protocol.
// Blocks; for one thread of its own. Use once.
//
// The load: one test for each of the last three phases, to the route's port: a stock iperf3 server,
// or an Iperf3Server with three tests and the ticket. The echoes: ICMP, or UDP to a DatagramServer
// with the same ticket at the same port number.
class LoadedRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    LoadedRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
              std::optional<DataTicket> ticket = std::nullopt, IcmpMeans means = {});
    ~LoadedRun();
    LoadedRun(const LoadedRun&) = delete;
    LoadedRun& operator=(const LoadedRun&) = delete;
    LoadedRun(LoadedRun&&) = delete;
    LoadedRun& operator=(LoadedRun&&) = delete;

    // As Probe::run; id, dates, tool and quality are left to the caller. A far end that takes no
    // load is found out first. Only whole phases are kept, and of a cancelled one what was there;
    // without any, or without an answer in the idle one, it is an error.
    [[nodiscard]] Result<ProbeResult> run();

private:
    class LoadThread;
    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> openUdp();
    [[nodiscard]] Result<void> checkLoad();
    [[nodiscard]] Result<void> playPhase(Load load);
    [[nodiscard]] Result<void> playIdle();
    struct Echoed
    {
        LoadPhase phase;
        Result<void> outcome;
    };
    [[nodiscard]] Echoed echoes(Load load);
    void keep(LoadPhase phase, const ProbeResult& loaded);
    [[nodiscard]] Result<void> echoInto(EchoLedger& ledger, Load load);
    [[nodiscard]] LatencyData within(LatencyData all) const;
    void tell(Phase phase, Load load, double fraction, LatencyData fresh);
    [[nodiscard]] ProbeSpec loadSpec(Load load) const;
    [[nodiscard]] Result<ProbeResult> conclude(const Result<void>& outcome);

    ProbeSpec m_spec;
    LoadedLatencyOptions m_options;
    Route m_route;
    Tell m_tell;
    CancelSource m_stop; // of the echoes and the load alike
    std::stop_callback<std::function<void()>> m_cancelled;
    CancelToken m_cancel;
    Interrupt m_interrupt;
    std::optional<DataTicket> m_ticket; // of the next load
    std::optional<DataTicket> m_datagramTicket;
    IcmpMeans m_icmp;
    SocketAddress m_address;
    std::unique_ptr<pingpong::Port> m_port; // none: the ping program
    std::int64_t m_sent = 0;                // over the port, in all phases
    LoadedLatencyData m_data;
    Conditions m_conditions;
};

} // namespace napkin
