// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <cstddef>

namespace napkin::detail {

// What a drawing may hold: far more than anyone draws, and small enough that its JSON always stays
// within what the reader takes.
inline constexpr std::size_t mostMachines = 1'000;
inline constexpr std::size_t mostPorts = 4'096; // of all machines together
inline constexpr std::size_t mostLinks = 4'096;
inline constexpr qsizetype longestText = 300; // characters
inline constexpr double farthest = 1e6;       // scene units from the middle

} // namespace napkin::detail
