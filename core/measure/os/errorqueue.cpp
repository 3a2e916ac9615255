// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/errorqueue.h"

#include <QCoreApplication>

#include <linux/errqueue.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::IcmpSocket)
};

QString addressOf(const sockaddr* by)
{
    SocketAddress from;
    if (by->sa_family == AF_INET)
        from.length = sizeof(sockaddr_in);
    else if (by->sa_family == AF_INET6)
        from.length = sizeof(sockaddr_in6);
    if (from.length == 0)
        return {};
    std::memcpy(&from.storage, by, from.length);
    return from.text();
}

Returned returnedOf(const sock_extended_err& told, const sockaddr* offender)
{
    const int code = static_cast<int>(told.ee_errno);
    const QString words = textOfErrno(code);
    Returned returned;
    returned.isTooBig = code == EMSGSIZE;
    if (returned.isTooBig && told.ee_info > 0 && told.ee_info <= 0x1'0000)
        returned.mtu = static_cast<int>(told.ee_info);
    if (told.ee_origin != SO_EE_ORIGIN_LOCAL)
        returned.by = addressOf(offender);
    returned.fault =
        Error{codeOfErrno(code),
              returned.by.isEmpty() ? words : Words::tr("%1 says: %2").arg(returned.by, words),
              {},
              nullptr};
    return returned;
}

} // namespace

void hearFaults(const Socket& socket, int family)
{
    const int on = 1;
    if (family == AF_INET)
        ::setsockopt(socket.fd(), IPPROTO_IP, IP_RECVERR, &on, sizeof on);
    else
        ::setsockopt(socket.fd(), IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
}

std::optional<Returned> takeReturned(const Socket& socket)
{
    std::array<char, 256> packet{};
    alignas(cmsghdr) std::array<char, 512> control{};
    iovec part{packet.data(), packet.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket.fd(), &message, MSG_ERRQUEUE | MSG_DONTWAIT);
    if (got < 0)
        return std::nullopt;
    Returned returned{{ErrorCode::HostUnreachable, {}, {}, nullptr}, false, {}, {}, {}};
    for (const cmsghdr* item = CMSG_FIRSTHDR(&message); item != nullptr;
         item = CMSG_NXTHDR(&message, const_cast<cmsghdr*>(item))) {
        const bool v4 = item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_RECVERR;
        const bool v6 = item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_RECVERR;
        if (!v4 && !v6)
            continue;
        const auto* told = reinterpret_cast<const sock_extended_err*>(CMSG_DATA(item));
        returned = returnedOf(*told, SO_EE_OFFENDER(told));
        break;
    }
    returned.quoted = QByteArray(packet.data(), got);
    return returned;
}

void forgetFault(int fd)
{
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
}

Result<void> forbidFragments(const Socket& socket, int family)
{
    const int on = 1;
    const int probe = family == AF_INET ? IP_PMTUDISC_PROBE : IPV6_PMTUDISC_PROBE;
    const int level = family == AF_INET ? int{IPPROTO_IP} : int{IPPROTO_IPV6};
    const int option = family == AF_INET ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER;
    const bool set = ::setsockopt(socket.fd(), level, option, &probe, sizeof probe) == 0 &&
                     (family == AF_INET ||
                      ::setsockopt(socket.fd(), IPPROTO_IPV6, IPV6_DONTFRAG, &on, sizeof on) == 0);
    if (!set)
        return fail(ErrorCode::Unsupported, {}, textOfErrno(errno));
    return {};
}

} // namespace napkin
