// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/certainty.h"
#include "core/results/summary.h"
#include "core/workflow/resulttext.h"

namespace napkin::detail {

// The rows of each kind, for resultText().
[[nodiscard]] ResultText rowsOf(const ThroughputSummary& summary);
[[nodiscard]] ResultText rowsOf(const LatencyOptions& options, const LatencyData& data);
[[nodiscard]] ResultText rowsOf(const SweepOptions& options, const SweepData& data);
[[nodiscard]] ResultText rowsOf(const LoadedLatencyOptions& options, const LoadedLatencyData& data);
// `host`: what the ping command is to be given.
[[nodiscard]] ResultText rowsOf(const PathMtuData& data, const QString& host);
[[nodiscard]] ResultText rowsOf(const UdpOptions& options, const UdpData& data);
[[nodiscard]] ResultText rowsOf(const MemoryData& data);
[[nodiscard]] ResultText rowsOf(const StorageOptions& options, const StorageData& data);
[[nodiscard]] ResultText rowsOf(const SoakData& data);

// How well a mean is known: "0.312 ms ± 2.10 µs", or from where to where it went. `text` says one
// value with its unit.
[[nodiscard]] ResultRow certaintyRow(const QString& label, const Certainty& certainty,
                                     QString (*text)(double value));

[[nodiscard]] QString countText(std::int64_t count);
[[nodiscard]] QString notKnown();

} // namespace napkin::detail
