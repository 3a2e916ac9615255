// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/protocol.h"
#include "core/measure/throughput/sampler.h"

#include <vector>

namespace napkin {

// The far receiver's own time, or ours where it told none. It must have counted over about the time
// for which we sent, else ProtocolViolation: anything else would scale the rate at will.
[[nodiscard]] Result<Duration> receiversTime(Duration own, const iperf3::StreamResult& far);
// Nullptr where it leaves that stream out.
[[nodiscard]] const iperf3::StreamResult* resultOf(const iperf3::Results& far, int id);

// What this end tells the other about a stream.
[[nodiscard]] iperf3::StreamResult streamResult(const Sampler::Span& span);

// The figures of record, from our own counts and the far end's: per stream what the receiver
// counted, over the receiver's time. ProtocolViolation when the two contradict each other: then no
// figure can be trusted.
[[nodiscard]] Result<std::vector<StreamTotal>> streamTotals(const std::vector<Sampler::Span>& spans,
                                                            const iperf3::Results& far);

} // namespace napkin
