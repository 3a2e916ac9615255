// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/boundedjson.h"
#include "core/results/result.h"

namespace napkin {

// What is known of a machine as JSON: part of a stored result, and what one machine tells another.
// Rates are bits per second, times nanoseconds, sizes bytes, dates ISO 8601 UTC. What could not be
// read is {"why_not": "..."}, what can is {"value": ...}. What is empty is left out, so that a
// result from before there were facts keeps its bytes. Control characters become U+FFFD.
[[nodiscard]] nlohmann::json hostFactsToJson(const HostFacts& facts);
[[nodiscard]] nlohmann::json hostActivityToJson(const HostActivity& activity);
[[nodiscard]] nlohmann::json hostConditionsToJson(const HostConditions& host);
[[nodiscard]] nlohmann::json clockOffsetToJson(const ClockOffset& offset);

// Bounded and strict: ParseFailed with the place for wrong types, figures out of range, texts of
// more than 1,024 characters or with control characters in them, more than 256 interfaces, 64
// addresses of one, 256 pieces of offload, 64 routes. Unknown keys are ignored.
[[nodiscard]] Result<HostFacts> hostFactsFromJson(const nlohmann::json& json);
[[nodiscard]] Result<HostActivity> hostActivityFromJson(const nlohmann::json& json);
[[nodiscard]] Result<HostConditions> hostConditionsFromJson(const nlohmann::json& json);
[[nodiscard]] Result<ClockOffset> clockOffsetFromJson(const nlohmann::json& json);

namespace detail {

// The same with a reader that is at work already.
[[nodiscard]] HostFacts readFacts(JsonReader& reader, const nlohmann::json& json);
[[nodiscard]] HostActivity readActivity(JsonReader& reader, const nlohmann::json& json);
[[nodiscard]] HostConditions readConditions(JsonReader& reader, const nlohmann::json& json);
[[nodiscard]] ClockOffset readClockOffset(JsonReader& reader, const nlohmann::json& json);

} // namespace detail

} // namespace napkin
