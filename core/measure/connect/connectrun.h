// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/measure/resolve.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <functional>
#include <optional>

namespace napkin {

// One run of handshakes with the first address of the route that answers. Blocks; for one thread of
// its own. Use once.
class ConnectRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    ConnectRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
               std::optional<DataTicket> ticket = std::nullopt);

    // As Probe::run; id, dates, tool and quality are left to the caller. A run without a single
    // connection is an error: ConnectionRefused, TimedOut or HostUnreachable, with the counts.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> prove();
    void chooseAddress();
    [[nodiscard]] Result<ConnectSample> attempt(Duration start);
    void tellNew(SteadyTime now, bool last);
    [[nodiscard]] bool pause(SteadyTime until) const;
    [[nodiscard]] Error nothingConnected() const;

    ProbeSpec m_spec;
    ConnectOptions m_options;
    Route m_route;
    Tell m_tell;
    Interrupt m_interrupt;
    std::optional<DataTicket> m_ticket;
    SocketAddress m_address; // the one measured
    ConnectData m_data;
    size_t m_told = 0;
    SteadyTime m_lastTold;
    std::optional<SocketAddress> m_local;
};

} // namespace napkin
