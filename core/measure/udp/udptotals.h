// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/protocol.h"
#include "core/measure/udp/udpsampler.h"

#include <vector>

namespace napkin {

// What this end tells the other about a stream.
[[nodiscard]] iperf3::StreamResult streamResult(const UdpSampler::Span& span);

// The figures of record, from our own counts and the far end's: per stream what the receiver
// counted, over the receiver's time, and what was sent of the numbers that it counted in. Counts
// that contradict each other are kept as told. ProtocolViolation when a stream is missing, has no
// counts, or was counted over a time that can not be.
//
// `wait`: between our last datagram and the end that we told; a stock far end counts its time until
// then.
[[nodiscard]] Result<std::vector<UdpTotal>> udpTotals(const std::vector<UdpSampler::Span>& spans,
                                                      const iperf3::Results& far, Duration wait);

} // namespace napkin
