// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/localprobe.h"

#include "core/measure/connect/connectprobe.h"
#include "core/measure/latency/latencyprobe.h"
#include "core/measure/latency/loadedprobe.h"
#include "core/measure/latency/sweepprobe.h"
#include "core/measure/memory/memoryprobe.h"
#include "core/measure/observedprobe.h"
#include "core/measure/pathmtu/pathmtuprobe.h"
#include "core/measure/soak/soakprobe.h"
#include "core/measure/storage/storageprobe.h"
#include "core/measure/throughput/throughputprobe.h"
#include "core/measure/udp/udpprobe.h"

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
        probe = std::make_shared<LatencyProbe>(std::move(ticket));
        break;
    case ProbeKind::MessageSweep:
        probe = std::make_shared<SweepProbe>(std::move(ticket));
        break;
    case ProbeKind::LoadedLatency:
        probe = std::make_shared<LoadedProbe>(std::move(ticket));
        break;
    case ProbeKind::PathMtu:
        probe = std::make_shared<PathMtuProbe>(std::move(ticket));
        break;
    case ProbeKind::UdpThroughput:
        probe = std::make_shared<UdpProbe>(std::move(ticket));
        break;
    case ProbeKind::Memory:
        probe = std::make_shared<MemoryProbe>();
        break;
    case ProbeKind::Storage:
        probe = std::make_shared<StorageProbe>();
        break;
    case ProbeKind::Soak:
        probe = std::make_shared<SoakProbe>(std::move(ticket));
        break;
    }
    return std::make_shared<ObservedProbe>(std::move(probe));
}

} // namespace napkin
