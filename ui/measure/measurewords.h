// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QString>

namespace napkin {

// The words the window has for measurements, in one place.

[[nodiscard]] QString flowWords(Flow flow); // "→ to the far end"
[[nodiscard]] QString arrow(Direction direction);
[[nodiscard]] QString kindWords(ProbeKind kind);       // "throughput"
[[nodiscard]] QString kindTitle(ProbeKind kind);       // "Throughput"
[[nodiscard]] QString phaseWords(Phase phase);         // "connecting"
[[nodiscard]] QString runTitle(const ProbeSpec& spec); // "Throughput to spark-b:5201"

// The names by which a far end goes: as drawn, else host:port.
[[nodiscard]] QString farName(const Endpoint& far);

} // namespace napkin
