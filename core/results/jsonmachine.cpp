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

constexpr std::int64_t mostTime = 1'000'000'000'000'000;    // eleven days, in nanoseconds
constexpr std::int64_t mostBytes = 1'000'000'000'000'000;   // of an array: sums stay in range
constexpr std::int64_t mostBytesOfSample = 400'000'000'000; // times the most samples, too
constexpr int mostThreads = 100'000;

std::optional<Ratio> readShare(JsonReader& reader, const Json& in, const char* key)
{
    const auto found = in.find(key);
    if (found == in.end() || found->is_null())
        return std::nullopt;
    const double share = reader.number(in, key);
    if (!(share >= 0 && share <= 2))
        reader.failAt(QString::fromLatin1(key), Words::tr("a share is needed"));
    return Ratio::of(share);
}

Json shareOrNull(const std::optional<Ratio>& share)
{
    return share ? Json(share->value()) : Json(nullptr);
}

const char* wayName(StorageWay way)
{
    switch (way) {
    case StorageWay::Direct:
        return "direct";
    case StorageWay::Dropped:
        return "dropped";
    case StorageWay::Cached:
        break;
    }
    return "cached";
}

const char* placeName(StoragePlace place)
{
    switch (place) {
    case StoragePlace::Disk:
        return "disk";
    case StoragePlace::Network:
        return "network";
    case StoragePlace::Memory:
        return "memory";
    case StoragePlace::Other:
        break;
    }
    return "other";
}

Json samplesToJson(const std::vector<MemorySample>& s)
{
    using S = MemorySample;
    return {{"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
            {"time_ns", column(s, [](const S& x) { return Json(x.time.count()); })},
            {"warm_up", column(s, [](const S& x) { return Json(x.warmUp ? 1 : 0); })}};
}

Json samplesToJson(const std::vector<StorageSample>& s)
{
    using S = StorageSample;
    return {{"start_ns", column(s, [](const S& x) { return Json(x.start.count()); })},
            {"length_ns", column(s, [](const S& x) { return Json(x.length.count()); })},
            {"bytes", column(s, [](const S& x) { return Json(x.bytes.bytes()); })}};
}

void readSamples(JsonReader& reader, const Json& in, std::vector<MemorySample>& s)
{
    const Json* json = reader.object(in, "samples");
    if (json == nullptr)
        return;
    Columns columns(reader, *json, "start_ns");
    s.resize(columns.size());
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, mostTime);
    columns.each("time_ns", [&](size_t i, Value v) { s[i].time = Duration(*v); }, 0, mostTime);
    columns.each("warm_up", [&](size_t i, Value v) { s[i].warmUp = *v == 1; }, 0, 1);
}

void readSamples(JsonReader& reader, const Json& in, std::vector<StorageSample>& s)
{
    const Json* json = reader.object(in, "samples");
    if (json == nullptr)
        return;
    Columns columns(reader, *json, "start_ns");
    s.resize(columns.size());
    columns.each("start_ns", [&](size_t i, Value v) { s[i].start = Duration(*v); }, 0, mostTime);
    columns.each("length_ns", [&](size_t i, Value v) { s[i].length = Duration(*v); }, 0, mostTime);
    columns.each(
        "bytes", [&](size_t i, Value v) { s[i].bytes = ByteCount::bytes(*v); }, 0,
        mostBytesOfSample);
}

} // namespace

Json toJson(const MemoryData& data)
{
    return {{"samples", samplesToJson(data.samples)},
            {"threads", data.threads},
            {"cores", data.cores},
            {"pinned", data.pinned},
            {"array_bytes", data.arraySize.bytes()},
            {"cache_bytes", data.cacheSize ? Json(data.cacheSize->bytes()) : Json(nullptr)},
            {"busy_before", shareOrNull(data.busyBefore)},
            {"ran", shareOrNull(data.ran)}};
}

MemoryData memoryFromJson(JsonReader& reader, const Json& json)
{
    MemoryData data;
    readSamples(reader, json, data.samples);
    data.threads = static_cast<int>(reader.integer(json, "threads", 0, mostThreads));
    data.cores = static_cast<int>(reader.integer(json, "cores", 0, mostThreads));
    data.pinned = reader.boolean(json, "pinned");
    data.arraySize = ByteCount::bytes(reader.integer(json, "array_bytes", 0, mostBytes));
    if (const auto cache = reader.optionalInteger(json, "cache_bytes"); cache && *cache >= 0)
        data.cacheSize = ByteCount::bytes(*cache);
    else if (cache)
        reader.failAt(QStringLiteral("cache_bytes"),
                      Words::tr("a whole number in range is needed"));
    data.busyBefore = readShare(reader, json, "busy_before");
    data.ran = readShare(reader, json, "ran");
    return data;
}

Json toJson(const StorageData& data)
{
    return {{"samples", samplesToJson(data.samples)},
            {"way", wayName(data.way)},
            {"place", placeName(data.place)},
            {"file_bytes", data.fileSize.bytes()},
            {"allocated_bytes", data.allocated.bytes()},
            {"cached_before_bytes", data.cachedBefore.bytes()},
            {"file_system", data.fileSystem.toStdString()},
            {"device", data.device.toStdString()},
            {"model", data.model.toStdString()},
            {"rotational", data.rotational ? Json(*data.rotational) : Json(nullptr)}};
}

StorageData storageFromJson(JsonReader& reader, const Json& json)
{
    StorageData data;
    readSamples(reader, json, data.samples);
    data.way = reader.named<StorageWay>(json, "way",
                                        {{"direct", StorageWay::Direct},
                                         {"dropped", StorageWay::Dropped},
                                         {"cached", StorageWay::Cached}});
    data.place = reader.named<StoragePlace>(json, "place",
                                            {{"disk", StoragePlace::Disk},
                                             {"network", StoragePlace::Network},
                                             {"memory", StoragePlace::Memory},
                                             {"other", StoragePlace::Other}});
    data.fileSize = ByteCount::bytes(reader.integer(json, "file_bytes", 0));
    data.allocated = ByteCount::bytes(reader.integer(json, "allocated_bytes", 0));
    data.cachedBefore = ByteCount::bytes(reader.integer(json, "cached_before_bytes", 0));
    data.fileSystem = reader.text(json, "file_system");
    data.device = reader.text(json, "device");
    data.model = reader.text(json, "model");
    if (const auto found = json.find("rotational"); found != json.end() && !found->is_null())
        data.rotational = reader.boolean(json, "rotational");
    return data;
}

} // namespace napkin::detail
