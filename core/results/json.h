// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QByteArray>

#include <nlohmann/json.hpp>

namespace napkin {

// A result as JSON, format "napkin-result" version 1: what the notebook stores, what `--json`
// prints. Canonical (keys sorted, no white space), so that equal results have equal bytes and
// hashes. Samples are stored by column. Times are nanoseconds, sizes bytes, rates bits per second,
// dates ISO 8601 UTC; unknown is null.
[[nodiscard]] QByteArray toJson(const ProbeResult& result);

// Bounded and strict: wrong types, unknown versions, columns of unequal length and nesting deeper
// than 16 are refused with the place. Unknown keys are ignored.
[[nodiscard]] Result<ProbeResult> resultFromJson(const QByteArray& text);

// The spec alone, as it stands in a result: what one machine asks of another. It is read as
// strictly; whether it can be done is validate()'s to say.
[[nodiscard]] nlohmann::json specToJson(const ProbeSpec& spec);
[[nodiscard]] Result<ProbeSpec> specFromJson(const nlohmann::json& json);

} // namespace napkin
