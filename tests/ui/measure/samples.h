// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <cmath>
#include <random>

namespace napkin::test {

// Runs of every kind as they could be, the same ones each time.

inline ProbeResult sampleResult(ProbeOptions options)
{
    ProbeResult result;
    result.id = RecordId::create();
    result.spec.options = std::move(options);
    result.spec.near.name = QStringLiteral("spark-a");
    result.spec.far.name = QStringLiteral("spark-b");
    result.spec.far.host = QStringLiteral("192.168.100.11");
    result.spec.far.port = 5201;
    result.startedAt = QDateTime(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    result.endedAt = result.startedAt.addSecs(10);
    result.conditions.far.address = result.spec.far.host;
    return result;
}

inline Duration microseconds(double us)
{
    return Duration(std::llround(us * 1e3));
}

// About 180 µs with a tail; every `lostEvery`th is lost, 0: none.
inline std::vector<RoundTrip> sampleTrips(int count, double gapUs, double baseUs = 180,
                                          int lostEvery = 0, unsigned seed = 7)
{
    std::mt19937 random(seed);
    std::lognormal_distribution<double> spread(0, 0.18);
    std::vector<RoundTrip> trips;
    for (int i = 0; i < count; ++i) {
        RoundTrip one;
        one.start = microseconds(i * gapUs);
        const double slow = random() % 200 == 0 ? 4 : 1;
        const double cold = i < count / 40 ? 1.6 : 1;
        one.time = microseconds(baseUs * spread(random) * slow * cold);
        if (lostEvery > 0 && i % lostEvery == lostEvery - 1) {
            one.outcome = RoundTrip::Outcome::Lost;
            one.time = std::chrono::seconds(1);
        }
        trips.push_back(one);
    }
    return trips;
}

inline ProbeResult sampleLatency(int count = 1'000, double gapUs = 5'000, int lostEvery = 170)
{
    LatencyOptions options;
    ProbeResult result = sampleResult(options);
    result.data = LatencyData{sampleTrips(count, gapUs, 180, lostEvery), 1, 2, Duration(1),
                              QStringLiteral("ICMP socket")};
    return result;
}

inline ProbeResult sampleSweep()
{
    const SweepOptions options;
    ProbeResult result = sampleResult(options);
    std::mt19937 random(3);
    std::lognormal_distribution<double> spread(0, 0.08);
    SweepData data;
    data.clockStep = Duration(1);
    Duration now{};
    for (int round = 0; round <= 30; ++round) {
        for (int power = 0; power <= 22; ++power) {
            for (const bool between : {false, true}) {
                const auto whole = std::int64_t(1) << power;
                const std::int64_t size = between ? (whole * 3 / 4) | 1 : whole;
                if (between && power < 3)
                    continue;
                const double jump = size > 65'536 ? 1.9 : 1;
                const double us = 2 * (25 + static_cast<double>(size) / 1'100.0 * jump);
                const Duration time = microseconds(us * spread(random));
                data.samples.push_back({round, ByteCount::bytes(size), now, time});
                now += time;
            }
        }
    }
    result.data = std::move(data);
    return result;
}

inline ProbeResult sampleLoaded(double factor = 20)
{
    const LoadedLatencyOptions options;
    ProbeResult result = sampleResult(options);
    LoadedLatencyData data;
    data.means = QStringLiteral("ICMP socket");
    const auto rate = [](double gbps) { return BitRate::gigabitsPerSecond(gbps); };
    data.phases = {
        {Load::Idle, sampleTrips(800, 5'000, 180, 0, 1), {}, {}, 0, 0},
        {Load::Sending, sampleTrips(600, 5'000, 180 * factor, 90, 2), rate(9.41), {}, 0, 0},
        {Load::Receiving, sampleTrips(600, 5'000, 90 * factor, 0, 3), {}, rate(9.38), 0, 0},
        {Load::Both, sampleTrips(600, 5'000, 320 * factor, 40, 4), rate(8.9), rate(7.62), 0, 0}};
    result.data = std::move(data);
    return result;
}

inline ProbeResult samplePathMtu(SizeProbe::Fate larger = SizeProbe::Fate::Silent)
{
    ProbeResult result = sampleResult(PathMtuOptions());
    PathMtuData data;
    data.means = QStringLiteral("ICMP socket");
    data.nearInterfaceMtu = 9'000;
    data.farInterfaceMtu = 9'000;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        for (const int size : {9'000, 576, 4'788, 2'682, 1'629, 1'102, 1'365, 1'497, 1'563, 1'530,
                               1'513, 1'505, 1'501, 1'499, 1'500}) {
            SizeProbe probe{direction, size, SizeProbe::Fate::Passed, 1, {}, {}};
            if (size > 1'500) {
                probe.fate = larger;
                probe.attempts = larger == SizeProbe::Fate::Silent ? 3 : 1;
                if (larger == SizeProbe::Fate::TooBigOnWay) {
                    probe.told = 1'500;
                    probe.by = QStringLiteral("192.168.100.1");
                }
            }
            data.probes.push_back(probe);
        }
        const bool stalls = larger == SizeProbe::Fate::Silent;
        data.bulk.push_back(
            {direction,
             stalls ? BulkTransfer::Outcome::Stalled : BulkTransfer::Outcome::Finished,
             ByteCount::bytes(stalls ? 14'480 : 1'000'000),
             ByteCount::bytes(1'000'000),
             std::chrono::milliseconds(300),
             {},
             {}});
    }
    result.data = std::move(data);
    return result;
}

inline ProbeResult sampleUdp(double offeredMbps = 300, double arrivedMbps = 96,
                             Flow flow = Flow::Forward)
{
    UdpOptions options;
    options.flow = flow;
    options.rate = BitRate::megabitsPerSecond(offeredMbps);
    ProbeResult result = sampleResult(options);
    std::mt19937 random(5);
    std::normal_distribution<double> spread(1, 0.03);
    UdpData data;
    data.datagramSize = 1'448;
    data.farProgram = QStringLiteral("iperf3 3.12");
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        if (direction == Direction::Reverse && flow != Flow::Bidirectional)
            continue;
        std::int64_t sent = 0;
        std::int64_t came = 0;
        for (int i = 0; i < 100; ++i) {
            const auto packets = [&](double mbps) {
                return std::llround(mbps * 1e6 * 0.1 / 8 / data.datagramSize);
            };
            UdpSample sample;
            sample.direction = direction;
            sample.start = std::chrono::milliseconds(100) * i;
            sample.length = std::chrono::milliseconds(100);
            sample.packets = packets(offeredMbps);
            sample.bytes = ByteCount::bytes(sample.packets * data.datagramSize);
            data.samples.push_back(sample);
            const std::int64_t offered = sample.packets;
            sample.atReceiver = true;
            sample.packets = std::min<std::int64_t>(offered, packets(arrivedMbps * spread(random)));
            sample.bytes = ByteCount::bytes(sample.packets * data.datagramSize);
            sample.lost = offered - sample.packets;
            sample.jitter = microseconds(120);
            data.samples.push_back(sample);
            sent += offered;
            came += sample.packets;
        }
        UdpTotal total;
        total.direction = direction;
        total.packetsSent = sent;
        total.packetsReceived = came;
        total.sent = ByteCount::bytes(sent * data.datagramSize);
        total.received = ByteCount::bytes(came * data.datagramSize);
        total.lost = sent - came;
        total.jitter = microseconds(120);
        total.duration = std::chrono::seconds(10);
        data.totals.push_back(total);
    }
    result.data = std::move(data);
    return result;
}

// Passes at about `gigabytes` a second.
inline ProbeResult sampleMemory(double gigabytes = 240)
{
    ProbeResult result = sampleResult(MemoryOptions());
    result.spec.far = Endpoint();
    result.conditions.far = HostConditions();
    MemoryData data;
    data.threads = 20;
    data.cores = 20;
    data.pinned = true;
    data.arraySize = ByteCount::mebibytes(640);
    data.cacheSize = ByteCount::mebibytes(24);
    std::mt19937 random(5);
    std::normal_distribution<double> spread(1, 0.01);
    Duration at{};
    for (int i = 0; at < std::chrono::seconds(5); ++i) {
        const double rate = gigabytes * 1e9 * spread(random) * (i == 0 ? 0.6 : 1);
        const Duration time(
            std::llround(static_cast<double>(bytesOfPass(data).bytes()) / rate * 1e9));
        data.samples.push_back({at, time, i == 0});
        at += time;
    }
    result.data = std::move(data);
    return result;
}

// A file read at about `gigabytes` a second, with a dip.
inline ProbeResult sampleStorage(double gigabytes = 3.2)
{
    StorageOptions options;
    options.file = QStringLiteral("llama-3.3-70b-q4.gguf");
    ProbeResult result = sampleResult(options);
    result.spec.far = Endpoint();
    result.conditions.far = HostConditions();
    StorageData data;
    data.way = StorageWay::Direct;
    data.place = StoragePlace::Disk;
    data.fileSize = ByteCount::gigabytes(42);
    data.allocated = data.fileSize;
    data.fileSystem = QStringLiteral("ext4");
    data.device = QStringLiteral("nvme0n1p2");
    data.model = QStringLiteral("Samsung SSD 990 PRO 2TB");
    data.rotational = false;
    std::mt19937 random(6);
    std::normal_distribution<double> spread(1, 0.03);
    for (int i = 0; i < 100; ++i) {
        const double share = i / 10 == 6 ? 0.5 : spread(random);
        data.samples.push_back({std::chrono::milliseconds(100) * i, std::chrono::milliseconds(100),
                                ByteCount::bytes(std::llround(gigabytes * 1e8 * share))});
    }
    result.data = std::move(data);
    return result;
}

} // namespace napkin::test
