// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/hostfacts.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::HostFacts)
};

const InterfaceCounters* find(const std::vector<InterfaceCounters>& list, QStringView name)
{
    const auto at = std::ranges::find(list, name, &InterfaceCounters::name);
    return at == list.end() ? nullptr : &*at;
}

} // namespace

QString interfaceKindName(InterfaceKind kind)
{
    switch (kind) {
    case InterfaceKind::Ethernet:
        return QStringLiteral("ethernet");
    case InterfaceKind::WiFi:
        return QStringLiteral("wifi");
    case InterfaceKind::Thunderbolt:
        return QStringLiteral("thunderbolt");
    case InterfaceKind::Bridge:
        return QStringLiteral("bridge");
    case InterfaceKind::Bond:
        return QStringLiteral("bond");
    case InterfaceKind::Vlan:
        return QStringLiteral("vlan");
    case InterfaceKind::Tunnel:
        return QStringLiteral("tunnel");
    case InterfaceKind::Virtual:
        return QStringLiteral("virtual");
    case InterfaceKind::Loopback:
        return QStringLiteral("loopback");
    case InterfaceKind::Other:
        break;
    }
    return QStringLiteral("other");
}

QString interfaceKindText(InterfaceKind kind)
{
    switch (kind) {
    case InterfaceKind::Ethernet:
        return Words::tr("Ethernet");
    case InterfaceKind::WiFi:
        return Words::tr("Wi-Fi");
    case InterfaceKind::Thunderbolt:
        return Words::tr("Thunderbolt");
    case InterfaceKind::Bridge:
        return Words::tr("bridge");
    case InterfaceKind::Bond:
        return Words::tr("bond");
    case InterfaceKind::Vlan:
        return Words::tr("VLAN");
    case InterfaceKind::Tunnel:
        return Words::tr("tunnel");
    case InterfaceKind::Virtual:
        return Words::tr("virtual");
    case InterfaceKind::Loopback:
        return Words::tr("loopback");
    case InterfaceKind::Other:
        break;
    }
    return Words::tr("other");
}

std::optional<InterfaceCounters> trafficOf(const HostActivity& activity, QStringView interfaceName)
{
    const InterfaceCounters* before = find(activity.before, interfaceName);
    const InterfaceCounters* after = find(activity.after, interfaceName);
    if (before == nullptr || after == nullptr)
        return std::nullopt;
    InterfaceCounters traffic{before->name};
    for (const auto counter :
         {&InterfaceCounters::receivedBytes, &InterfaceCounters::sentBytes,
          &InterfaceCounters::receivedPackets, &InterfaceCounters::sentPackets,
          &InterfaceCounters::receiveErrors, &InterfaceCounters::sendErrors,
          &InterfaceCounters::receiveDropped, &InterfaceCounters::sendDropped}) {
        if (after->*counter < before->*counter)
            return std::nullopt;
        traffic.*counter = after->*counter - before->*counter;
    }
    return traffic;
}

} // namespace napkin
