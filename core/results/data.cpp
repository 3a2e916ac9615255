// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/data.h"

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

template <typename T>
void add(std::vector<T>& all, const std::vector<T>& fresh)
{
    all.insert(all.end(), fresh.begin(), fresh.end());
}

void take(ThroughputData& all, const ThroughputData& fresh)
{
    add(all.samples, fresh.samples);
}

void take(ConnectData& all, const ConnectData& fresh)
{
    add(all.samples, fresh.samples);
}

void take(LatencyData& all, const LatencyData& fresh)
{
    add(all.samples, fresh.samples);
    all.duplicates += fresh.duplicates;
    all.reordered += fresh.reordered;
    all.means = fresh.means;
    if (fresh.clockStep)
        all.clockStep = fresh.clockStep;
}

void take(SweepData& all, const SweepData& fresh)
{
    add(all.samples, fresh.samples);
    if (fresh.clockStep)
        all.clockStep = fresh.clockStep;
}

// A phase is told piece by piece; its rates come with the last piece.
void take(LoadedLatencyData& all, const LoadedLatencyData& fresh)
{
    for (const LoadPhase& phase : fresh.phases) {
        const auto same = std::ranges::find(all.phases, phase.load, &LoadPhase::load);
        if (same == all.phases.end()) {
            all.phases.push_back(phase);
            continue;
        }
        add(same->samples, phase.samples);
        same->duplicates += phase.duplicates;
        same->reordered += phase.reordered;
        if (phase.forward)
            same->forward = phase.forward;
        if (phase.reverse)
            same->reverse = phase.reverse;
    }
    all.means = fresh.means;
    if (fresh.clockStep)
        all.clockStep = fresh.clockStep;
}

void take(PathMtuData& all, const PathMtuData& fresh)
{
    add(all.probes, fresh.probes);
    add(all.bulk, fresh.bulk);
    all.ipVersion = fresh.ipVersion;
    all.means = fresh.means;
    if (fresh.nearInterfaceMtu)
        all.nearInterfaceMtu = fresh.nearInterfaceMtu;
    if (fresh.farInterfaceMtu)
        all.farInterfaceMtu = fresh.farInterfaceMtu;
}

void take(UdpData& all, const UdpData& fresh)
{
    add(all.samples, fresh.samples);
    if (fresh.datagramSize > 0)
        all.datagramSize = fresh.datagramSize;
}

// What is known besides the samples is told anew each time.
template <typename Data>
void takeNewest(Data& all, const Data& fresh)
{
    auto samples = std::move(all.samples);
    add(samples, fresh.samples);
    all = fresh;
    all.samples = std::move(samples);
}

void take(MemoryData& all, const MemoryData& fresh)
{
    takeNewest(all, fresh);
}

void take(StorageData& all, const StorageData& fresh)
{
    takeNewest(all, fresh);
}

// The newest span of a direction comes again as it grows; counts are those of the whole run.
void take(SoakData& all, const SoakData& fresh)
{
    for (const SoakSpan& span : fresh.spans) {
        const auto last =
            std::find_if(all.spans.rbegin(), all.spans.rend(),
                         [&span](const SoakSpan& one) { return one.direction == span.direction; });
        if (last != all.spans.rend() && last->start == span.start)
            *last = span;
        else
            all.spans.push_back(span);
    }
    std::vector<SoakSpan> spans = std::exchange(all.spans, {});
    std::vector<SoakEvent> events = std::exchange(all.events, {});
    add(events, fresh.events);
    all = fresh;
    all.spans = std::move(spans);
    all.events = std::move(events);
}

bool measured(const ThroughputData& data)
{
    return std::ranges::any_of(data.samples, [](const ThroughputSample& sample) {
        return !sample.omitted && sample.bytes > ByteCount::bytes(0);
    });
}

bool measured(const ConnectData& data)
{
    return !data.samples.empty();
}

bool measured(const LatencyData& data)
{
    return !data.samples.empty();
}

bool measured(const SweepData& data)
{
    return !data.samples.empty();
}

bool measured(const LoadedLatencyData& data)
{
    return std::ranges::any_of(data.phases,
                               [](const LoadPhase& phase) { return !phase.samples.empty(); });
}

bool measured(const PathMtuData& data)
{
    return !data.probes.empty();
}

bool measured(const UdpData& data)
{
    // What was sent says nothing of what arrived.
    const bool hasTotal = std::ranges::any_of(
        data.totals, [](const UdpTotal& total) { return total.packetsReceived > 0; });
    return hasTotal || std::ranges::any_of(data.samples, [](const UdpSample& sample) {
               return sample.atReceiver && !sample.omitted && sample.packets > 0;
           });
}

bool measured(const MemoryData& data)
{
    return std::ranges::any_of(data.samples,
                               [](const MemorySample& sample) { return !sample.warmUp; });
}

bool measured(const StorageData& data)
{
    return std::ranges::any_of(
        data.samples, [](const StorageSample& sample) { return sample.bytes > ByteCount(); });
}

bool measured(const SoakData& data)
{
    return std::ranges::any_of(
        data.totals, [](const SoakTotal& total) { return total.received > ByteCount::bytes(0); });
}

// The alternatives of the variant stand in the order of ProbeKind.
template <size_t index = 0>
ProbeData emptyAt(size_t wanted)
{
    if constexpr (index < std::variant_size_v<ProbeData>) {
        return index == wanted ? ProbeData(std::in_place_index<index>) : emptyAt<index + 1>(wanted);
    } else {
        return {};
    }
}

} // namespace

ProbeData emptyData(ProbeKind kind)
{
    return emptyAt(static_cast<size_t>(kind));
}

void append(ProbeData& all, const ProbeData& fresh)
{
    std::visit(
        [&fresh](auto& data) {
            if (const auto* same = std::get_if<std::decay_t<decltype(data)>>(&fresh))
                take(data, *same);
        },
        all);
}

bool hasMeasured(const ProbeData& data)
{
    return std::visit([](const auto& any) { return measured(any); }, data);
}

} // namespace napkin
