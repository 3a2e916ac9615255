// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/pathmtu/datagrams.h"
#include "core/measure/pathmtu/mtumessage.h"
#include "core/measure/resolve.h"
#include "core/measure/throughput/controlconnection.h"

namespace napkin {

// The near end of a path MTU run with a paired machine: tries packet sizes in either direction with
// UDP datagrams that must not be fragmented; what arrived is said over a TCP connection of small
// messages. Blocks; for one thread.
class PeerSizes
{
public:
    // Connects, shows the ticket and opens the UDP socket. The faults of connectAny() and
    // proveToFarEnd(). `interrupt` must outlive it.
    [[nodiscard]] static Result<PeerSizes> open(const Route& route, const DataTicket& ticket,
                                                const PathMtuOptions& options,
                                                const Interrupt& interrupt);

    [[nodiscard]] const SocketAddress& far() const { return m_far; } // with the port
    [[nodiscard]] std::optional<SocketAddress> local() const;
    [[nodiscard]] std::optional<int> farInterfaceMtu() const { return m_farInterfaceMtu; }

    // As TrySize. ConnectionLost when the far end has gone, HostUnreachable, PermissionDenied,
    // PeerSilent, Cancelled. In reverse only once something has passed forward.
    [[nodiscard]] Result<SizeProbe> trySize(Direction direction, int size);
    // Whether the far end is still there, without waiting.
    [[nodiscard]] Result<void> look();

private:
    struct Attempt;

    PeerSizes(iperf3::ControlConnection control, pathmtu::Datagrams datagrams,
              const SocketAddress& far, const PathMtuOptions& options, const Interrupt& interrupt);
    [[nodiscard]] Result<void> begin(Attempt& attempt);
    [[nodiscard]] Result<void> await(Attempt& attempt);
    [[nodiscard]] Result<void> hearDatagrams(Attempt& attempt);
    [[nodiscard]] Result<void> hearControl(Attempt& attempt);
    [[nodiscard]] Result<void> hear(Attempt& attempt, const pathmtu::SentBack& message) const;
    [[nodiscard]] tl::unexpected<Error> failed(Error error) const;

    iperf3::ControlConnection m_control;
    pathmtu::Datagrams m_datagrams;
    SocketAddress m_far;
    PathMtuOptions m_options;
    const Interrupt& m_interrupt;
    std::optional<int> m_farInterfaceMtu;
    std::uint32_t m_sequence = 0;
};

} // namespace napkin
