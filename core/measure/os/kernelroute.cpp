// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/kernelroute.h"

#include "core/measure/os/netlink.h"

#include <arpa/inet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <tuple>

namespace napkin {

namespace {

constexpr size_t mostRoutes = 64;

std::string_view bytesOf(const SocketAddress& address)
{
    if (address.family() == AF_INET) {
        const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
        return {reinterpret_cast<const char*>(&v4->sin_addr), sizeof v4->sin_addr};
    }
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    return {reinterpret_cast<const char*>(&v6->sin6_addr), sizeof v6->sin6_addr};
}

std::uint32_t scopeOf(const SocketAddress& address)
{
    return address.family() == AF_INET6
               ? reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_scope_id
               : 0;
}

QString addressText(int family, const QByteArray& bytes)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const qsizetype length = family == AF_INET ? 4 : 16;
    if (bytes.size() < length ||
        inet_ntop(family, bytes.constData(), text.data(), text.size()) == nullptr)
        return {};
    return QString::fromLatin1(text.data());
}

QString nameOf(std::uint32_t index)
{
    std::array<char, IF_NAMESIZE> name{};
    return if_indextoname(index, name.data()) == nullptr ? QString()
                                                         : QString::fromLocal8Bit(name.data());
}

struct RouteRow
{
    RouteFacts route;
    int family = 0;
    int table = 0;
    int type = 0;
    int prefix = 0; // bits of the destination
    std::uint32_t metric = 0;
};

// A gateway of the other family (IPv4 over IPv6) stands in RTA_VIA.
QString gatewayOf(int family, const Attributes<RTA_MAX>& attributes)
{
    if (attributes.find(RTA_GATEWAY) != nullptr)
        return addressText(family, attributes.bytes(RTA_GATEWAY));
    const QByteArray via = attributes.bytes(RTA_VIA);
    std::uint16_t viaFamily = 0;
    if (via.size() < static_cast<qsizetype>(sizeof viaFamily))
        return {};
    std::memcpy(&viaFamily, via.constData(), sizeof viaFamily);
    return viaFamily == AF_INET || viaFamily == AF_INET6
               ? addressText(viaFamily, via.mid(sizeof viaFamily))
               : QString();
}

// Of several equal ways the first: the kernel spreads connections over them.
void takeFirstHop(RouteRow& row, const QByteArray& hops)
{
    rtnexthop hop{};
    if (hops.size() < static_cast<qsizetype>(sizeof hop))
        return;
    std::memcpy(&hop, hops.constData(), sizeof hop);
    row.route.interfaceName = nameOf(static_cast<std::uint32_t>(hop.rtnh_ifindex));
    const auto length = std::min<qsizetype>(hop.rtnh_len, hops.size());
    const auto start = static_cast<qsizetype>(RTNH_LENGTH(0));
    if (length <= start)
        return;
    QByteArray attributes = hops.mid(start, length - start);
    const nlattr* gateway = nla_find(reinterpret_cast<nlattr*>(attributes.data()),
                                     static_cast<int>(attributes.size()), RTA_GATEWAY);
    if (gateway != nullptr)
        row.route.gateway = addressText(
            row.family, QByteArray(static_cast<const char*>(nla_data(gateway)), nla_len(gateway)));
}

std::optional<RouteRow> rowOf(nlmsghdr* message)
{
    if (message->nlmsg_type != RTM_NEWROUTE || nlmsg_valid_hdr(message, sizeof(rtmsg)) == 0)
        return std::nullopt;
    const auto* head = static_cast<const rtmsg*>(nlmsg_data(message));
    const Attributes<RTA_MAX> attributes(message, sizeof *head);
    RouteRow row;
    row.family = head->rtm_family;
    row.type = head->rtm_type;
    row.prefix = head->rtm_dst_len;
    row.table =
        static_cast<int>(attributes.value<std::uint32_t>(RTA_TABLE).value_or(head->rtm_table));
    row.metric = attributes.value<std::uint32_t>(RTA_PRIORITY).value_or(0);
    row.route.gateway = gatewayOf(row.family, attributes);
    if (const auto index = attributes.value<std::uint32_t>(RTA_OIF))
        row.route.interfaceName = nameOf(*index);
    else
        takeFirstHop(row, attributes.bytes(RTA_MULTIPATH));
    if (attributes.find(RTA_PREFSRC) != nullptr)
        row.route.source = addressText(row.family, attributes.bytes(RTA_PREFSRC));
    return row;
}

std::vector<RouteRow> defaultRows(NetlinkSocket& socket, int family)
{
    rtmsg head{};
    head.rtm_family = static_cast<unsigned char>(family);
    const NetlinkMessage question(RTM_GETROUTE, NLM_F_REQUEST | NLM_F_DUMP, head);
    std::vector<RouteRow> rows;
    const auto read = socket.ask(question, [&rows](nlmsghdr* message) {
        auto row = rowOf(message);
        if (row && row->prefix == 0 && row->table == RT_TABLE_MAIN && row->type == RTN_UNICAST &&
            rows.size() < mostRoutes) {
            row->route.destination = QStringLiteral("default");
            rows.push_back(std::move(*row));
        }
    });
    if (!read)
        rows.clear(); // such as IPv6 switched off
    std::ranges::sort(rows, {}, [](const RouteRow& row) {
        return std::tie(row.metric, row.route.interfaceName, row.route.gateway);
    });
    return rows;
}

} // namespace

Result<RouteFacts> kernelRoute(const SocketAddress& to, const std::optional<SocketAddress>& from)
{
    if (from && from->family() != to.family())
        return fail(ErrorCode::InvalidArgument, to.text(), from->text());
    auto socket = NetlinkSocket::open(NETLINK_ROUTE);
    if (!socket)
        return tl::unexpected(socket.error());
    rtmsg head{};
    head.rtm_family = static_cast<unsigned char>(to.family());
    head.rtm_dst_len = static_cast<unsigned char>(bytesOf(to).size() * 8);
    if (from)
        head.rtm_src_len = head.rtm_dst_len;
    NetlinkMessage question(RTM_GETROUTE, NLM_F_REQUEST, head);
    question.add(RTA_DST, bytesOf(to));
    if (from)
        question.add(RTA_SRC, bytesOf(*from));
    std::uint32_t scope = scopeOf(to);
    if (scope == 0 && from)
        scope = scopeOf(*from);
    if (scope != 0)
        question.add(RTA_OIF, scope);
    std::optional<RouteRow> found;
    const auto asked =
        socket->ask(question, [&found](nlmsghdr* message) { found = rowOf(message); });
    if (!asked)
        return fail(asked.error().code, to.text(), asked.error().detail);
    if (!found || found->route.interfaceName.isEmpty() ||
        (found->type != RTN_UNICAST && found->type != RTN_LOCAL))
        return fail(ErrorCode::HostUnreachable, to.text());
    found->route.destination = to.text();
    if (from)
        found->route.source = from->text();
    return found->route;
}

Result<std::vector<RouteFacts>> defaultRoutes()
{
    auto socket = NetlinkSocket::open(NETLINK_ROUTE);
    if (!socket)
        return tl::unexpected(socket.error());
    std::vector<RouteFacts> routes;
    for (const int family : {AF_INET, AF_INET6}) {
        for (RouteRow& row : defaultRows(*socket, family)) {
            if (routes.size() < mostRoutes)
                routes.push_back(std::move(row.route));
        }
    }
    return routes;
}

} // namespace napkin
