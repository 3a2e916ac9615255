// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

namespace napkin {

struct FactsOptions
{
    bool withSsid = false; // a network's name tells where somebody lives: only where asked for
};

// This machine as it stands now. Needs no privileges; what cannot be read carries the reason. Ends
// within a few seconds, usually in milliseconds; not for a GUI thread. At most 256 interfaces, 64
// addresses of each, 64 routes.
[[nodiscard]] HostFacts readHostFacts(FactsOptions options = {});

} // namespace napkin
