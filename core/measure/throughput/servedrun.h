// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/controlconnection.h"
#include "core/measure/throughput/cpumeter.h"
#include "core/measure/throughput/iperf3server.h"
#include "core/measure/throughput/servedtraffic.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace napkin {

// One test as the iperf3 server, from the cookie to the farewell. run() blocks, on a thread of its
// own; offer() and phase() are for the thread that accepts connections.
class ServedRun
{
public:
    enum class Phase {
        Starting,
        Gathering, // takes data streams
        Running,
        Leaving, // all figures exchanged: a next client may wait for its turn
        Over,
    };

    // `control` has sent `cookie`. `listeners` outlive the run.
    ServedRun(Socket control, QByteArray cookie, const Iperf3ServerOptions& options,
              std::span<const Socket> listeners, CancelToken stop);

    [[nodiscard]] ServedTest run();
    void markOver() { m_phase = Phase::Over; }

    [[nodiscard]] Phase phase() const { return m_phase; }
    // Takes the socket if it is a data stream of this test and still wanted.
    [[nodiscard]] bool offer(const QByteArray& cookie, Socket& socket);

private:
    [[nodiscard]] Result<void> serve();
    [[nodiscard]] Result<void> prove();
    [[nodiscard]] Result<void> agree();
    [[nodiscard]] Result<void> refuse(std::int32_t code, Error why);
    void drain();
    [[nodiscard]] Result<void> gatherStreams();
    [[nodiscard]] Result<void> gatherDatagrams();
    void addArrivals(ServedConnections& connections);
    [[nodiscard]] bool isTooFast() const;
    [[nodiscard]] Result<void> moveBytes();
    [[nodiscard]] Result<void> ended();
    [[nodiscard]] Result<void> exchangeResults();
    void say(iperf3::State state);

    QByteArray m_cookie;
    Iperf3ServerOptions m_options;
    std::span<const Socket> m_listeners;
    Interrupt m_stop;     // the server ends
    Interrupt m_arrivals; // a data stream has come, or the server ends
    iperf3::ControlConnection m_control;
    iperf3::Parameters m_parameters;
    int m_wanted = 0; // data streams
    std::unique_ptr<ServedTraffic> m_traffic;
    std::optional<CpuMeter> m_cpu;
    ServedTest m_test;
    std::atomic<Phase> m_phase = Phase::Starting;
    std::mutex m_mutex;
    std::vector<Socket> m_arrived; // guarded by the mutex
    int m_offered = 0;             // guarded by the mutex
};

} // namespace napkin
