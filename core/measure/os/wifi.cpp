// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/wifi.h"

#include "core/measure/os/netlink.h"

#include <QCoreApplication>

#include <linux/genetlink.h>
#include <linux/nl80211.h>
#include <netlink/genl/ctrl.h>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Wifi)
};

constexpr size_t mostRadios = 64;
using Attributes80211 = Attributes<NL80211_ATTR_MAX>;

struct Radio
{
    std::uint32_t type = NL80211_IFTYPE_UNSPECIFIED;
    WifiFacts facts;
};

int megahertz(std::uint32_t width)
{
    switch (width) {
    case NL80211_CHAN_WIDTH_20_NOHT:
    case NL80211_CHAN_WIDTH_20:
        return 20;
    case NL80211_CHAN_WIDTH_40:
        return 40;
    case NL80211_CHAN_WIDTH_80:
        return 80;
    case NL80211_CHAN_WIDTH_80P80:
    case NL80211_CHAN_WIDTH_160:
        return 160;
    case NL80211_CHAN_WIDTH_320:
        return 320;
    case NL80211_CHAN_WIDTH_5:
        return 5;
    case NL80211_CHAN_WIDTH_10:
        return 10;
    default:
        return 0;
    }
}

// A network's name is any bytes: those that would steer a terminal are replaced.
QString ssidText(const QByteArray& bytes)
{
    QString text = QString::fromUtf8(bytes.left(32));
    for (QChar& c : text) {
        if (!c.isPrint() && !c.isSurrogate())
            c = QChar(QChar::ReplacementCharacter);
    }
    return text;
}

NetlinkMessage questionTo(int family, std::uint8_t command)
{
    genlmsghdr head{};
    head.cmd = command;
    return {family, NLM_F_REQUEST | NLM_F_DUMP, head};
}

std::map<int, Radio> radiosOf(NetlinkSocket& socket, int family, Ssid ssid)
{
    std::map<int, Radio> radios;
    const auto read =
        socket.ask(questionTo(family, NL80211_CMD_GET_INTERFACE), [&](nlmsghdr* message) {
            const Attributes80211 attributes(message, sizeof(genlmsghdr));
            const auto index = attributes.value<std::uint32_t>(NL80211_ATTR_IFINDEX);
            if (!index || radios.size() >= mostRadios)
                return;
            Radio& radio = radios[static_cast<int>(*index)];
            radio.type = attributes.value<std::uint32_t>(NL80211_ATTR_IFTYPE).value_or(0);
            WifiFacts& facts = radio.facts;
            facts.frequency = static_cast<int>(
                attributes.value<std::uint32_t>(NL80211_ATTR_WIPHY_FREQ).value_or(0));
            facts.channel = wifiChannel(facts.frequency);
            if (const auto width = attributes.value<std::uint32_t>(NL80211_ATTR_CHANNEL_WIDTH))
                facts.width = megahertz(*width);
            if (ssid == Ssid::Read)
                facts.ssid = ssidText(attributes.bytes(NL80211_ATTR_SSID));
        });
    if (!read)
        radios.clear();
    return radios;
}

// In units of 100 kbit/s; the older field is narrower.
std::optional<BitRate> rateIn(nlattr* nested)
{
    const Attributes<NL80211_RATE_INFO_MAX> attributes(nested);
    const auto wide = attributes.value<std::uint32_t>(NL80211_RATE_INFO_BITRATE32);
    const auto narrow = attributes.value<std::uint16_t>(NL80211_RATE_INFO_BITRATE);
    const std::uint32_t rate = wide.value_or(narrow.value_or(0));
    if (rate == 0)
        return std::nullopt;
    return BitRate::bitsPerSecond(std::int64_t{rate} * 100'000);
}

// What the adapter knows of its access point. False when there is none.
bool readStation(NetlinkSocket& socket, int family, int index, WifiFacts& facts)
{
    NetlinkMessage question = questionTo(family, NL80211_CMD_GET_STATION);
    question.add(NL80211_ATTR_IFINDEX, static_cast<std::uint32_t>(index));
    bool found = false;
    const auto read = socket.ask(question, [&](nlmsghdr* message) {
        const Attributes80211 attributes(message, sizeof(genlmsghdr));
        const Attributes<NL80211_STA_INFO_MAX> station(attributes.find(NL80211_ATTR_STA_INFO));
        found = true;
        if (const auto signal = station.value<std::int8_t>(NL80211_STA_INFO_SIGNAL))
            facts.signal = *signal;
        facts.receiveRate = rateIn(station.find(NL80211_STA_INFO_RX_BITRATE));
        facts.sendRate = rateIn(station.find(NL80211_STA_INFO_TX_BITRATE));
    });
    return read && found;
}

// The element of a beacon that carries the network's name; empty when it is hidden or not there.
QByteArray nameIn(const QByteArray& elements)
{
    for (qsizetype at = 0; at + 2 <= elements.size();) {
        const int id = static_cast<unsigned char>(elements[at]);
        const int length = static_cast<unsigned char>(elements[at + 1]);
        if (at + 2 + length > elements.size())
            break;
        if (id == 0)
            return elements.mid(at + 2, length);
        at += 2 + length;
    }
    return {};
}

// Some kernels (6.1 is one) do not tell a station's network with its interface, only with the list
// of the access points in reach.
QString associatedNetwork(NetlinkSocket& socket, int family, int index)
{
    NetlinkMessage question = questionTo(family, NL80211_CMD_GET_SCAN);
    question.add(NL80211_ATTR_IFINDEX, static_cast<std::uint32_t>(index));
    QString network;
    const auto read = socket.ask(question, [&](nlmsghdr* message) {
        const Attributes80211 attributes(message, sizeof(genlmsghdr));
        const Attributes<NL80211_BSS_MAX> point(attributes.find(NL80211_ATTR_BSS));
        if (point.value<std::uint32_t>(NL80211_BSS_STATUS) == NL80211_BSS_STATUS_ASSOCIATED)
            network = ssidText(nameIn(point.bytes(NL80211_BSS_INFORMATION_ELEMENTS)));
    });
    return read ? network : QString();
}

} // namespace

int wifiChannel(int megahertz)
{
    if (megahertz == 2'484)
        return 14;
    if (megahertz >= 2'412 && megahertz <= 2'472)
        return (megahertz - 2'407) / 5;
    if (megahertz >= 4'910 && megahertz <= 4'980)
        return (megahertz - 4'000) / 5;
    if (megahertz >= 5'000 && megahertz < 5'925)
        return (megahertz - 5'000) / 5;
    if (megahertz == 5'935)
        return 2;
    if (megahertz >= 5'955 && megahertz <= 7'115)
        return (megahertz - 5'950) / 5;
    if (megahertz >= 58'320 && megahertz <= 70'200)
        return (megahertz - 56'160) / 2'160;
    return 0;
}

std::map<int, Reading<WifiFacts>> readWifi(Ssid ssid)
{
    std::map<int, Reading<WifiFacts>> all;
    auto socket = NetlinkSocket::open(NETLINK_GENERIC);
    if (!socket)
        return all;
    const int family = genl_ctrl_resolve(socket->raw(), NL80211_GENL_NAME);
    if (family < 0)
        return all;
    for (auto& [index, radio] : radiosOf(*socket, family, ssid)) {
        const bool isStation = radio.type == NL80211_IFTYPE_STATION;
        if (isStation && !readStation(*socket, family, index, radio.facts))
            all[index] = {std::nullopt, Words::tr("it is not connected to an access point")};
        else if (radio.facts.frequency == 0)
            all[index] = {std::nullopt, Words::tr("it is on no channel")};
        else {
            if (isStation && ssid == Ssid::Read && radio.facts.ssid.isEmpty())
                radio.facts.ssid = associatedNetwork(*socket, family, index);
            all[index] = {radio.facts, {}};
        }
    }
    return all;
}

} // namespace napkin
