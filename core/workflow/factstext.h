// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/hostfacts.h"

#include <QString>

#include <vector>

namespace napkin {

// Facts in the user's words: a text, or why there is none (a sentence without a full stop; both
// empty: nobody said).
struct Told
{
    QString text;
    QString whyNot;
    bool operator==(const Told&) const = default;
};

[[nodiscard]] Told speedTold(const InterfaceFacts& facts); // "10.0 Gb/s, full duplex"
[[nodiscard]] Told mtuTold(const InterfaceFacts& facts);   // "1,500 B"
[[nodiscard]] Told stateTold(const InterfaceFacts& facts); // "up", "no carrier", "off"
[[nodiscard]] Told pcieTold(const InterfaceFacts& facts);
[[nodiscard]] Told coalescingTold(const InterfaceFacts& facts);
[[nodiscard]] Told pauseTold(const InterfaceFacts& facts);
[[nodiscard]] Told offloadsTold(const InterfaceFacts& facts); // those that are on
[[nodiscard]] Told wifiChannelTold(const InterfaceFacts& facts);
[[nodiscard]] Told wifiSignalTold(const InterfaceFacts& facts);
[[nodiscard]] Told wifiRatesTold(const InterfaceFacts& facts);
[[nodiscard]] Told wifiNameTold(const InterfaceFacts& facts);

[[nodiscard]] Told coresTold(const HostFacts& facts);
[[nodiscard]] Told governorTold(const HostFacts& facts);
[[nodiscard]] Told loadTold(const HostFacts& facts);
[[nodiscard]] Told temperatureTold(const HostFacts& facts);
[[nodiscard]] Told clockTold(const HostFacts& facts); // whether something keeps it right

[[nodiscard]] QString routeText(const RouteFacts& route);   // "default via 10.0.0.1, wlan0"
[[nodiscard]] QString offsetText(const ClockOffset& clock); // "+1.20 ms ± 300 µs"
[[nodiscard]] QString coalescingText(const Coalescing& coalescing);
[[nodiscard]] QString unknownText(const QString& whyNot); // "not known: why"

} // namespace napkin
