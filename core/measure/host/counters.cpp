// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/host/counters.h"

#include "core/measure/os/links.h"

namespace napkin {

std::vector<InterfaceCounters> readCounters()
{
    std::vector<InterfaceCounters> counters;
    if (const auto links = readLinks(Counters::Read)) {
        for (const LinkRow& link : *links)
            counters.push_back(link.counters);
    }
    return counters;
}

} // namespace napkin
