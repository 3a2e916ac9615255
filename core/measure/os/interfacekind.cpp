// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/interfacekind.h"

#include <linux/if_arp.h>

#include <algorithm>
#include <array>

namespace napkin {

namespace {

template <size_t N>
bool isOneOf(const QString& word, const std::array<const char*, N>& words)
{
    return std::ranges::any_of(words,
                               [&](const char* one) { return word == QLatin1StringView(one); });
}

// The names are rtnetlink's kinds of link.
constexpr std::array tunnels{"ipip",      "sit",  "ip6tnl", "gre",     "gretap",  "ip6gre",
                             "ip6gretap", "vti",  "vti6",   "erspan",  "vxlan",   "geneve",
                             "wireguard", "xfrm", "gtp",    "l2tpeth", "bareudp", "ip6erspan",
                             "tun",       "ppp",  "macsec"};
constexpr std::array virtuals{"veth",  "dummy", "ifb", "macvlan", "macvtap", "ipvlan",   "ipvtap",
                              "nlmon", "vcan",  "vrf", "netkit",  "team",    "netdevsim"};

bool isTunnelHardware(int type)
{
    return type == ARPHRD_TUNNEL || type == ARPHRD_TUNNEL6 || type == ARPHRD_SIT ||
           type == ARPHRD_IPGRE || type == ARPHRD_IP6GRE || type == ARPHRD_PPP;
}

} // namespace

InterfaceKind interfaceKindOf(const LinkRow& link, const QString& driver, bool isWifi)
{
    if (link.isLoopback)
        return InterfaceKind::Loopback;
    if (isWifi)
        return InterfaceKind::WiFi;
    if (link.kind == QStringLiteral("bridge") || link.kind == QStringLiteral("openvswitch"))
        return InterfaceKind::Bridge;
    if (link.kind == QStringLiteral("bond"))
        return InterfaceKind::Bond;
    if (link.kind == QStringLiteral("vlan"))
        return InterfaceKind::Vlan;
    // A tap device carries frames, for a virtual machine; a tun device packets, for a tunnel.
    if (link.kind == QStringLiteral("tun") && link.hardwareType == ARPHRD_ETHER)
        return InterfaceKind::Virtual;
    if (isOneOf(link.kind, tunnels) || isTunnelHardware(link.hardwareType))
        return InterfaceKind::Tunnel;
    if (isOneOf(link.kind, virtuals))
        return InterfaceKind::Virtual;
    if (driver == QStringLiteral("thunderbolt-net") || driver == QStringLiteral("thunderbolt_net"))
        return InterfaceKind::Thunderbolt;
    return link.hardwareType == ARPHRD_ETHER ? InterfaceKind::Ethernet : InterfaceKind::Other;
}

bool isWithoutWire(InterfaceKind kind)
{
    return kind == InterfaceKind::Virtual || kind == InterfaceKind::Tunnel ||
           kind == InterfaceKind::Loopback;
}

} // namespace napkin
