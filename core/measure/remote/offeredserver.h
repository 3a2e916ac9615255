// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/connect/connectserver.h"
#include "core/measure/latency/echoserver.h"
#include "core/measure/pathmtu/pathmtuserver.h"
#include "core/measure/remote/remotejson.h"
#include "core/measure/soak/soakserver.h"
#include "core/measure/throughput/iperf3server.h"

#include <memory>

namespace napkin::remote {

// The far end of one run, of whatever kind was asked for: it serves the holder of the ticket, and
// takes no more than the options need.
class OfferedServer
{
public:
    // Listens at once, on `to` (empty: all addresses). AddressInUse, AddressNotAvailable,
    // PermissionDenied.
    [[nodiscard]] static Result<std::unique_ptr<OfferedServer>>
    start(const OfferRequest& request, const QString& to, const DataTicket& ticket, int port);

    [[nodiscard]] int port() const { return m_port; }
    // Tells when it is used and when that ended; null for a kind that leaves no such sign.
    [[nodiscard]] Iperf3Server* signs() const { return m_idleFirst ? nullptr : m_iperf3.get(); }

private:
    [[nodiscard]] Result<int> listen(const OfferRequest& request, const QString& to,
                                     const DataTicket& ticket, int port);
    [[nodiscard]] Result<int> listenIperf3(Iperf3ServerOptions options);
    [[nodiscard]] Result<int> listenLoaded(const LoadedLatencyOptions& asked,
                                           Iperf3ServerOptions options);

    int m_port = 0;
    bool m_idleFirst = false; // it begins with a time in which nothing comes
    std::unique_ptr<Iperf3Server> m_iperf3;
    std::unique_ptr<ConnectServer> m_connects;
    std::unique_ptr<EchoServer> m_echoes;
    std::unique_ptr<DatagramServer> m_datagrams;
    std::unique_ptr<PathMtuServer> m_sizes;
    std::unique_ptr<SoakServer> m_soak;
};

} // namespace napkin::remote
