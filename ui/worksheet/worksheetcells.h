// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/worksheet.h"

#include <QString>

#include <optional>

namespace napkin::worksheetcells {

// What the cells of the worksheet say, by column of WorksheetModel.

[[nodiscard]] const std::optional<MeasuredRate>& measuredOf(const WorksheetRow& row, int column);
[[nodiscard]] QString joinedRatings(const WorksheetRow& row, int column);
[[nodiscard]] QString bits(const std::optional<MeasuredRate>& rate);
[[nodiscard]] QString bytes(const std::optional<MeasuredRate>& rate);
[[nodiscard]] QString ratios(const std::optional<MeasuredRate>& rate);
[[nodiscard]] QString retransmits(const WorksheetRow& row);
// The columns that show one time.
[[nodiscard]] const std::optional<Fact<Duration>>* timeOf(const WorksheetRow& row, int column);
// How messages went there and back; null where a column is of something else.
[[nodiscard]] const std::optional<EchoManner>* mannerOf(const WorksheetRow& row, int column);
[[nodiscard]] QString timeText(const WorksheetRow& row, int column);
[[nodiscard]] QString arrowOf(Flow flow);
// "→ 95.6 Mb/s of 300 Mb/s", each way.
[[nodiscard]] QString udpArrived(const WorksheetRow& row);
[[nodiscard]] QString udpLost(const WorksheetRow& row);
[[nodiscard]] const std::optional<Fact<BitRate>>& firstOf(const MeasuredUdp& udp);
[[nodiscard]] std::optional<Ratio> mostLost(const WorksheetRow& row);
[[nodiscard]] bool hasLost(const std::optional<Ratio>& share);
// Whether the cell's own figure wants care, whatever else is said of the run.
[[nodiscard]] bool wantsCare(const WorksheetRow& row, int column);

} // namespace napkin::worksheetcells
