// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/protocol.h"
#include "core/measure/throughput/sampler.h"

#include <vector>

namespace napkin {

// What this end tells the other about a stream.
[[nodiscard]] iperf3::StreamResult streamResult(const Sampler::Span& span);

// The figures of record, from our own counts and the far end's: per stream what the receiver
// counted, over the receiver's time. ProtocolViolation when the two contradict each other: then no
// figure can be trusted.
[[nodiscard]] Result<std::vector<StreamTotal>> streamTotals(const std::vector<Sampler::Span>& spans,
                                                            const iperf3::Results& far);

} // namespace napkin
