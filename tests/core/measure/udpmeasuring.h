// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/iperf3server.h"
#include "core/measure/udp/udpprobe.h"

#include "measuring.h"

namespace napkin::test {

inline const QString here = QStringLiteral("127.0.0.1");

inline std::unique_ptr<Iperf3Server> startServer(Iperf3ServerOptions options = {})
{
    options.port = 0;
    auto server = Iperf3Server::start(options);
    return server ? std::move(*server) : nullptr;
}

inline ProbeSpec udpSpec(const QString& host, int port, UdpOptions options = {})
{
    ProbeSpec spec;
    spec.far.host = host;
    spec.far.port = port;
    if (options.duration == UdpOptions{}.duration)
        options.duration = std::chrono::seconds(1);
    spec.options = options;
    return spec;
}

inline UdpOptions optionsOf(Flow flow, int streams = 1, int megabits = 20)
{
    UdpOptions options;
    options.flow = flow;
    options.streams = streams;
    options.rate = BitRate::megabitsPerSecond(megabits);
    options.datagramSize = ByteCount::bytes(1448);
    return options;
}

inline Observed observeUdp(ProbeSpec spec, CancelToken cancel = {})
{
    UdpProbe probe;
    return observe(probe, std::move(spec), std::move(cancel));
}

inline const UdpData& udpData(const Observed& seen)
{
    return std::get<UdpData>(seen.result->data);
}

// Beside other tests the machine may be busy: tst_network_udp judges rates.
inline bool isDue(const UdpTotal& total, qint64 bitsPerSecond)
{
    const double rate =
        static_cast<double>(BitRate::of(total.received, total.duration).bitsPerSecond());
    return rate > 0.5 * static_cast<double>(bitsPerSecond) &&
           rate < 1.5 * static_cast<double>(bitsPerSecond);
}

} // namespace napkin::test
