// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/hostfacts.h"

#include <map>
#include <vector>

namespace napkin {

// An interface as rtnetlink tells it.
struct LinkRow
{
    int index = 0;
    QString name;
    QString kind;         // "veth", "bridge", "vlan"; empty for hardware
    int hardwareType = 0; // ARPHRD_...
    bool isLoopback = false;
    bool up = false;
    bool carrier = false;
    std::optional<int> mtu;
    int master = 0; // index of the bridge or bond it belongs to; 0: none
    int below = 0;  // index of the interface that carries it; 0: none, or of another namespace
    InterfaceCounters counters;
};

enum class Counters { Left, Read };

// All interfaces of this machine, by index; at most 256.
[[nodiscard]] Result<std::vector<LinkRow>> readLinks(Counters counters);

// The addresses with prefix of each interface, by index; at most 64 of one.
[[nodiscard]] Result<std::map<int, QStringList>> readAddresses();

} // namespace napkin
