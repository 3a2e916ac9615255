// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHostAddress>
#include <QUdpSocket>

#include <vector>

namespace napkin {

// A place on one of this machine's wires where everybody hears.
struct WireTarget
{
    QHostAddress address; // broadcast, or the IPv6 group with its scope
    int interfaceIndex = 0;
};

// Of every interface that is up, but the loopback and those between two points only. With `only`:
// of the interface that holds that address, in its IP version.
[[nodiscard]] std::vector<WireTarget> localWires(const QHostAddress& only = {});

// Whether an address is on one of this machine's wires, or this machine itself.
[[nodiscard]] bool isNeighbour(const QHostAddress& address);

// Out of that very interface, whatever the routes say.
[[nodiscard]] bool sayTo(QUdpSocket& socket, const QByteArray& bytes, const WireTarget& target,
                         int port);

// Hears the IPv6 group on every interface; interfaces that came later are joined by a new call.
void joinGroup(QUdpSocket& socket);

} // namespace napkin
