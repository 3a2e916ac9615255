// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/boundedjson.h"
#include "core/results/hostfacts.h"

#include <cmath>
#include <functional>
#include <string>

// Helpers with which facts are written and read.
namespace napkin::detail {

constexpr size_t mostInterfaces = 256;
constexpr size_t mostAddresses = 64;
constexpr size_t mostOffloads = 256;
constexpr size_t mostRoutes = 64;
constexpr qsizetype longestText = 1'024;

// Without what would steer a terminal, and not longer than is read back.
[[nodiscard]] std::string cleanText(const QString& text);
[[nodiscard]] QString readText(JsonReader& reader, const nlohmann::json& in, const char* key);
// Empty when it is not there.
[[nodiscard]] QString readTextIfAny(JsonReader& reader, const nlohmann::json& in, const char* key);
void putText(nlohmann::json& out, const char* key, const QString& text); // unless empty

[[nodiscard]] double readFinite(JsonReader& reader, const nlohmann::json& in, const char* key,
                                double least, double most);
[[nodiscard]] std::uint64_t readCount(JsonReader& reader, const nlohmann::json& in,
                                      const char* key);
// A list that may be missing; `item` is called for each until something is wrong.
void readList(JsonReader& reader, const nlohmann::json& in, const char* key, size_t most,
              const std::function<void(const nlohmann::json&)>& item);

template <typename T, typename ToJson>
void putReading(nlohmann::json& out, const char* key, const Reading<T>& reading, ToJson toJson)
{
    if (reading.value)
        out[key]["value"] = toJson(*reading.value);
    if (!reading.whyNot.isEmpty())
        out[key]["why_not"] = cleanText(reading.whyNot);
}

// `fromValue(in)` reads in["value"].
template <typename T, typename FromValue>
Reading<T> readReading(JsonReader& reader, const nlohmann::json& in, const char* key,
                       FromValue fromValue)
{
    Reading<T> reading;
    const auto found = in.find(key);
    if (found == in.end() || found->is_null())
        return reading;
    const nlohmann::json* object = reader.object(in, key);
    if (object == nullptr)
        return reading;
    reading.whyNot = readTextIfAny(reader, *object, "why_not");
    if (const auto value = object->find("value"); value != object->end() && !value->is_null())
        reading.value = fromValue(*object);
    return reading;
}

[[nodiscard]] nlohmann::json interfaceToJson(const InterfaceFacts& facts);
[[nodiscard]] InterfaceFacts readInterface(JsonReader& reader, const nlohmann::json& json);

} // namespace napkin::detail
