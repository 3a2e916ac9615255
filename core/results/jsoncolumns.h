// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/boundedjson.h"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

// Samples as JSON by column: a list per field, all of one length.
namespace napkin::detail {

inline constexpr std::int64_t anyCount = std::numeric_limits<std::int64_t>::max();

template <typename T, typename Field>
nlohmann::json column(const std::vector<T>& items, Field field)
{
    nlohmann::json list = nlohmann::json::array();
    for (const T& item : items)
        list.push_back(field(item));
    return list;
}

[[nodiscard]] inline nlohmann::json orNull(const std::optional<std::int64_t>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

// Reads columns of equal length, value by value; at most 20 million of them.
class Columns
{
public:
    using Value = std::optional<std::int64_t>;

    // The leading column's length is that of all.
    Columns(JsonReader& reader, const nlohmann::json& json, const char* leading);
    [[nodiscard]] size_t size() const { return m_reader->ok() ? m_size : 0; }

    // Calls put(index, value) for every value; null is passed as nullopt where `nullable`.
    void each(const char* key, const std::function<void(size_t, Value)>& put, std::int64_t least,
              std::int64_t most, bool nullable = false);

private:
    JsonReader* m_reader;
    const nlohmann::json* m_json;
    size_t m_size = 0;
};

} // namespace napkin::detail
