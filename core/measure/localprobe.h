// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/probe.h"
#include "core/peer/ticket.h"

#include <memory>
#include <optional>

namespace napkin {

// The probe of that kind with this machine as the near end, observed. With a ticket: for one run
// against the far end that issued it.
[[nodiscard]] std::shared_ptr<Probe> localProbe(ProbeKind kind,
                                                std::optional<DataTicket> ticket = std::nullopt);

} // namespace napkin
