// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/keyfigures.h"

#include <SQLiteCpp/Statement.h>

namespace napkin::detail {

// The key figures as columns of a record, in one order for reading and writing. Ratios are REAL,
// the rest whole numbers in the unit that the column names; NULL where nothing is known. The last
// one holds the one rate in bytes per second that a kind has: beta of a sweep, what a machine's
// memory or storage moves.
inline constexpr const char* figureColumns =
    "forward_bps, reverse_bps, forward_retransmits, reverse_retransmits, connect_median_ns, "
    "latency_p50_ns, latency_p99_ns, loaded_ratio, loss_ratio, offered_bps, path_mtu, "
    "interface_mtu, black_hole, alpha_ns, beta_bytes_per_second, beta_up_to_bytes, "
    "beta_large_bytes_per_second";
inline constexpr const char* figureValues =
    ":forward, :reverse, :forward_retransmits, :reverse_retransmits, :connect_median, "
    ":latency_p50, :latency_p99, :loaded_ratio, :loss_ratio, :offered, :path_mtu, "
    ":interface_mtu, :black_hole, :alpha, :beta, :beta_up_to, :beta_large";

// From `first` on they stand one after the other.
[[nodiscard]] KeyFigures figuresFrom(const SQLite::Statement& statement, int first, ProbeKind kind);
void bindFigures(SQLite::Statement& statement, const KeyFigures& figures);

} // namespace napkin::detail
