// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/boundedjson.h"
#include "core/results/result.h"

namespace napkin::detail {

// The measured part of a result. Samples are stored by column: a list per field, all of one length.
[[nodiscard]] nlohmann::json dataToJson(const ProbeData& data);
[[nodiscard]] ProbeData dataFromJson(JsonReader& reader, const nlohmann::json& json,
                                     ProbeKind kind);

} // namespace napkin::detail
