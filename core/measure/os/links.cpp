// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/links.h"

#include "core/measure/os/netlink.h"

#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>

namespace napkin {

namespace {

constexpr size_t mostLinks = 256;
constexpr qsizetype mostAddresses = 64;

InterfaceCounters countersOf(const QString& name, const rtnl_link_stats64& s)
{
    InterfaceCounters c{name};
    c.receivedBytes = s.rx_bytes;
    c.sentBytes = s.tx_bytes;
    c.receivedPackets = s.rx_packets;
    c.sentPackets = s.tx_packets;
    c.receiveErrors = s.rx_errors;
    c.sendErrors = s.tx_errors;
    c.receiveDropped = s.rx_dropped + s.rx_missed_errors;
    c.sendDropped = s.tx_dropped;
    return c;
}

// An older kernel's table is shorter than ours: what it lacks is zero.
rtnl_link_stats64 statisticsIn(const QByteArray& bytes)
{
    rtnl_link_stats64 statistics{};
    std::memcpy(&statistics, bytes.constData(),
                std::min(sizeof statistics, static_cast<size_t>(bytes.size())));
    return statistics;
}

LinkRow rowOf(nlmsghdr* message)
{
    const auto* head = static_cast<const ifinfomsg*>(nlmsg_data(message));
    const Attributes<IFLA_MAX> attributes(message, sizeof *head);
    LinkRow row;
    row.index = head->ifi_index;
    row.name = attributes.text(IFLA_IFNAME);
    row.kind = Attributes<IFLA_INFO_MAX>(attributes.find(IFLA_LINKINFO)).text(IFLA_INFO_KIND);
    row.hardwareType = head->ifi_type;
    row.isLoopback = (head->ifi_flags & IFF_LOOPBACK) != 0;
    row.up = (head->ifi_flags & IFF_UP) != 0;
    row.carrier = row.up && attributes.value<std::uint8_t>(IFLA_CARRIER).value_or(0) != 0;
    if (const auto mtu = attributes.value<std::uint32_t>(IFLA_MTU))
        row.mtu = static_cast<int>(*mtu);
    row.master = static_cast<int>(attributes.value<std::uint32_t>(IFLA_MASTER).value_or(0));
    if (attributes.find(IFLA_LINK_NETNSID) == nullptr)
        row.below = static_cast<int>(attributes.value<std::uint32_t>(IFLA_LINK).value_or(0));
    row.counters = countersOf(row.name, statisticsIn(attributes.bytes(IFLA_STATS64)));
    return row;
}

QString addressText(const ifaddrmsg& head, const QByteArray& bytes)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const qsizetype length = head.ifa_family == AF_INET ? 4 : 16;
    if ((head.ifa_family != AF_INET && head.ifa_family != AF_INET6) || bytes.size() < length ||
        inet_ntop(head.ifa_family, bytes.constData(), text.data(), text.size()) == nullptr)
        return {};
    return QStringLiteral("%1/%2")
        .arg(QString::fromLatin1(text.data()))
        .arg(static_cast<int>(head.ifa_prefixlen));
}

} // namespace

Result<std::vector<LinkRow>> readLinks(Counters counters)
{
    auto socket = NetlinkSocket::open(NETLINK_ROUTE);
    if (!socket)
        return tl::unexpected(socket.error());
    NetlinkMessage question(RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, ifinfomsg{});
    if (counters == Counters::Left)
        question.add(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS});
    std::vector<LinkRow> rows;
    const auto read = socket->ask(question, [&rows](nlmsghdr* message) {
        if (message->nlmsg_type == RTM_NEWLINK && rows.size() < mostLinks &&
            nlmsg_valid_hdr(message, sizeof(ifinfomsg)) != 0)
            rows.push_back(rowOf(message));
    });
    if (!read)
        return tl::unexpected(read.error());
    std::ranges::sort(rows, {}, &LinkRow::index);
    return rows;
}

Result<std::map<int, QStringList>> readAddresses()
{
    auto socket = NetlinkSocket::open(NETLINK_ROUTE);
    if (!socket)
        return tl::unexpected(socket.error());
    const NetlinkMessage question(RTM_GETADDR, NLM_F_REQUEST | NLM_F_DUMP, ifaddrmsg{});
    std::map<int, QStringList> addresses;
    const auto read = socket->ask(question, [&addresses](nlmsghdr* message) {
        if (message->nlmsg_type != RTM_NEWADDR || nlmsg_valid_hdr(message, sizeof(ifaddrmsg)) == 0)
            return;
        const auto* head = static_cast<const ifaddrmsg*>(nlmsg_data(message));
        const Attributes<IFA_MAX> attributes(message, sizeof *head);
        // With a partner named, IFA_ADDRESS is the partner's.
        const int own = attributes.find(IFA_LOCAL) != nullptr ? IFA_LOCAL : IFA_ADDRESS;
        const QString text = addressText(*head, attributes.bytes(own));
        if (text.isEmpty() || addresses.size() > 4 * mostLinks)
            return;
        QStringList& list = addresses[static_cast<int>(head->ifa_index)];
        if (list.size() < mostAddresses)
            list << text;
    });
    if (!read)
        return tl::unexpected(read.error());
    return addresses;
}

} // namespace napkin
