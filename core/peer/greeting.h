// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/message.h"
#include "core/peer/peerbook.h"
#include "core/peer/peerservice.h"

#include <memory>
#include <optional>
#include <vector>

namespace napkin {

// What this machine says first on every channel.
[[nodiscard]] HelloMessage ownHello(const PeerBook& book,
                                    const std::vector<std::shared_ptr<PeerService>>& services = {});

// PeerRefused with both versions when the far end speaks another protocol.
[[nodiscard]] std::optional<Error> protocolMismatch(const HelloMessage& theirs);

} // namespace napkin
