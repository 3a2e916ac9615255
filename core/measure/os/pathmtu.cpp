// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/pathmtu.h"

#include "core/measure/os/kernelroute.h"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>

namespace napkin {

namespace {

Reading<int> believedMtu(const Socket& socket, int family)
{
    const int level = family == AF_INET ? int{IPPROTO_IP} : int{IPPROTO_IPV6};
    const int option = family == AF_INET ? IP_MTU : IPV6_MTU;
    int mtu = 0;
    socklen_t size = sizeof mtu;
    if (::getsockopt(socket.fd(), level, option, &mtu, &size) != 0)
        return {std::nullopt, textOfErrno(errno)};
    return {mtu, {}};
}

Reading<int> mtuOfInterface(const Socket& socket, const QString& name)
{
    ifreq request{};
    const QByteArray bytes = name.toLocal8Bit();
    if (bytes.isEmpty() || bytes.size() >= IFNAMSIZ)
        return {std::nullopt, textOfErrno(ENODEV)};
    std::memcpy(request.ifr_name, bytes.constData(), static_cast<size_t>(bytes.size()));
    if (::ioctl(socket.fd(), SIOCGIFMTU, &request) != 0)
        return {std::nullopt, textOfErrno(errno)};
    return {request.ifr_mtu, {}};
}

// By the routes; a socket that is bound to another interface leaves through that one, by a gateway
// that is not known here.
RouteFacts routeOf(const Socket& socket, const SocketAddress& to, const LeaveBy& by)
{
    const auto local = localAddress(socket);
    RouteFacts route = kernelRoute(to, local).value_or(RouteFacts());
    if (!by.interfaceName.isEmpty() && route.interfaceName != by.interfaceName) {
        route.interfaceName = by.interfaceName;
        route.gateway.clear();
    }
    route.destination = to.text();
    if (local)
        route.source = local->text();
    return route;
}

} // namespace

Result<KernelPath> kernelPath(const SocketAddress& to, const LeaveBy& by)
{
    const Socket socket(::socket(to.family(), SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP));
    if (!socket.isOpen())
        return fail(codeOfErrno(errno), {}, textOfErrno(errno));
    if (auto bound = leaveThrough(socket, by); !bound)
        return tl::unexpected(bound.error());
    if (::connect(socket.fd(), to.raw(), to.length) != 0) {
        const int error = errno;
        // From 127.0.0.1 to another machine, for one.
        return fail(error == EINVAL ? ErrorCode::HostUnreachable : codeOfErrno(error), {},
                    textOfErrno(error));
    }
    KernelPath path;
    path.route = routeOf(socket, to, by);
    path.pathMtu = believedMtu(socket, to.family());
    path.interfaceMtu = mtuOfInterface(socket, path.route.interfaceName);
    return path;
}

} // namespace napkin
