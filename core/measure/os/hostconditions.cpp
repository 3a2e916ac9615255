// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/hostconditions.h"

#include "core/measure/os/egress.h"

#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>

#include <cstring>
#include <memory>

namespace napkin {

namespace {

QByteArray firstLineOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readLine(4096).trimmed();
}

QString cpuModel()
{
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    constexpr int lines = 200; // the first processor's block is enough
    for (int i = 0; i < lines; ++i) {
        const QByteArray line = file.readLine(4096);
        if (line.isEmpty())
            break;
        if (line.startsWith("model name") || line.startsWith("Model"))
            return QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed());
    }
    return {};
}

QString kernelName()
{
    utsname names{};
    if (::uname(&names) != 0)
        return {};
    return QString::fromLocal8Bit(names.sysname) + QLatin1Char(' ') +
           QString::fromLocal8Bit(names.release);
}

std::optional<int> mtuOf(const QString& interfaceName)
{
    const Socket socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    const QByteArray name = interfaceName.toUtf8();
    if (!socket.isOpen() || name.size() >= IFNAMSIZ)
        return std::nullopt;
    std::memcpy(request.ifr_name, name.constData(), static_cast<size_t>(name.size()));
    if (::ioctl(socket.fd(), SIOCGIFMTU, &request) != 0)
        return std::nullopt;
    return request.ifr_mtu;
}

void describeInterface(HostConditions& conditions)
{
    const QString folder = QStringLiteral("/sys/class/net/") + conditions.interfaceName;
    conditions.mtu = mtuOf(conditions.interfaceName);
    conditions.driver = QFileInfo(folder + QStringLiteral("/device/driver"))
                            .symLinkTarget()
                            .section(QLatin1Char('/'), -1);
    bool isNumber = false;
    const int megabits = firstLineOf(folder + QStringLiteral("/speed")).toInt(&isNumber);
    if (isNumber && megabits > 0)
        conditions.negotiatedSpeed = BitRate::megabitsPerSecond(megabits);
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
    near.operatingSystem = QSysInfo::prettyProductName();
    near.kernel = kernelName();
    near.cpu = cpuModel();
    near.interfaceName = interfaceName;
    if (local) {
        near.address = local->text();
        if (near.interfaceName.isEmpty() && peer)
            near.interfaceName = egressInterface(*local, *peer);
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
