// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/peer/peerservice.h"

#include <chrono>
#include <memory>

namespace napkin {

inline constexpr int defaultPeerPort = 5210;

class PeerStore;

// An encrypted channel to a paired machine: both ends have proved that they hold the key. For one
// thread. Destroying it ends it; whoever awaits a call gets ConnectionLost.
class PeerChannel
{
public:
    // PeerRefused (not paired, revoked, another version), ConnectionRefused, HostUnreachable,
    // NameNotResolved, TimedOut. Ends within 10 s.
    [[nodiscard]] static QCoro::Task<Result<std::shared_ptr<PeerChannel>>>
    open(std::shared_ptr<PeerStore> store, PeerId peer, CancelToken cancel);

    virtual ~PeerChannel() = default;
    [[nodiscard]] virtual const PeerIdentity& peer() const = 0;
    // Where the channel goes: the far address, without port.
    [[nodiscard]] virtual QString address() const = 0;

    // Asks for one thing and waits for the answer, at most `limit`. On cancellation the far end is
    // told, and the call ends with Cancelled once it answered, at most 2 s later; an answer that
    // arrives in spite of the cancellation is handed back. `events` is called on this thread.
    [[nodiscard]] virtual QCoro::Task<Result<nlohmann::json>>
    call(QString method, nlohmann::json arguments, std::chrono::milliseconds limit,
         CancelToken cancel, PeerEvents events) = 0;
};

} // namespace napkin
