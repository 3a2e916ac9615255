// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/localwires.h"

#include "core/peer/announcement.h"

#include <QNetworkDatagram>
#include <QNetworkInterface>

#include <algorithm>

namespace napkin {

namespace {

bool isWire(const QNetworkInterface& interface)
{
    const auto flags = interface.flags();
    return flags.testFlag(QNetworkInterface::IsUp) &&
           flags.testFlag(QNetworkInterface::IsRunning) &&
           !flags.testFlag(QNetworkInterface::IsLoopBack) &&
           !flags.testFlag(QNetworkInterface::IsPointToPoint);
}

bool hasIpv6(const QNetworkInterface& interface)
{
    const auto entries = interface.addressEntries();
    return std::any_of(entries.begin(), entries.end(), [](const QNetworkAddressEntry& entry) {
        return entry.ip().protocol() == QAbstractSocket::IPv6Protocol;
    });
}

bool holds(const QNetworkInterface& interface, const QHostAddress& address)
{
    const auto entries = interface.addressEntries();
    return std::any_of(
        entries.begin(), entries.end(),
        [&address](const QNetworkAddressEntry& entry) { return entry.ip() == address; });
}

} // namespace

std::vector<WireTarget> localWires(const QHostAddress& only)
{
    constexpr size_t most = 256; // a machine full of containers has many
    std::vector<WireTarget> targets;
    for (const QNetworkInterface& interface : QNetworkInterface::allInterfaces()) {
        if (!isWire(interface) || (!only.isNull() && !holds(interface, only)))
            continue;
        for (const QNetworkAddressEntry& entry : interface.addressEntries()) {
            // An address set by hand often has no broadcast address: all hosts of its network then.
            if (entry.ip().protocol() != QAbstractSocket::IPv4Protocol)
                continue;
            QHostAddress everybody = entry.broadcast();
            if (everybody.isNull())
                everybody = QHostAddress(QHostAddress::Broadcast);
            targets.push_back({everybody, interface.index()});
        }
        if (hasIpv6(interface) && interface.flags().testFlag(QNetworkInterface::CanMulticast)) {
            QHostAddress group = discoveryGroup();
            group.setScopeId(interface.name());
            targets.push_back({group, interface.index()});
        }
    }
    if (!only.isNull())
        std::erase_if(targets, [&only](const WireTarget& target) {
            return target.address.protocol() != only.protocol();
        });
    if (targets.size() > most)
        targets.resize(most);
    return targets;
}

bool isNeighbour(const QHostAddress& address)
{
    if (address.isLoopback() || address.isLinkLocal())
        return true;
    for (const QNetworkInterface& interface : QNetworkInterface::allInterfaces()) {
        for (const QNetworkAddressEntry& entry : interface.addressEntries()) {
            if (entry.prefixLength() > 0 && entry.ip().protocol() == address.protocol() &&
                address.isInSubnet(entry.ip(), entry.prefixLength()))
                return true;
        }
    }
    return false;
}

bool sayTo(QUdpSocket& socket, const QByteArray& bytes, const WireTarget& target, int port)
{
    QNetworkDatagram datagram(bytes, target.address, static_cast<quint16>(port));
    if (target.interfaceIndex > 0)
        datagram.setInterfaceIndex(static_cast<uint>(target.interfaceIndex));
    return socket.writeDatagram(datagram) == bytes.size();
}

void joinGroup(QUdpSocket& socket)
{
    for (const QNetworkInterface& interface : QNetworkInterface::allInterfaces()) {
        if (isWire(interface) && hasIpv6(interface))
            socket.joinMulticastGroup(discoveryGroup(), interface);
    }
}

} // namespace napkin
