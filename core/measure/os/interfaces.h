// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

#include <vector>

namespace napkin {

enum class Ssid { Left, Read };

// All interfaces of this machine in the kernel's order, the loopback one first; at most 256. Empty
// when the kernel does not tell.
[[nodiscard]] std::vector<InterfaceFacts> readInterfaces(Ssid ssid);

// One of them, by name; nullopt when there is none. Only its speed, driver, MTU and kind are read.
[[nodiscard]] std::optional<InterfaceFacts> readInterface(const QString& name);

} // namespace napkin
