// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/interfaces.h"

#include <map>

namespace napkin {

// Every Wi-Fi interface of this machine by index, as nl80211 tells; empty when there is none, or no
// Wi-Fi in the kernel. A reading without a value says why, such as that it is not connected.
[[nodiscard]] std::map<int, Reading<WifiFacts>> readWifi(Ssid ssid);

// The channel's number of a centre frequency in MHz; 0 when there is none. Source: IEEE
// 802.11-2020, annex E, and 802.11ax for 6 GHz.
[[nodiscard]] int wifiChannel(int megahertz);

} // namespace napkin
