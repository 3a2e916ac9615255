// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/factsjson.h"

namespace napkin::detail {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t mostInt = std::numeric_limits<int>::max();

int readInt(JsonReader& reader, const Json& in, const char* key, std::int64_t least = 0)
{
    return static_cast<int>(reader.integer(in, key, least, mostInt));
}

InterfaceKind readKind(JsonReader& reader, const Json& in)
{
    using K = InterfaceKind;
    return reader.named<K>(in, "kind",
                           {{"other", K::Other},
                            {"ethernet", K::Ethernet},
                            {"wifi", K::WiFi},
                            {"thunderbolt", K::Thunderbolt},
                            {"bridge", K::Bridge},
                            {"bond", K::Bond},
                            {"vlan", K::Vlan},
                            {"tunnel", K::Tunnel},
                            {"virtual", K::Virtual},
                            {"loopback", K::Loopback}});
}

Json pcieToJson(const PcieLink& link)
{
    Json json = {{"address", cleanText(link.address)},
                 {"gigatransfers_per_second", link.gigatransfers},
                 {"lanes", link.width}};
    if (link.mostGigatransfers > 0)
        json["most_gigatransfers_per_second"] = link.mostGigatransfers;
    if (link.mostWidth > 0)
        json["most_lanes"] = link.mostWidth;
    if (link.slotGigatransfers > 0)
        json["slot_gigatransfers_per_second"] = link.slotGigatransfers;
    if (link.slotWidth > 0)
        json["slot_lanes"] = link.slotWidth;
    return json;
}

PcieLink readPcie(JsonReader& reader, const Json& in)
{
    PcieLink link;
    const Json* json = reader.object(in, "value");
    if (json == nullptr)
        return link;
    link.address = readText(reader, *json, "address");
    link.gigatransfers = readFinite(reader, *json, "gigatransfers_per_second", 0, 1e6);
    link.width = static_cast<int>(reader.integer(*json, "lanes", 0, 1'024));
    if (json->contains("most_gigatransfers_per_second"))
        link.mostGigatransfers = readFinite(reader, *json, "most_gigatransfers_per_second", 0, 1e6);
    if (json->contains("most_lanes"))
        link.mostWidth = static_cast<int>(reader.integer(*json, "most_lanes", 0, 1'024));
    if (json->contains("slot_gigatransfers_per_second"))
        link.slotGigatransfers = readFinite(reader, *json, "slot_gigatransfers_per_second", 0, 1e6);
    if (json->contains("slot_lanes"))
        link.slotWidth = static_cast<int>(reader.integer(*json, "slot_lanes", 0, 1'024));
    return link;
}

Json coalescingToJson(const Coalescing& c)
{
    return {{"receive_us", c.receiveMicroseconds},   {"receive_frames", c.receiveFrames},
            {"send_us", c.sendMicroseconds},         {"send_frames", c.sendFrames},
            {"adaptive_receive", c.adaptiveReceive}, {"adaptive_send", c.adaptiveSend}};
}

Coalescing readCoalescing(JsonReader& reader, const Json& in)
{
    Coalescing c;
    const Json* json = reader.object(in, "value");
    if (json == nullptr)
        return c;
    c.receiveMicroseconds = readInt(reader, *json, "receive_us");
    c.receiveFrames = readInt(reader, *json, "receive_frames");
    c.sendMicroseconds = readInt(reader, *json, "send_us");
    c.sendFrames = readInt(reader, *json, "send_frames");
    c.adaptiveReceive = reader.boolean(*json, "adaptive_receive");
    c.adaptiveSend = reader.boolean(*json, "adaptive_send");
    return c;
}

Json pauseToJson(const PauseFrames& pause)
{
    return {{"negotiated", pause.negotiated}, {"receive", pause.receive}, {"send", pause.send}};
}

PauseFrames readPause(JsonReader& reader, const Json& in)
{
    const Json* json = reader.object(in, "value");
    if (json == nullptr)
        return {};
    return {reader.boolean(*json, "negotiated"), reader.boolean(*json, "receive"),
            reader.boolean(*json, "send")};
}

Json offloadsToJson(const std::vector<Offload>& offloads)
{
    Json json = Json::object();
    for (const Offload& offload : offloads) {
        if (json.size() < mostOffloads)
            json[cleanText(offload.name)] = offload.on;
    }
    return json;
}

std::vector<Offload> readOffloads(JsonReader& reader, const Json& in)
{
    std::vector<Offload> offloads;
    const Json* json = reader.object(in, "value");
    if (json == nullptr)
        return offloads;
    if (json->size() > mostOffloads)
        reader.failAt(QStringLiteral("offloads"), QStringLiteral("too many"));
    for (auto at = json->begin(); at != json->end() && reader.ok(); ++at) {
        const Json item = {{"name", at.key()}, {"on", at.value()}};
        offloads.push_back({readText(reader, item, "name"), reader.boolean(item, "on")});
    }
    return offloads;
}

Json rateToJson(const std::optional<BitRate>& rate)
{
    return rate ? Json(rate->bitsPerSecond()) : Json(nullptr);
}

std::optional<BitRate> readRate(JsonReader& reader, const Json& in, const char* key)
{
    if (!in.contains(key) || in.at(key).is_null())
        return std::nullopt;
    return BitRate::bitsPerSecond(reader.integer(in, key, 0));
}

Json wifiToJson(const WifiFacts& wifi)
{
    Json json = {{"frequency_mhz", wifi.frequency},
                 {"channel", wifi.channel},
                 {"width_mhz", wifi.width > 0 ? Json(wifi.width) : Json(nullptr)},
                 {"signal_dbm", wifi.signal ? Json(*wifi.signal) : Json(nullptr)},
                 {"receive_bits_per_second", rateToJson(wifi.receiveRate)},
                 {"send_bits_per_second", rateToJson(wifi.sendRate)}};
    putText(json, "ssid", wifi.ssid);
    return json;
}

WifiFacts readWifi(JsonReader& reader, const Json& in)
{
    WifiFacts wifi;
    const Json* json = reader.object(in, "value");
    if (json == nullptr)
        return wifi;
    wifi.frequency = static_cast<int>(reader.integer(*json, "frequency_mhz", 0, 1'000'000));
    wifi.channel = static_cast<int>(reader.integer(*json, "channel", 0, 10'000));
    if (json->contains("width_mhz") && !json->at("width_mhz").is_null())
        wifi.width = static_cast<int>(reader.integer(*json, "width_mhz", 0, 100'000));
    if (json->contains("signal_dbm") && !json->at("signal_dbm").is_null())
        wifi.signal = static_cast<int>(reader.integer(*json, "signal_dbm", -1'000, 1'000));
    wifi.receiveRate = readRate(reader, *json, "receive_bits_per_second");
    wifi.sendRate = readRate(reader, *json, "send_bits_per_second");
    wifi.ssid = readTextIfAny(reader, *json, "ssid");
    return wifi;
}

Json speedAndMore(const InterfaceFacts& facts)
{
    Json json = Json::object();
    putReading(json, "speed_bits_per_second", facts.speed,
               [](BitRate rate) { return rate.bitsPerSecond(); });
    putReading(json, "duplex", facts.duplex,
               [](Duplex duplex) { return duplex == Duplex::Full ? "full" : "half"; });
    putReading(json, "pcie", facts.pcie, pcieToJson);
    putReading(json, "coalescing", facts.coalescing, coalescingToJson);
    putReading(json, "pause", facts.pause, pauseToJson);
    putReading(json, "offloads", facts.offloads, offloadsToJson);
    if (facts.wifi) {
        json["wifi"] = Json::object();
        putReading(json, "wifi", *facts.wifi, wifiToJson);
    }
    return json;
}

} // namespace

Json interfaceToJson(const InterfaceFacts& facts)
{
    Json json = speedAndMore(facts);
    json["name"] = cleanText(facts.name);
    json["kind"] = interfaceKindName(facts.kind).toStdString();
    json["up"] = facts.up;
    json["carrier"] = facts.carrier;
    putText(json, "driver", facts.driver);
    if (facts.mtu)
        json["mtu_bytes"] = *facts.mtu;
    for (const QString& address : facts.addresses.mid(0, static_cast<qsizetype>(mostAddresses)))
        json["addresses"].push_back(cleanText(address));
    putText(json, "part_of", facts.partOf);
    putText(json, "carried_by", facts.carriedBy);
    return json;
}

InterfaceFacts readInterface(JsonReader& reader, const Json& json)
{
    InterfaceFacts facts;
    facts.name = readText(reader, json, "name");
    if (!reader.ok())
        return facts;
    facts.kind = readKind(reader, json);
    facts.driver = readTextIfAny(reader, json, "driver");
    facts.up = reader.boolean(json, "up");
    facts.carrier = reader.boolean(json, "carrier");
    facts.speed = readReading<BitRate>(reader, json, "speed_bits_per_second", [&](const Json& in) {
        return BitRate::bitsPerSecond(reader.integer(in, "value", 0));
    });
    facts.duplex = readReading<Duplex>(reader, json, "duplex", [&](const Json& in) {
        return reader.named<Duplex>(in, "value", {{"full", Duplex::Full}, {"half", Duplex::Half}});
    });
    if (json.contains("mtu_bytes") && !json.at("mtu_bytes").is_null())
        facts.mtu = readInt(reader, json, "mtu_bytes");
    readList(reader, json, "addresses", mostAddresses, [&](const Json& address) {
        facts.addresses << readText(reader, Json{{"addresses", address}}, "addresses");
    });
    facts.partOf = readTextIfAny(reader, json, "part_of");
    facts.carriedBy = readTextIfAny(reader, json, "carried_by");
    const auto by = [&reader](auto read) {
        return [&reader, read](const Json& in) { return read(reader, in); };
    };
    facts.pcie = readReading<PcieLink>(reader, json, "pcie", by(readPcie));
    facts.coalescing = readReading<Coalescing>(reader, json, "coalescing", by(readCoalescing));
    facts.pause = readReading<PauseFrames>(reader, json, "pause", by(readPause));
    facts.offloads = readReading<std::vector<Offload>>(reader, json, "offloads", by(readOffloads));
    if (json.contains("wifi") && !json.at("wifi").is_null())
        facts.wifi = readReading<WifiFacts>(reader, json, "wifi", by(readWifi));
    return facts;
}

} // namespace napkin::detail
