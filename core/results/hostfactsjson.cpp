// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/hostfactsjson.h"

#include "core/results/factsjson.h"

namespace napkin {

namespace {

using Json = nlohmann::json;
using namespace detail;

Json routeToJson(const RouteFacts& route)
{
    Json json = {{"destination", cleanText(route.destination)}};
    putText(json, "interface", route.interfaceName);
    putText(json, "gateway", route.gateway);
    putText(json, "source", route.source);
    return json;
}

RouteFacts readRoute(JsonReader& reader, const Json& json)
{
    RouteFacts route;
    route.destination = readText(reader, json, "destination");
    if (!reader.ok())
        return route;
    route.interfaceName = readTextIfAny(reader, json, "interface");
    route.gateway = readTextIfAny(reader, json, "gateway");
    route.source = readTextIfAny(reader, json, "source");
    return route;
}

Json countersToJson(const std::vector<InterfaceCounters>& list)
{
    Json json = Json::array();
    for (const InterfaceCounters& c : list) {
        if (json.size() == mostInterfaces)
            break;
        json.push_back({{"name", cleanText(c.name)},
                        {"received_bytes", c.receivedBytes},
                        {"sent_bytes", c.sentBytes},
                        {"received_packets", c.receivedPackets},
                        {"sent_packets", c.sentPackets},
                        {"receive_errors", c.receiveErrors},
                        {"send_errors", c.sendErrors},
                        {"receive_dropped", c.receiveDropped},
                        {"send_dropped", c.sendDropped}});
    }
    return json;
}

std::vector<InterfaceCounters> readCounterList(JsonReader& reader, const Json& in, const char* key)
{
    std::vector<InterfaceCounters> list;
    readList(reader, in, key, mostInterfaces, [&](const Json& json) {
        InterfaceCounters c;
        c.name = readText(reader, json, "name");
        if (!reader.ok())
            return;
        c.receivedBytes = readCount(reader, json, "received_bytes");
        c.sentBytes = readCount(reader, json, "sent_bytes");
        c.receivedPackets = readCount(reader, json, "received_packets");
        c.sentPackets = readCount(reader, json, "sent_packets");
        c.receiveErrors = readCount(reader, json, "receive_errors");
        c.sendErrors = readCount(reader, json, "send_errors");
        c.receiveDropped = readCount(reader, json, "receive_dropped");
        c.sendDropped = readCount(reader, json, "send_dropped");
        list.push_back(std::move(c));
    });
    return list;
}

template <typename Read>
auto whole(const Json& json, Read read)
    -> Result<std::invoke_result_t<Read, JsonReader&, const Json&>>
{
    JsonReader reader(json);
    if (!json.is_object())
        reader.failAt(QStringLiteral("document"), QStringLiteral("an object is needed"));
    std::invoke_result_t<Read, JsonReader&, const Json&> value{};
    if (reader.ok())
        value = read(reader, json);
    if (!reader.ok())
        return tl::unexpected(*reader.fault());
    return value;
}

bool isThere(const Json& in, const char* key)
{
    const auto found = in.find(key);
    return found != in.end() && !found->is_null();
}

} // namespace

Json hostFactsToJson(const HostFacts& facts)
{
    Json json = {{"logical_cores", facts.logicalCores},
                 {"clock_resolution_ns", facts.clockResolution.count()}};
    if (facts.readAt.isValid())
        json["read_at"] = facts.readAt.toUTC().toString(Qt::ISODateWithMs).toStdString();
    putText(json, "host_name", facts.hostName);
    putText(json, "operating_system", facts.operatingSystem);
    putText(json, "kernel", facts.kernel);
    putText(json, "cpu", facts.cpu);
    const auto number = [](double value) { return Json(value); };
    putReading(json, "governor", facts.governor, cleanText);
    putReading(json, "load", facts.load, number);
    putReading(json, "temperature_celsius", facts.temperature, number);
    putReading(json, "clock_disciplined", facts.clockDisciplined, [](bool on) { return on; });
    for (const InterfaceFacts& one : facts.interfaces) {
        if (json["interfaces"].size() < mostInterfaces)
            json["interfaces"].push_back(interfaceToJson(one));
    }
    for (const RouteFacts& route : facts.routes) {
        if (json["routes"].size() < mostRoutes)
            json["routes"].push_back(routeToJson(route));
    }
    return json;
}

Json hostActivityToJson(const HostActivity& activity)
{
    Json json = {{"length_ns", activity.length.count()},
                 {"before", countersToJson(activity.before)},
                 {"after", countersToJson(activity.after)}};
    if (activity.busiestCore)
        json["busiest_core"] = activity.busiestCore->value();
    if (activity.loadBefore)
        json["load_before"] = *activity.loadBefore;
    if (activity.ownCores)
        json["own_cores"] = *activity.ownCores;
    if (activity.otherCores)
        json["other_cores"] = *activity.otherCores;
    return json;
}

Json hostConditionsToJson(const HostConditions& host)
{
    Json json = {{"host_name", host.hostName.toStdString()},
                 {"operating_system", host.operatingSystem.toStdString()},
                 {"kernel", host.kernel.toStdString()},
                 {"cpu", host.cpu.toStdString()},
                 {"address", host.address.toStdString()},
                 {"interface", host.interfaceName.toStdString()},
                 {"driver", host.driver.toStdString()},
                 {"negotiated_bits_per_second", host.negotiatedSpeed
                                                    ? Json(host.negotiatedSpeed->bitsPerSecond())
                                                    : Json(nullptr)},
                 {"mtu_bytes", host.mtu ? Json(*host.mtu) : Json(nullptr)}};
    if (host.facts)
        json["facts"] = hostFactsToJson(*host.facts);
    if (host.activity)
        json["activity"] = hostActivityToJson(*host.activity);
    return json;
}

Json clockOffsetToJson(const ClockOffset& offset)
{
    return {{"offset_ns", offset.offset.count()}, {"uncertainty_ns", offset.uncertainty.count()}};
}

namespace detail {

HostFacts readFacts(JsonReader& reader, const Json& json)
{
    HostFacts facts;
    facts.logicalCores = static_cast<int>(reader.integer(json, "logical_cores", 0, 1'000'000));
    facts.clockResolution = Duration(reader.integer(json, "clock_resolution_ns", 0));
    if (isThere(json, "read_at")) {
        facts.readAt = QDateTime::fromString(readText(reader, json, "read_at"), Qt::ISODateWithMs);
        if (!facts.readAt.isValid())
            reader.failAt(QStringLiteral("read_at"), QStringLiteral("not a date"));
    }
    facts.hostName = readTextIfAny(reader, json, "host_name");
    facts.operatingSystem = readTextIfAny(reader, json, "operating_system");
    facts.kernel = readTextIfAny(reader, json, "kernel");
    facts.cpu = readTextIfAny(reader, json, "cpu");
    facts.governor = readReading<QString>(
        reader, json, "governor", [&](const Json& in) { return readText(reader, in, "value"); });
    facts.load = readReading<double>(reader, json, "load", [&](const Json& in) {
        return readFinite(reader, in, "value", 0, 1e9);
    });
    facts.temperature =
        readReading<double>(reader, json, "temperature_celsius", [&](const Json& in) {
            return readFinite(reader, in, "value", -273.15, 10'000);
        });
    facts.clockDisciplined =
        readReading<bool>(reader, json, "clock_disciplined",
                          [&](const Json& in) { return reader.boolean(in, "value"); });
    readList(reader, json, "interfaces", mostInterfaces,
             [&](const Json& one) { facts.interfaces.push_back(readInterface(reader, one)); });
    readList(reader, json, "routes", mostRoutes,
             [&](const Json& one) { facts.routes.push_back(readRoute(reader, one)); });
    return facts;
}

HostActivity readActivity(JsonReader& reader, const Json& json)
{
    HostActivity activity;
    activity.length = Duration(reader.integer(json, "length_ns", 0));
    activity.before = readCounterList(reader, json, "before");
    activity.after = readCounterList(reader, json, "after");
    if (isThere(json, "busiest_core"))
        activity.busiestCore = Ratio::of(readFinite(reader, json, "busiest_core", 0, 2));
    if (isThere(json, "load_before"))
        activity.loadBefore = readFinite(reader, json, "load_before", 0, 1e9);
    if (isThere(json, "own_cores"))
        activity.ownCores = readFinite(reader, json, "own_cores", 0, 1e6);
    if (isThere(json, "other_cores"))
        activity.otherCores = readFinite(reader, json, "other_cores", 0, 1e6);
    return activity;
}

HostConditions readConditions(JsonReader& reader, const Json& json)
{
    HostConditions host;
    host.hostName = reader.text(json, "host_name");
    host.operatingSystem = reader.text(json, "operating_system");
    host.kernel = reader.text(json, "kernel");
    host.cpu = reader.text(json, "cpu");
    host.address = reader.text(json, "address");
    host.interfaceName = reader.text(json, "interface");
    host.driver = reader.text(json, "driver");
    if (const auto speed = reader.optionalInteger(json, "negotiated_bits_per_second"))
        host.negotiatedSpeed = BitRate::bitsPerSecond(*speed);
    if (isThere(json, "mtu_bytes"))
        host.mtu =
            static_cast<int>(reader.integer(json, "mtu_bytes", 0, std::numeric_limits<int>::max()));
    if (isThere(json, "facts")) {
        if (const Json* facts = reader.object(json, "facts"))
            host.facts = readFacts(reader, *facts);
    }
    if (isThere(json, "activity")) {
        if (const Json* activity = reader.object(json, "activity"))
            host.activity = readActivity(reader, *activity);
    }
    return host;
}

ClockOffset readClockOffset(JsonReader& reader, const Json& json)
{
    return {Duration(reader.integer(json, "offset_ns")),
            Duration(reader.integer(json, "uncertainty_ns", 0))};
}

} // namespace detail

Result<HostFacts> hostFactsFromJson(const Json& json)
{
    return whole(json, readFacts);
}

Result<HostActivity> hostActivityFromJson(const Json& json)
{
    return whole(json, readActivity);
}

Result<HostConditions> hostConditionsFromJson(const Json& json)
{
    return whole(json, readConditions);
}

Result<ClockOffset> clockOffsetFromJson(const Json& json)
{
    return whole(json, readClockOffset);
}

} // namespace napkin
