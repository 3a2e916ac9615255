// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/localprobe.h"

#include "core/measure/connect/connectprobe.h"
#include "core/measure/observedprobe.h"
#include "core/measure/throughput/throughputprobe.h"

namespace napkin {

std::shared_ptr<Probe> localProbe(ProbeKind kind, std::optional<DataTicket> ticket)
{
    std::shared_ptr<Probe> probe;
    switch (kind) {
    case ProbeKind::Throughput:
        probe = std::make_shared<ThroughputProbe>(std::move(ticket));
        break;
    case ProbeKind::ConnectTime:
        probe = std::make_shared<ConnectProbe>(std::move(ticket));
        break;
    case ProbeKind::Latency:
    case ProbeKind::MessageSweep:
    case ProbeKind::LoadedLatency:
    case ProbeKind::PathMtu:
    case ProbeKind::UdpThroughput:
        break;
    }
    return std::make_shared<ObservedProbe>(std::move(probe));
}

} // namespace napkin
