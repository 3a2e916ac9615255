// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/pathmtu/echosizes.h"
#include "core/measure/pathmtu/peersizes.h"
#include "core/measure/pathmtu/sizesearch.h"
#include "core/measure/resolve.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <functional>
#include <optional>

namespace napkin {

// One search for the path MTU: forward with echoes, or, with a ticket, in both directions with the
// far end that issued it. Then, where asked for, one bulk transfer each way. Blocks; for one thread
// of its own. Use once.
class PathMtuRun
{
public:
    using Tell = std::function<void(Progress)>; // called on the running thread

    PathMtuRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
               std::optional<DataTicket> ticket = std::nullopt);

    // As Probe::run; id, dates, tool and quality are left to the caller. That nothing at all came
    // back is a result, of which nothing is known; that there is no way there is an error.
    [[nodiscard]] Result<ProbeResult> run();

private:
    [[nodiscard]] Result<void> measureWithEchoes();
    [[nodiscard]] Result<void> measureTo(const SocketAddress& address);
    [[nodiscard]] Result<void> measureWithPeer();
    [[nodiscard]] Result<void> search(Direction direction, int most, const TrySize& trySize);
    void noteWay(const SocketAddress& to);
    [[nodiscard]] bool hasPassed() const;
    [[nodiscard]] Result<void> checkBulk();
    [[nodiscard]] Result<std::optional<BulkTransfer>> bulkOf(Direction direction);
    void tell(double fraction, PathMtuData fresh);
    [[nodiscard]] Result<ProbeResult> conclude(const Result<void>& ended);

    ProbeSpec m_spec;
    PathMtuOptions m_options;
    Route m_route;
    CancelToken m_cancel;
    Tell m_tell;
    Interrupt m_interrupt;
    std::optional<DataTicket> m_ticket;
    std::optional<PeerSizes> m_peer;
    SocketAddress m_address; // the one measured
    PathMtuData m_data;
    std::optional<SocketAddress> m_local;
};

} // namespace napkin
