// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/peerservices.h"

#include "core/measure/remote/routedprobe.h"

namespace napkin::cli {

std::vector<std::shared_ptr<PeerService>> peerServices()
{
    return measuringServices();
}

} // namespace napkin::cli
