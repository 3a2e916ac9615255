// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/jsoncolumns.h"
#include "core/results/jsonoptions.h"
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

Json orNull(const std::optional<Duration>& time)
{
    return time ? Json(time->count()) : Json(nullptr);
}

std::optional<Duration> readDuration(JsonReader& reader, const Json& in, const char* key)
{
    if (const auto value = reader.optionalInteger(in, key))
        return Duration(*value);
    return std::nullopt;
}

Json orNull(const std::optional<BitRate>& rate)
{
    return rate ? Json(rate->bitsPerSecond()) : Json(nullptr);
}

std::optional<BitRate> readRate(JsonReader& reader, const Json& in, const char* key)
{
    if (const auto value = reader.optionalInteger(in, key))
        return BitRate::bitsPerSecond(*value);
    return std::nullopt;
}

Json roundTripsToJson(const std::vector<RoundTrip>& s)
{
    using S = RoundTrip;
    return {{"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
            {"time_ns", column(s, [](const S& x) { return Json(x.time.count()); })},
            {"outcome", column(s, [](const S& x) { return Json(static_cast<int>(x.outcome)); })}};
}

std::vector<RoundTrip> readRoundTrips(JsonReader& reader, const Json& in)
{
    const Json* json = reader.object(in, "samples");
    if (json == nullptr)
        return {};
    Columns columns(reader, *json, "start_ns");
    std::vector<RoundTrip> s(columns.size());
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, anyCount);
    columns.each("time_ns", [&](size_t i, Value v) { s[i].time = Duration(*v); }, 0, anyCount);
    columns.each(
        "outcome", [&](size_t i, Value v) { s[i].outcome = static_cast<RoundTrip::Outcome>(*v); },
        0, 1);
    return s;
}

Json phaseToJson(const LoadPhase& phase)
{
    return {{"load", loadName(phase.load)},         {"samples", roundTripsToJson(phase.samples)},
            {"forward_bps", orNull(phase.forward)}, {"reverse_bps", orNull(phase.reverse)},
            {"duplicates", phase.duplicates},       {"reordered", phase.reordered}};
}

LoadPhase readPhase(JsonReader& reader, const Json& json)
{
    LoadPhase phase;
    phase.load = readLoad(reader, json, "load");
    phase.samples = readRoundTrips(reader, json);
    phase.forward = readRate(reader, json, "forward_bps");
    phase.reverse = readRate(reader, json, "reverse_bps");
    phase.duplicates = reader.integer(json, "duplicates", 0);
    phase.reordered = reader.integer(json, "reordered", 0);
    return phase;
}

} // namespace

Json toJson(const LatencyData& data)
{
    return {{"samples", roundTripsToJson(data.samples)},
            {"duplicates", data.duplicates},
            {"reordered", data.reordered},
            {"clock_step_ns", orNull(data.clockStep)},
            {"means", data.means.toStdString()}};
}

LatencyData latencyFromJson(JsonReader& reader, const Json& json)
{
    LatencyData data;
    data.samples = readRoundTrips(reader, json);
    data.duplicates = reader.integer(json, "duplicates", 0);
    data.reordered = reader.integer(json, "reordered", 0);
    data.clockStep = readDuration(reader, json, "clock_step_ns");
    data.means = reader.text(json, "means");
    return data;
}

Json toJson(const SweepData& data)
{
    const auto& s = data.samples;
    using S = SweepSample;
    return {{"samples",
             {{"round", column(s, [](const S& x) { return Json(x.round); })},
              {"size_bytes", column(s, [](const S& x) { return Json(x.size.bytes()); })},
              {"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
              {"time_ns", column(s, [](const S& x) { return Json(x.time.count()); })}}},
            {"clock_step_ns", orNull(data.clockStep)}};
}

SweepData sweepFromJson(JsonReader& reader, const Json& json)
{
    SweepData data;
    if (const Json* samples = reader.object(json, "samples")) {
        Columns columns(reader, *samples, "round");
        auto& s = data.samples;
        s.resize(columns.size());
        columns.each(
            "round", [&](size_t i, Value v) { s[i].round = static_cast<int>(*v); }, 0, 1'000'000);
        columns.each(
            "size_bytes", [&](size_t i, Value v) { s[i].size = ByteCount::bytes(*v); }, 1,
            1LL << 30);
        columns.each(
            "start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, anyCount);
        columns.each("time_ns", [&](size_t i, Value v) { s[i].time = Duration(*v); }, 0, anyCount);
    }
    data.clockStep = readDuration(reader, json, "clock_step_ns");
    return data;
}

Json toJson(const LoadedLatencyData& data)
{
    Json phases = Json::array();
    for (const LoadPhase& phase : data.phases)
        phases.push_back(phaseToJson(phase));
    return {{"phases", phases},
            {"clock_step_ns", orNull(data.clockStep)},
            {"means", data.means.toStdString()}};
}

LoadedLatencyData loadedLatencyFromJson(JsonReader& reader, const Json& json)
{
    LoadedLatencyData data;
    if (const Json* phases = reader.array(json, "phases")) {
        if (phases->size() > 4)
            reader.failAt(QStringLiteral("phases"), Words::tr("too many values"));
        for (const Json& phase : *phases) {
            if (!reader.ok())
                break;
            data.phases.push_back(readPhase(reader, phase));
        }
    }
    data.clockStep = readDuration(reader, json, "clock_step_ns");
    data.means = reader.text(json, "means");
    return data;
}

} // namespace napkin::detail
