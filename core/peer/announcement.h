// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"

#include <QByteArray>
#include <QHostAddress>
#include <QString>

#include <variant>

namespace napkin {

// What a machine says of itself on the local network. Anybody can say anything: never trusted,
// never stored.
struct Announcement
{
    static constexpr int protocol = 1;
    QString name; // no control characters, at most 64 letters
    PeerId id;
    int peerPort = 0;  // TCP; 0: no peer there
    int iperfPort = 0; // TCP; 0: no server there
    bool operator==(const Announcement&) const = default;
};

// "Who is there?"
struct DiscoveryQuery
{
    bool operator==(const DiscoveryQuery&) const = default;
};

using DiscoveryMessage = std::variant<Announcement, DiscoveryQuery>;

inline constexpr int discoveryPort = 5210; // UDP
inline constexpr qsizetype mostDiscoveryBytes = 512;

// The group of IPv6, on one wire only. Of our own making (the T flag of RFC 4291): "napkin".
[[nodiscard]] QHostAddress discoveryGroup();

// A datagram, always within the limit: a long name is cut.
[[nodiscard]] QByteArray encodeDiscovery(const DiscoveryMessage& message);

// FrameTooLarge, ParseFailed, ProtocolViolation (another format or version, a value out of range, a
// key that is not known).
[[nodiscard]] Result<DiscoveryMessage> decodeDiscovery(QByteArrayView datagram);

} // namespace napkin
