// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errortext.h"
#include "core/catalogue/catalogue.h"
#include "core/notebook/record.h"
#include "core/notebook/worksheet.h"
#include "core/results/result.h"

#include <QByteArray>
#include <QString>

#include <nlohmann/json.hpp>

#include <cstdint>

namespace napkin::cli {

// Keys in the order they are written. The format, "napkin-cli" version 1, is described in
// app/cli/README.md; rates are bits per second, times nanoseconds, unknown is null.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json jsonEnvelope(const QString& command, bool ok);
[[nodiscard]] QByteArray toLine(const Json& document); // one line with its line break

[[nodiscard]] Json jsonText(const QString& text);
[[nodiscard]] Json jsonError(const Error& error, const ErrorText& words);
[[nodiscard]] Json jsonSummary(const ProbeResult& result);
[[nodiscard]] Json jsonRecord(std::int64_t number, const ProbeResult& result);
[[nodiscard]] Json jsonUnrecorded(const ProbeResult& result); // result and summary, no number
[[nodiscard]] Json jsonRecord(const Record& record);          // with label, notes, void, hash
[[nodiscard]] Json jsonListed(const RecordSummary& record);
[[nodiscard]] Json jsonWorksheetRow(const WorksheetRow& row);
[[nodiscard]] Json jsonLinkClass(const LinkClass& linkClass);

} // namespace napkin::cli
