// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/jsondata.h"

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

Json samplesToJson(const std::vector<ThroughputSample>& s)
{
    using S = ThroughputSample;
    return {
        {"stream", column(s, [](const S& x) { return Json(x.stream); })},
        {"direction", column(s, [](const S& x) { return Json(static_cast<int>(x.direction)); })},
        {"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
        {"length_ns", column(s, [](const S& x) { return Json(x.length.count()); })},
        {"bytes", column(s, [](const S& x) { return Json(x.bytes.bytes()); })},
        {"counted_by", column(s, [](const S& x) { return Json(static_cast<int>(x.countedBy)); })},
        {"retransmits", column(s, [](const S& x) { return orNull(x.retransmits); })},
        {"congestion_window_bytes", column(s,
                                           [](const S& x) {
                                               return x.congestionWindow
                                                          ? Json(x.congestionWindow->bytes())
                                                          : Json(nullptr);
                                           })},
        {"rtt_ns",
         column(s, [](const S& x) { return x.rtt ? Json(x.rtt->count()) : Json(nullptr); })},
        {"omitted", column(s, [](const S& x) { return Json(x.omitted ? 1 : 0); })}};
}

std::vector<ThroughputSample> samplesFromJson(JsonReader& reader, const Json& json)
{
    using Value = std::optional<std::int64_t>;
    Columns columns(reader, json, "stream");
    std::vector<ThroughputSample> s(columns.size());
    columns.each("stream", [&](size_t i, Value v) { s[i].stream = static_cast<int>(*v); }, 0, 127);
    columns.each(
        "direction", [&](size_t i, Value v) { s[i].direction = static_cast<Direction>(*v); }, 0, 1);
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, anyCount);
    columns.each("length_ns", [&](size_t i, Value v) { s[i].length = Duration(*v); }, 0, anyCount);
    columns.each(
        "bytes", [&](size_t i, Value v) { s[i].bytes = ByteCount::bytes(*v); }, 0, anyCount);
    columns.each(
        "counted_by", [&](size_t i, Value v) { s[i].countedBy = static_cast<CountedBy>(*v); }, 0,
        1);
    columns.each(
        "retransmits", [&](size_t i, Value v) { s[i].retransmits = v; }, 0, anyCount, true);
    columns.each(
        "congestion_window_bytes",
        [&](size_t i, Value v) {
            if (v)
                s[i].congestionWindow = ByteCount::bytes(*v);
        },
        0, anyCount, true);
    columns.each(
        "rtt_ns",
        [&](size_t i, Value v) {
            if (v)
                s[i].rtt = Duration(*v);
        },
        0, anyCount, true);
    columns.each("omitted", [&](size_t i, Value v) { s[i].omitted = *v == 1; }, 0, 1);
    return s;
}

Json totalToJson(const StreamTotal& t)
{
    return {{"stream", t.stream},
            {"direction", directionName(t.direction).toStdString()},
            {"received_bytes", t.received.bytes()},
            {"sent_bytes", t.sent ? Json(t.sent->bytes()) : Json(nullptr)},
            {"duration_ns", t.duration.count()},
            {"retransmits", orNull(t.retransmits)}};
}

StreamTotal totalFromJson(JsonReader& reader, const Json& json)
{
    StreamTotal t;
    t.stream = static_cast<int>(reader.integer(json, "stream", 0, 127));
    t.direction = reader.named<Direction>(
        json, "direction", {{"forward", Direction::Forward}, {"reverse", Direction::Reverse}});
    t.received = ByteCount::bytes(reader.integer(json, "received_bytes", 0));
    if (const auto sent = reader.optionalInteger(json, "sent_bytes"))
        t.sent = ByteCount::bytes(*sent);
    t.duration = Duration(reader.integer(json, "duration_ns", 0));
    t.retransmits = reader.optionalInteger(json, "retransmits");
    return t;
}

Json cpuToJson(const std::optional<CpuUse>& cpu)
{
    if (!cpu)
        return nullptr;
    return {{"total", cpu->total.value()},
            {"user", cpu->user.value()},
            {"system", cpu->system.value()}};
}

std::optional<CpuUse> cpuFromJson(JsonReader& reader, const Json& in, const char* key)
{
    const auto found = in.find(key);
    if (found == in.end() || found->is_null())
        return std::nullopt;
    return CpuUse{Ratio::of(reader.number(*found, "total")),
                  Ratio::of(reader.number(*found, "user")),
                  Ratio::of(reader.number(*found, "system"))};
}

Json toJson(const ThroughputData& data)
{
    Json totals = Json::array();
    for (const StreamTotal& total : data.totals)
        totals.push_back(totalToJson(total));
    return {{"samples", samplesToJson(data.samples)},
            {"totals", totals},
            {"near_cpu", cpuToJson(data.nearCpu)},
            {"far_cpu", cpuToJson(data.farCpu)},
            {"congestion_control", data.congestionControl.toStdString()},
            {"far_program", data.farProgram.toStdString()}};
}

ThroughputData throughputFromJson(JsonReader& reader, const Json& json)
{
    ThroughputData data;
    if (const Json* samples = reader.object(json, "samples"))
        data.samples = samplesFromJson(reader, *samples);
    if (const Json* totals = reader.array(json, "totals")) {
        if (totals->size() > 256)
            reader.failAt(QStringLiteral("totals"), Words::tr("too many streams"));
        for (const Json& total : *totals) {
            if (!reader.ok())
                break;
            data.totals.push_back(totalFromJson(reader, total));
        }
    }
    data.nearCpu = cpuFromJson(reader, json, "near_cpu");
    data.farCpu = cpuFromJson(reader, json, "far_cpu");
    data.congestionControl = reader.text(json, "congestion_control");
    data.farProgram = reader.text(json, "far_program");
    return data;
}

Json toJson(const ConnectData& data)
{
    const auto& s = data.samples;
    using S = ConnectSample;
    return {
        {"samples",
         {{"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
          {"time_ns", column(s, [](const S& x) { return Json(x.time.count()); })},
          {"outcome", column(s, [](const S& x) { return Json(static_cast<int>(x.outcome)); })}}}};
}

ConnectData connectFromJson(JsonReader& reader, const Json& json)
{
    using Value = std::optional<std::int64_t>;
    ConnectData data;
    const Json* samples = reader.object(json, "samples");
    if (samples == nullptr)
        return data;
    Columns columns(reader, *samples, "start_ns");
    auto& s = data.samples;
    s.resize(columns.size());
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, anyCount);
    columns.each("time_ns", [&](size_t i, Value v) { s[i].time = Duration(*v); }, 0, anyCount);
    columns.each(
        "outcome",
        [&](size_t i, Value v) { s[i].outcome = static_cast<ConnectSample::Outcome>(*v); }, 0, 3);
    return data;
}

} // namespace

Json dataToJson(const ProbeData& data)
{
    return std::visit([](const auto& any) { return toJson(any); }, data);
}

ProbeData dataFromJson(JsonReader& reader, const Json& json, ProbeKind kind)
{
    switch (kind) {
    case ProbeKind::Throughput:
        return throughputFromJson(reader, json);
    case ProbeKind::ConnectTime:
        return connectFromJson(reader, json);
    case ProbeKind::Latency:
        return latencyFromJson(reader, json);
    case ProbeKind::MessageSweep:
        return sweepFromJson(reader, json);
    case ProbeKind::LoadedLatency:
        return loadedLatencyFromJson(reader, json);
    case ProbeKind::PathMtu:
        return pathMtuFromJson(reader, json);
    case ProbeKind::UdpThroughput:
        return udpFromJson(reader, json);
    case ProbeKind::Memory:
        return memoryFromJson(reader, json);
    case ProbeKind::Storage:
        return storageFromJson(reader, json);
    case ProbeKind::Soak:
        return soakFromJson(reader, json);
    }
    return {};
}

} // namespace napkin::detail
