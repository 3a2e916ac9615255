// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/keyfigures.h"

#include "core/results/latencysummary.h"
#include "core/results/machinesummary.h"
#include "core/results/pathsummary.h"
#include "core/results/soaksummary.h"
#include "core/results/summary.h"

#include <type_traits>

namespace napkin {

namespace {

void add(KeyFigures& key, const ThroughputSummary& summary)
{
    if (summary.forward) {
        key.forward = summary.forward->throughput;
        key.forwardRetransmits = summary.forward->retransmits;
    }
    if (summary.reverse) {
        key.reverse = summary.reverse->throughput;
        key.reverseRetransmits = summary.reverse->retransmits;
    }
}

void add(KeyFigures& key, const ConnectData& data)
{
    key.connectMedian = summarise(data).median;
}

void add(KeyFigures& key, const LatencyData& data)
{
    const LatencySummary summary = summarise(data);
    key.latencyP50 = summary.p50;
    key.latencyP99 = summary.p99;
    if (summary.sent > 0)
        key.lossRatio = summary.lossRatio();
}

void add(KeyFigures& key, const SweepData& data)
{
    if (const auto fit = summarise(data).fit) {
        key.alpha = fit->alpha;
        key.beta = fit->beta;
        key.betaUpTo = fit->upTo();
        if (fit->tail)
            key.betaLarge = fit->tail->beta;
    }
}

void add(KeyFigures& key, const LoadedLatencyData& data)
{
    for (const LoadedPhaseSummary& phase : summarise(data)) {
        if (!phase.ratio || (key.loadedRatio && *phase.ratio <= *key.loadedRatio))
            continue;
        key.loadedRatio = phase.ratio;
        key.latencyP50 = phase.p50;
        key.latencyP99 = phase.p99;
    }
}

void add(KeyFigures& key, const std::optional<PathMtuSide>& side, std::optional<int> interface)
{
    const bool isKnown = side && side->mtu && side->verdict != PathMtuSide::Verdict::AtLeast;
    if (!isKnown || (key.pathMtu && *key.pathMtu <= *side->mtu))
        return;
    key.pathMtu = side->mtu;
    key.interfaceMtu = interface;
    key.isBlackHole = side->isSilent;
}

void add(KeyFigures& key, const PathMtuData& data)
{
    const PathMtuSummary summary = summarise(data);
    add(key, summary.forward, data.nearInterfaceMtu);
    add(key, summary.reverse, data.farInterfaceMtu);
}

void add(KeyFigures& key, const UdpSummary& summary)
{
    if (summary.forward)
        key.forward = summary.forward->arrived;
    if (summary.reverse)
        key.reverse = summary.reverse->arrived;
    for (const auto& side : {summary.forward, summary.reverse}) {
        const bool isWorse =
            side && side->lossRatio && (!key.lossRatio || *side->lossRatio > *key.lossRatio);
        if (isWorse) {
            key.lossRatio = side->lossRatio;
            key.offered = side->offered;
        }
    }
    const auto& any = summary.forward ? summary.forward : summary.reverse;
    if (any && !key.forward && !key.reverse)
        key.offered = any->offered;
}

void add(KeyFigures& key, const MemoryData& data)
{
    key.byteRate = summarise(data).median;
}

void add(KeyFigures& key, const StorageData& data)
{
    if (const StorageSummary summary = summarise(data); summary.isPastCache)
        key.byteRate = summary.mean;
}

void add(KeyFigures& key, const SoakData& data)
{
    const SoakSummary summary = summarise(data);
    if (summary.forward) {
        key.forward = summary.forward->mean;
        key.forwardRetransmits = summary.forward->retransmits;
    }
    if (summary.reverse) {
        key.reverse = summary.reverse->mean;
        key.reverseRetransmits = summary.reverse->retransmits;
    }
}

} // namespace

KeyFigures keyFigures(const ProbeResult& result)
{
    KeyFigures key;
    std::visit(
        [&](const auto& data) {
            if constexpr (std::is_same_v<std::decay_t<decltype(data)>, ThroughputData>)
                add(key, summariseThroughput(result));
            else if constexpr (std::is_same_v<std::decay_t<decltype(data)>, UdpData>)
                add(key, summariseUdp(result));
            else
                add(key, data);
        },
        result.data);
    return key;
}

} // namespace napkin
