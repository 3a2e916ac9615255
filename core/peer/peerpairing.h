// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/peer/peerstore.h"

#include <QCoroTask>

namespace napkin {

// Pairs this machine with the one that showed the code: both prove that they hold it, the far end
// makes the key for later channels, and each keeps it. Hands back how the far machine is kept here.
// PeerRefused (another code, expired, used, another version), ConnectionRefused, HostUnreachable,
// NameNotResolved, TimedOut, Cancelled, and the faults of the store. Ends within 20 s.
[[nodiscard]] QCoro::Task<Result<PairedPeer>> pairWith(std::shared_ptr<PeerStore> store,
                                                       QString host, int port, PairingCode code,
                                                       CancelToken cancel);

} // namespace napkin
