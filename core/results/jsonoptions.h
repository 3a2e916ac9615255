// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/boundedjson.h"
#include "core/results/spec.h"

namespace napkin::detail {

// The options of a probe. Ranges are checked by validate(), not here.
[[nodiscard]] nlohmann::json optionsToJson(const ProbeOptions& options);
[[nodiscard]] ProbeOptions optionsFromJson(JsonReader& reader, const nlohmann::json& json,
                                           ProbeKind kind);

[[nodiscard]] const char* echoMethodName(EchoMethod method); // "icmp", "tcp", "udp"
[[nodiscard]] const char* loadName(Load load); // "idle", "sending", "receiving", "both"
[[nodiscard]] Load readLoad(JsonReader& reader, const nlohmann::json& in, const char* key);

} // namespace napkin::detail
