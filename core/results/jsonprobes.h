// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/boundedjson.h"
#include "core/results/result.h"

// What each kind of probe measures, as JSON and back. Read values are within bounds; a fault is
// left in the reader.
namespace napkin::detail {

[[nodiscard]] nlohmann::json toJson(const LatencyData& data);
[[nodiscard]] LatencyData latencyFromJson(JsonReader& reader, const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const SweepData& data);
[[nodiscard]] SweepData sweepFromJson(JsonReader& reader, const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const LoadedLatencyData& data);
[[nodiscard]] LoadedLatencyData loadedLatencyFromJson(JsonReader& reader,
                                                      const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const PathMtuData& data);
[[nodiscard]] PathMtuData pathMtuFromJson(JsonReader& reader, const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const UdpData& data);
[[nodiscard]] UdpData udpFromJson(JsonReader& reader, const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const MemoryData& data);
[[nodiscard]] MemoryData memoryFromJson(JsonReader& reader, const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const StorageData& data);
[[nodiscard]] StorageData storageFromJson(JsonReader& reader, const nlohmann::json& json);
[[nodiscard]] nlohmann::json toJson(const SoakData& data);
[[nodiscard]] SoakData soakFromJson(JsonReader& reader, const nlohmann::json& json);

} // namespace napkin::detail
