// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/hostconditions.h"

#include "core/measure/os/interfaces.h"
#include "core/measure/os/kernelroute.h"
#include "core/measure/os/machine.h"

#include <QSysInfo>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cstring>
#include <memory>

namespace napkin {

namespace {

void describeInterface(HostConditions& conditions)
{
    const auto facts = readInterface(conditions.interfaceName);
    if (!facts)
        return;
    conditions.mtu = facts->mtu;
    conditions.driver = facts->driver;
    conditions.negotiatedSpeed = facts->speed.value;
}

} // namespace

bool interfaceExists(const QString& name)
{
    return if_nametoindex(name.toUtf8().constData()) != 0;
}

QString interfaceOf(const SocketAddress& address)
{
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        return {};
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
    const QString wanted = address.text();
    for (const ifaddrs* item = list; item != nullptr; item = item->ifa_next) {
        if (item->ifa_addr == nullptr)
            continue;
        const int family = item->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6)
            continue;
        SocketAddress own;
        own.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::memcpy(&own.storage, item->ifa_addr, own.length);
        if (own.text() == wanted)
            return QString::fromLocal8Bit(item->ifa_name);
    }
    return {};
}

bool isOwnAddress(const SocketAddress& address)
{
    return address.isLoopback() || !interfaceOf(address).isEmpty();
}

Conditions conditionsOf(const std::optional<SocketAddress>& local,
                        const std::optional<SocketAddress>& peer, const QString& interfaceName)
{
    Conditions conditions;
    HostConditions& near = conditions.near;
    near.hostName = QSysInfo::machineHostName();
    near.operatingSystem = operatingSystemName();
    near.kernel = kernelName();
    near.cpu = readCpuModel();
    near.interfaceName = interfaceName;
    if (local) {
        near.address = local->text();
        if (near.interfaceName.isEmpty() && peer) {
            if (const auto route = kernelRoute(*peer, *local))
                near.interfaceName = route->interfaceName;
        }
    }
    if (peer) {
        conditions.far.address = peer->text();
        if (isOwnAddress(*peer))
            near.interfaceName = QStringLiteral("lo");
    }
    if (!near.interfaceName.isEmpty())
        describeInterface(near);
    return conditions;
}

} // namespace napkin
