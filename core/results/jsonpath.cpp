// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/jsoncolumns.h"
#include "core/results/jsonprobes.h"

#include <QCoreApplication>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultJson)
};

using Json = nlohmann::json;
using Value = Columns::Value;

constexpr size_t mostItems =
    10'000; // of sizes tried, transfers and streams: far more than there are

Direction readDirection(JsonReader& reader, const Json& in)
{
    return reader.named<Direction>(
        in, "direction", {{"forward", Direction::Forward}, {"reverse", Direction::Reverse}});
}

std::optional<int> readMtu(JsonReader& reader, const Json& in, const char* key)
{
    const auto value = reader.optionalInteger(in, key);
    if (!value)
        return std::nullopt;
    if (*value < 0 || *value > 1'000'000)
        reader.failAt(QString::fromLatin1(key), Words::tr("a whole number in range is needed"));
    return static_cast<int>(*value);
}

Json orNull(const std::optional<int>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

const char* fateName(SizeProbe::Fate fate)
{
    switch (fate) {
    case SizeProbe::Fate::TooBigHere:
        return "too-big-here";
    case SizeProbe::Fate::TooBigOnWay:
        return "too-big-on-way";
    case SizeProbe::Fate::Silent:
        return "silent";
    case SizeProbe::Fate::Passed:
        break;
    }
    return "passed";
}

const char* outcomeName(BulkTransfer::Outcome outcome)
{
    switch (outcome) {
    case BulkTransfer::Outcome::Stalled:
        return "stalled";
    case BulkTransfer::Outcome::NotConnected:
        return "not-connected";
    case BulkTransfer::Outcome::NotMade:
        return "not-made";
    case BulkTransfer::Outcome::Finished:
        break;
    }
    return "finished";
}

Json probeToJson(const SizeProbe& probe)
{
    return {{"direction", directionName(probe.direction).toStdString()},
            {"size_bytes", probe.size},
            {"fate", fateName(probe.fate)},
            {"attempts", probe.attempts},
            {"told_bytes", orNull(probe.told)},
            {"by", probe.by.toStdString()}};
}

SizeProbe readProbe(JsonReader& reader, const Json& json)
{
    SizeProbe probe;
    probe.direction = readDirection(reader, json);
    probe.size = static_cast<int>(reader.integer(json, "size_bytes", 0, 1'000'000));
    using Fate = SizeProbe::Fate;
    probe.fate = reader.named<Fate>(json, "fate",
                                    {{"passed", Fate::Passed},
                                     {"too-big-here", Fate::TooBigHere},
                                     {"too-big-on-way", Fate::TooBigOnWay},
                                     {"silent", Fate::Silent}});
    probe.attempts = static_cast<int>(reader.integer(json, "attempts", 0, 1'000));
    probe.told = readMtu(reader, json, "told_bytes");
    probe.by = reader.text(json, "by");
    return probe;
}

Json transferToJson(const BulkTransfer& transfer)
{
    Json json = {{"direction", directionName(transfer.direction).toStdString()},
                 {"outcome", outcomeName(transfer.outcome)},
                 {"arrived_bytes", transfer.arrived.bytes()},
                 {"asked_bytes", transfer.asked.bytes()},
                 {"time_ns", transfer.time.count()}};
    if (transfer.whyNot)
        json["why_not"] = {{"code", errorCodeName(*transfer.whyNot).toStdString()},
                           {"detail", transfer.whyNotDetail.toStdString()}};
    return json;
}

void readWhyNot(JsonReader& reader, const Json& json, BulkTransfer& transfer)
{
    if (!json.is_object() || !json.contains("why_not"))
        return;
    const Json* whyNot = reader.object(json, "why_not");
    if (whyNot == nullptr)
        return;
    const auto code = errorCodeFromName(reader.text(*whyNot, "code"));
    if (!code) {
        reader.failAt(QStringLiteral("code"), Words::tr("not one of the known reasons"));
        return;
    }
    transfer.whyNot = *code;
    transfer.whyNotDetail = reader.text(*whyNot, "detail");
}

BulkTransfer readTransfer(JsonReader& reader, const Json& json)
{
    BulkTransfer transfer;
    transfer.direction = readDirection(reader, json);
    using Outcome = BulkTransfer::Outcome;
    transfer.outcome = reader.named<Outcome>(json, "outcome",
                                             {{"finished", Outcome::Finished},
                                              {"stalled", Outcome::Stalled},
                                              {"not-connected", Outcome::NotConnected},
                                              {"not-made", Outcome::NotMade}});
    transfer.arrived = ByteCount::bytes(reader.integer(json, "arrived_bytes", 0));
    transfer.asked = ByteCount::bytes(reader.integer(json, "asked_bytes", 0));
    transfer.time = Duration(reader.integer(json, "time_ns", 0));
    readWhyNot(reader, json, transfer);
    return transfer;
}

// Reads every item of a list, at most `mostItems`.
template <typename T>
std::vector<T> readAll(JsonReader& reader, const Json& in, const char* key,
                       T (*read)(JsonReader&, const Json&))
{
    std::vector<T> items;
    const Json* list = reader.array(in, key);
    if (list == nullptr)
        return items;
    if (list->size() > mostItems)
        reader.failAt(QString::fromLatin1(key), Words::tr("too many values"));
    for (const Json& item : *list) {
        if (!reader.ok())
            break;
        items.push_back(read(reader, item));
    }
    return items;
}

Json samplesToJson(const std::vector<UdpSample>& s)
{
    using S = UdpSample;
    return {
        {"stream", column(s, [](const S& x) { return Json(x.stream); })},
        {"direction", column(s, [](const S& x) { return Json(static_cast<int>(x.direction)); })},
        {"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
        {"length_ns", column(s, [](const S& x) { return Json(x.length.count()); })},
        {"bytes", column(s, [](const S& x) { return Json(x.bytes.bytes()); })},
        {"packets", column(s, [](const S& x) { return Json(x.packets); })},
        {"at_receiver", column(s, [](const S& x) { return Json(x.atReceiver ? 1 : 0); })},
        {"lost", column(s, [](const S& x) { return detail::orNull(x.lost); })},
        {"out_of_order", column(s, [](const S& x) { return detail::orNull(x.outOfOrder); })},
        {"jitter_ns",
         column(s, [](const S& x) { return x.jitter ? Json(x.jitter->count()) : Json(nullptr); })},
        {"omitted", column(s, [](const S& x) { return Json(x.omitted ? 1 : 0); })}};
}

std::vector<UdpSample> readSamples(JsonReader& reader, const Json& in)
{
    const Json* json = reader.object(in, "samples");
    if (json == nullptr)
        return {};
    Columns columns(reader, *json, "stream");
    std::vector<UdpSample> s(columns.size());
    columns.each("stream", [&](size_t i, Value v) { s[i].stream = static_cast<int>(*v); }, 0, 127);
    columns.each(
        "direction", [&](size_t i, Value v) { s[i].direction = static_cast<Direction>(*v); }, 0, 1);
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, anyCount);
    columns.each("length_ns", [&](size_t i, Value v) { s[i].length = Duration(*v); }, 0, anyCount);
    columns.each(
        "bytes", [&](size_t i, Value v) { s[i].bytes = ByteCount::bytes(*v); }, 0, anyCount);
    columns.each("packets", [&](size_t i, Value v) { s[i].packets = *v; }, 0, anyCount);
    columns.each("at_receiver", [&](size_t i, Value v) { s[i].atReceiver = *v == 1; }, 0, 1);
    columns.each("lost", [&](size_t i, Value v) { s[i].lost = v; }, -anyCount, anyCount, true);
    columns.each(
        "out_of_order", [&](size_t i, Value v) { s[i].outOfOrder = v; }, 0, anyCount, true);
    columns.each(
        "jitter_ns",
        [&](size_t i, Value v) {
            if (v)
                s[i].jitter = Duration(*v);
        },
        0, anyCount, true);
    columns.each("omitted", [&](size_t i, Value v) { s[i].omitted = *v == 1; }, 0, 1);
    return s;
}

Json arrivalsToJson(const std::vector<UdpArrival>& a)
{
    using A = UdpArrival;
    return {{"start_ns", column(a, [](const A& x) { return Json(x.start.count()); })},
            {"length_ns", column(a, [](const A& x) { return Json(x.length.count()); })},
            {"packets", column(a, [](const A& x) { return Json(x.packets); })},
            {"bytes", column(a, [](const A& x) { return Json(x.bytes.bytes()); })}};
}

// Records from before there were any have none.
std::vector<UdpArrival> readArrivals(JsonReader& reader, const Json& in)
{
    if (!in.contains("far_arrivals"))
        return {};
    const Json* json = reader.object(in, "far_arrivals");
    if (json == nullptr)
        return {};
    Columns columns(reader, *json, "start_ns");
    std::vector<UdpArrival> a(columns.size());
    columns.each("start_ns", [&](size_t i, Value v) { a[i].start = Duration(*v); }, 0, anyCount);
    columns.each("length_ns", [&](size_t i, Value v) { a[i].length = Duration(*v); }, 0, anyCount);
    columns.each("packets", [&](size_t i, Value v) { a[i].packets = *v; }, 0, anyCount);
    columns.each(
        "bytes", [&](size_t i, Value v) { a[i].bytes = ByteCount::bytes(*v); }, 0, anyCount);
    return a;
}

Json totalToJson(const UdpTotal& t)
{
    return {{"stream", t.stream},
            {"direction", directionName(t.direction).toStdString()},
            {"received_bytes", t.received.bytes()},
            {"sent_bytes", t.sent ? Json(t.sent->bytes()) : Json(nullptr)},
            {"packets_received", t.packetsReceived},
            {"packets_sent", detail::orNull(t.packetsSent)},
            {"lost", t.lost},
            {"out_of_order", detail::orNull(t.outOfOrder)},
            {"jitter_ns", t.jitter ? Json(t.jitter->count()) : Json(nullptr)},
            {"duration_ns", t.duration.count()},
            {"sent_over_ns", t.sentOver ? Json(t.sentOver->count()) : Json(nullptr)}};
}

UdpTotal readTotal(JsonReader& reader, const Json& json)
{
    UdpTotal t;
    t.stream = static_cast<int>(reader.integer(json, "stream", 0, 127));
    t.direction = readDirection(reader, json);
    t.received = ByteCount::bytes(reader.integer(json, "received_bytes", 0));
    if (const auto sent = reader.optionalInteger(json, "sent_bytes"))
        t.sent = ByteCount::bytes(*sent);
    t.packetsReceived = reader.integer(json, "packets_received");
    t.packetsSent = reader.optionalInteger(json, "packets_sent");
    t.lost = reader.integer(json, "lost");
    t.outOfOrder = reader.optionalInteger(json, "out_of_order");
    if (const auto jitter = reader.optionalInteger(json, "jitter_ns"))
        t.jitter = Duration(*jitter);
    t.duration = Duration(reader.integer(json, "duration_ns", 0));
    if (const auto sentOver = reader.optionalInteger(json, "sent_over_ns"))
        t.sentOver = Duration(*sentOver);
    return t;
}

} // namespace

Json toJson(const PathMtuData& data)
{
    return {{"ip_version", data.ipVersion},
            {"probes", column(data.probes, probeToJson)},
            {"bulk", column(data.bulk, transferToJson)},
            {"near_interface_mtu", orNull(data.nearInterfaceMtu)},
            {"far_interface_mtu", orNull(data.farInterfaceMtu)},
            {"means", data.means.toStdString()}};
}

PathMtuData pathMtuFromJson(JsonReader& reader, const Json& json)
{
    PathMtuData data;
    data.ipVersion = static_cast<int>(reader.integer(json, "ip_version", 4, 6));
    if (data.ipVersion == 5)
        reader.failAt(QStringLiteral("ip_version"), Words::tr("4 or 6 is needed"));
    data.probes = readAll(reader, json, "probes", readProbe);
    data.bulk = readAll(reader, json, "bulk", readTransfer);
    data.nearInterfaceMtu = readMtu(reader, json, "near_interface_mtu");
    data.farInterfaceMtu = readMtu(reader, json, "far_interface_mtu");
    data.means = reader.text(json, "means");
    return data;
}

Json toJson(const UdpData& data)
{
    return {{"samples", samplesToJson(data.samples)},
            {"totals", column(data.totals, totalToJson)},
            {"near_buffer_drops", detail::orNull(data.nearBufferDrops)},
            {"far_buffer_drops", detail::orNull(data.farBufferDrops)},
            {"far_arrivals", arrivalsToJson(data.farArrivals)},
            {"datagram_bytes", data.datagramSize},
            {"far_program", data.farProgram.toStdString()}};
}

UdpData udpFromJson(JsonReader& reader, const Json& json)
{
    UdpData data;
    data.samples = readSamples(reader, json);
    data.totals = readAll(reader, json, "totals", readTotal);
    data.nearBufferDrops = reader.optionalInteger(json, "near_buffer_drops");
    data.farBufferDrops = reader.optionalInteger(json, "far_buffer_drops");
    data.farArrivals = readArrivals(reader, json);
    data.datagramSize = static_cast<int>(reader.integer(json, "datagram_bytes", 0, 65'535));
    data.farProgram = reader.text(json, "far_program");
    return data;
}

} // namespace napkin::detail
