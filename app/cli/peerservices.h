// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/peerservice.h"

#include <memory>
#include <vector>

namespace napkin::cli {

// What this program answers to paired machines while it serves.
[[nodiscard]] std::vector<std::shared_ptr<PeerService>> peerServices();

} // namespace napkin::cli
