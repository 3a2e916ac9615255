// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/record.h"
#include "core/notebook/worksheet.h"

#include <QString>

#include <optional>
#include <vector>

namespace napkin::cli {

// Tables for `list` and `worksheet`. `width`: columns to fit into; none: as wide as it gets.
[[nodiscard]] QString listText(const std::vector<RecordSummary>& records, std::optional<int> width,
                               const QString& notebook);
[[nodiscard]] QString worksheetText(const std::vector<WorksheetRow>& rows, std::optional<int> width,
                                    const QString& notebook);

} // namespace napkin::cli
