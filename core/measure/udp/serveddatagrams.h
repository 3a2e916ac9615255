// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/controlconnection.h"
#include "core/measure/throughput/servedtraffic.h"
#include "core/measure/udp/arrivallog.h"
#include "core/measure/udp/udpsampler.h"

#include <array>
#include <optional>

namespace napkin {

// Streams over UDP, to and from the machine at the other end of the control connection, and no
// other.
class ServedDatagrams final : public ServedTraffic
{
public:
    explicit ServedDatagrams(const iperf3::Parameters& parameters);

    // The port takes the client's first datagram from now on. AddressInUse, PermissionDenied.
    [[nodiscard]] Result<void> listen(const Socket& control);
    // Takes all streams; the port is closed then. PeerSilent when they do not come, Cancelled.
    // NotFound: something can be read on the control connection.
    [[nodiscard]] Result<void> gather(const Socket& control, const Interrupt& stop);

    void start() override;
    void look() override;
    void cut() override;
    [[nodiscard]] std::int64_t moved() const override;
    [[nodiscard]] iperf3::Results conclude() override;

private:
    [[nodiscard]] Result<bool> takeStream();
    void awaitQuiet();
    void restartArrivals();
    [[nodiscard]] bool receives() const { return m_parameters.flow != Flow::Reverse; }

    iperf3::Parameters m_parameters;
    UdpWire m_wire;
    int m_wanted = 0;
    SocketAddress m_local;
    SocketAddress m_client;
    std::optional<Socket> m_listener;
    Block m_block;
    UdpStreams m_streams; // after the block: their threads read it
    std::optional<UdpSampler> m_sampler;
    ArrivalLog m_arrivals;
};

} // namespace napkin
