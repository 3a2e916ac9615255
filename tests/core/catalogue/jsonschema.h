// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <nlohmann/json.hpp>

namespace napkin::test {

// What in `value` does not fit the schema, each with its place. Knows the part of JSON Schema that
// our own files use; a keyword that it does not know is a fault too, so that none goes unchecked.
[[nodiscard]] QStringList schemaFaults(const nlohmann::json& value, const nlohmann::json& schema,
                                       const QString& place = QStringLiteral("$"));

} // namespace napkin::test
