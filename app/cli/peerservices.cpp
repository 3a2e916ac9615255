// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/peerservices.h"

namespace napkin::cli {

std::vector<std::shared_ptr<PeerService>> peerServices()
{
    return {};
}

} // namespace napkin::cli
