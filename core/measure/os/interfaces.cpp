// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/interfaces.h"

#include "core/measure/os/adapter.h"
#include "core/measure/os/ethtool.h"
#include "core/measure/os/interfacekind.h"
#include "core/measure/os/links.h"
#include "core/measure/os/wifi.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Interfaces)
};

// A machine with hundreds of containers has hundreds of interfaces: beyond so many, those without a
// device and an address are told in outline.
constexpr size_t mostInDetail = 64;

QString nameOf(const std::vector<LinkRow>& links, int index)
{
    const auto found = std::ranges::find(links, index, &LinkRow::index);
    return index == 0 || found == links.end() ? QString() : found->name;
}

// A veth's other end is told in the same place, but carries nothing.
bool isCarried(const LinkRow& link)
{
    static const QStringList kinds{QStringLiteral("vlan"),    QStringLiteral("macvlan"),
                                   QStringLiteral("macvtap"), QStringLiteral("ipvlan"),
                                   QStringLiteral("ipvtap"),  QStringLiteral("macsec")};
    return kinds.contains(link.kind);
}

void leaveOutAdapter(InterfaceFacts& facts, const QString& why)
{
    facts.speed.whyNot = why;
    facts.duplex.whyNot = why;
    facts.pcie.whyNot = why;
    facts.coalescing.whyNot = why;
    facts.pause.whyNot = why;
}

// What its kind, its driver and the negotiation with the other end tell.
void readEssentials(InterfaceFacts& facts, const LinkRow& link, const Adapter& adapter,
                    const Ethtool& ethtool, bool isWifi)
{
    facts.name = link.name;
    facts.driver = adapter.driver();
    if (facts.driver.isEmpty() && !link.isLoopback)
        facts.driver = ethtool.driver();
    facts.kind = interfaceKindOf(link, facts.driver, isWifi);
    facts.up = link.up;
    facts.carrier = link.carrier;
    facts.mtu = link.mtu;
    if (isWithoutWire(facts.kind)) {
        leaveOutAdapter(facts, Words::tr("there is no adapter behind it"));
    } else if (facts.kind == InterfaceKind::Bridge) {
        facts.speed.whyNot = Words::tr("its ports have speeds, a bridge has none");
        facts.duplex.whyNot = facts.speed.whyNot;
    } else if (facts.kind == InterfaceKind::WiFi) {
        facts.speed.whyNot = Words::tr("Wi-Fi has a rate for each frame");
        facts.duplex.whyNot = facts.speed.whyNot;
    } else {
        facts.speed = ethtool.speed(link.carrier);
        facts.duplex = ethtool.duplex(link.carrier);
    }
}

void readDetails(InterfaceFacts& facts, const Adapter& adapter, const Ethtool& ethtool)
{
    if (!isWithoutWire(facts.kind)) {
        facts.pcie = adapter.pcie();
        facts.coalescing = ethtool.coalescing();
        facts.pause = ethtool.pause();
    }
    facts.offloads = ethtool.offloads();
}

} // namespace

std::vector<InterfaceFacts> readInterfaces(Ssid ssid)
{
    std::vector<InterfaceFacts> all;
    const auto links = readLinks(Counters::Left);
    if (!links)
        return all;
    const auto addresses = readAddresses().value_or(std::map<int, QStringList>());
    const auto wifi = readWifi(ssid);
    for (const LinkRow& link : *links) {
        InterfaceFacts facts;
        const Adapter adapter(link.name, link.index);
        const Ethtool ethtool(link.name);
        const auto radio = wifi.find(link.index);
        readEssentials(facts, link, adapter, ethtool, radio != wifi.end());
        if (radio != wifi.end())
            facts.wifi = radio->second;
        if (const auto own = addresses.find(link.index); own != addresses.end())
            facts.addresses = own->second;
        facts.partOf = nameOf(*links, link.master);
        if (isCarried(link))
            facts.carriedBy = nameOf(*links, link.below);
        if (links->size() <= mostInDetail || !isWithoutWire(facts.kind) ||
            !facts.addresses.isEmpty())
            readDetails(facts, adapter, ethtool);
        else
            facts.offloads.whyNot = Words::tr("left out, since there are so many interfaces");
        all.push_back(std::move(facts));
    }
    return all;
}

std::optional<InterfaceFacts> readInterface(const QString& name)
{
    const auto links = readLinks(Counters::Left);
    if (!links)
        return std::nullopt;
    const auto link = std::ranges::find(*links, name, &LinkRow::name);
    if (link == links->end())
        return std::nullopt;
    InterfaceFacts facts;
    readEssentials(facts, *link, Adapter(link->name, link->index), Ethtool(link->name),
                   readWifi(Ssid::Left).contains(link->index));
    return facts;
}

} // namespace napkin
