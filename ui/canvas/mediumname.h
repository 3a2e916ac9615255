// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"

#include <QString>

#include <array>

namespace napkin {

// In the order in which choices are offered.
inline constexpr std::array allMedia{Medium::Ethernet, Medium::Thunderbolt, Medium::Usb4,
                                     Medium::WiFi,     Medium::Pcie,        Medium::Loopback};

[[nodiscard]] QString mediumName(Medium medium);

} // namespace napkin
