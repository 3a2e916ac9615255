// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/json.h"

#include <QRandomGenerator>
#include <QTest>

#include <nlohmann/json.hpp>

namespace napkin::test {

using namespace std::chrono_literals;

inline ThroughputData throughputData(int samples)
{
    ThroughputData data;
    auto* random = QRandomGenerator::global();
    for (int i = 0; i < samples; ++i) {
        ThroughputSample s;
        s.stream = i % 3;
        s.direction = i % 2 == 0 ? Direction::Forward : Direction::Reverse;
        s.start = Duration(i * 100'000'000LL);
        s.length = 100ms;
        s.bytes = ByteCount::bytes(random->bounded(1'000'000'000));
        s.countedBy = i % 2 == 0 ? CountedBy::Acknowledged : CountedBy::Received;
        if (i % 4 != 0)
            s.retransmits = i;
        if (i % 5 != 0)
            s.congestionWindow = ByteCount::kibibytes(i);
        if (i % 3 != 0)
            s.rtt = Duration(i * 1'000);
        s.omitted = i < 2;
        data.samples.push_back(s);
    }
    data.totals = {{0, Direction::Forward, ByteCount::bytes(9'007'199'254'740'993),
                    ByteCount::bytes(7), 10s, 3},
                   {1, Direction::Reverse, ByteCount::bytes(1), std::nullopt, 1s, std::nullopt}};
    data.nearCpu = CpuUse{Ratio::of(0.5), Ratio::of(0.1), Ratio::of(0.4)};
    data.congestionControl = QStringLiteral("cubic");
    data.farProgram = QStringLiteral("iperf3 3.12");
    return data;
}

inline ProbeResult fullResult()
{
    ProbeResult r;
    r.id = RecordId::create();
    r.spec.controller.name = QStringLiteral("laptop");
    r.spec.controller.machine = MachineId::create();
    r.spec.near = r.spec.controller;
    r.spec.far.name = QStringLiteral("spärk “b”");
    r.spec.far.host = QStringLiteral("fe80::1%eth0");
    r.spec.far.port = 5201;
    r.spec.far.portId = PortId::create();
    r.spec.interfaceName = QStringLiteral("eth0");
    r.spec.ipVersion = IpVersion::V6;
    r.spec.link = LinkId::create();
    r.spec.linkPeriod = LinkPeriodId::create();
    r.spec.label = QStringLiteral("after MTU 9000");
    r.spec.options = ThroughputOptions{Flow::Bidirectional,    4, 10s, 1s, ByteCount::kibibytes(64),
                                       QStringLiteral("cubic")};
    r.startedAt = QDateTime(QDate(2026, 12, 1), QTime(10, 0, 0, 123), Qt::UTC);
    r.endedAt = r.startedAt.addMSecs(11'000);
    r.completion = Completion::Partial;
    r.fault = Error{ErrorCode::ConnectionLost, QStringLiteral("reset"),
                    QStringLiteral("spark-b:5201"), nullptr};
    r.origin = Origin::Emulated;
    HostConditions& near = r.conditions.near;
    near.hostName = QStringLiteral("laptop");
    near.operatingSystem = QStringLiteral("Debian");
    near.kernel = QStringLiteral("Linux 6.1");
    near.cpu = QStringLiteral("cpu");
    near.address = QStringLiteral("10.0.0.1");
    near.interfaceName = QStringLiteral("eth0");
    near.driver = QStringLiteral("igc");
    near.negotiatedSpeed = BitRate::gigabitsPerSecond(2.5);
    near.mtu = 9000;
    r.quality = {{QualityFlag::Partial, QStringLiteral("connection-lost")}};
    r.tool = QStringLiteral("napkin");
    r.toolVersion = QStringLiteral("0.1.0");
    r.data = throughputData(50);
    return r;
}

inline std::vector<RoundTrip> roundTrips()
{
    return {{0ns, 100us, RoundTrip::Outcome::Answered}, {2ms, 1s, RoundTrip::Outcome::Lost}};
}

inline ProbeResult resultOf(ProbeOptions options, ProbeData data)
{
    ProbeResult result = fullResult();
    result.spec.options = std::move(options);
    result.data = std::move(data);
    return result;
}

inline ProbeResult latencyResult()
{
    LatencyOptions options;
    options.method = EchoMethod::Udp;
    options.wait = WaitMode::BusyPoll;
    options.messageSize = ByteCount::bytes(1'000);
    options.ending = Ending::FixedTime;
    return resultOf(options, LatencyData{roundTrips(), 3, 4, 25ns, QStringLiteral("UDP")});
}

inline ProbeResult sweepResult()
{
    SweepOptions options;
    options.wait = WaitMode::BusyPoll;
    options.rounds = 7;
    return resultOf(options, SweepData{{{0, ByteCount::bytes(1), 0ns, 50us},
                                        {1, ByteCount::mebibytes(4), 1ms, 9ms}},
                                       std::nullopt});
}

inline ProbeResult loadedResult()
{
    LoadedLatencyOptions options;
    options.streams = 3;
    LoadedLatencyData data;
    data.phases = {
        {Load::Idle, roundTrips(), std::nullopt, std::nullopt, 0, 0},
        {Load::Both, roundTrips(), BitRate::bitsPerSecond(5), BitRate::bitsPerSecond(6), 1, 2}};
    data.clockStep = 1ns;
    data.means = QStringLiteral("ICMP socket");
    return resultOf(options, data);
}

inline ProbeResult pathMtuResult()
{
    PathMtuOptions options;
    options.bulkCheck = false;
    PathMtuData data;
    data.ipVersion = 6;
    data.probes = {{Direction::Forward, 9'000, SizeProbe::Fate::TooBigOnWay, 2, 1'500,
                    QStringLiteral("fe80::1%eth0")},
                   {Direction::Reverse, 1'500, SizeProbe::Fate::Passed, 1, std::nullopt, {}}};
    data.bulk = {{Direction::Reverse,
                  BulkTransfer::Outcome::Stalled,
                  ByteCount::bytes(7),
                  ByteCount::mebibytes(1),
                  3s,
                  std::nullopt,
                  {}},
                 {Direction::Forward, BulkTransfer::Outcome::NotMade, ByteCount(),
                  ByteCount::bytes(2'000'000), 3ms, ErrorCode::PeerBusy,
                  QStringLiteral("busy for an hour")}};
    data.nearInterfaceMtu = 9'000;
    return resultOf(options, data);
}

inline ProbeResult udpResult()
{
    UdpOptions options;
    options.flow = Flow::Bidirectional;
    options.rate = BitRate::bitsPerSecond(300'000'000);
    UdpSample sample;
    sample.length = 100ms;
    sample.bytes = ByteCount::bytes(1'448);
    sample.packets = 1;
    sample.atReceiver = true;
    sample.lost = -1;
    sample.jitter = 7us;
    UdpSample sent = sample;
    sent.atReceiver = false;
    sent.lost.reset();
    sent.jitter.reset();
    UdpData data;
    data.samples = {sample, sent};
    // Contradictory as they were told: that is kept.
    UdpTotal total;
    total.packetsReceived = 12;
    total.packetsSent = 10;
    total.lost = -2;
    UdpTotal told = total;
    told.sentOver = 10s;
    data.totals = {total, told};
    data.farBufferDrops = 5;
    data.farArrivals = {{0ms, 101ms, 12, ByteCount::bytes(17'376)},
                        {101ms, 99ms, 11, ByteCount::bytes(15'928)}};
    data.datagramSize = 1'448;
    return resultOf(options, data);
}

inline ProbeResult memoryResult()
{
    MemoryData data;
    data.samples = {{0ns, 11ms, true}, {12ms, 10ms, false}};
    data.threads = 8;
    data.cores = 10;
    data.pinned = true;
    data.arraySize = ByteCount::mebibytes(512);
    data.cacheSize = ByteCount::mebibytes(24);
    data.busyBefore = Ratio::of(0.25);
    data.ran = Ratio::of(0.5);
    return resultOf(MemoryOptions{7s, 8}, data);
}

inline ProbeResult storageResult()
{
    StorageOptions options;
    options.file = QStringLiteral("modèle.gguf");
    options.request = ByteCount::kibibytes(256);
    options.depth = 9;
    StorageData data;
    data.samples = {{0ns, 100ms, ByteCount::mebibytes(300)}};
    data.way = StorageWay::Dropped;
    data.place = StoragePlace::Network;
    data.fileSize = ByteCount::gigabytes(40);
    data.allocated = ByteCount::gigabytes(39);
    data.cachedBefore = ByteCount::bytes(4'096);
    data.fileSystem = QStringLiteral("nfs4");
    data.device = QStringLiteral("nas:/models");
    data.rotational = false;
    return resultOf(options, data);
}

inline ProbeResult soakResult()
{
    SoakOptions options;
    options.flow = Flow::Reverse;
    options.duration = 8h;
    options.rateCap = BitRate::bitsPerSecond(500'000'000);
    SoakData data;
    data.spans = {{Direction::Reverse, 0s, 60s, ByteCount::bytes(3'750'000'000),
                   BitRate::bitsPerSecond(0), BitRate::bitsPerSecond(5), BitRate::bitsPerSecond(9),
                   12, 80us},
                  {Direction::Forward, 1s, 59s, ByteCount::bytes(7), {}, {}, {}, {}, {}}};
    SoakEvent event;
    event.kind = SoakEvent::Kind::Corrupted;
    event.direction = Direction::Reverse;
    event.part = SoakEvent::Part::Header;
    event.start = 12s;
    event.connection = 3;
    event.block = 1LL << 40;
    event.offset = 31;
    event.expected = 255;
    event.got = 254;
    event.wrongBytes = 2;
    event.isSenders = true;
    SoakEvent outage;
    outage.kind = SoakEvent::Kind::DropOut;
    outage.cause = SoakEvent::Cause::Reset;
    outage.length = 3s;
    outage.isOpen = true;
    data.events = {event, outage};
    data.totals = {{Direction::Reverse, ByteCount::bytes(9'007'199'254'740'993),
                    ByteCount::bytes(5), 4, 3, 2, 1, std::nullopt}};
    data.stalls = 1;
    data.dropOuts = 2;
    data.resets = 3;
    data.programGaps = 4;
    data.heldUps = 5;
    data.eventsLeftOut = 6;
    data.elapsed = 7s;
    data.withoutConnection = 8s;
    data.programGap = 9s;
    return resultOf(options, data);
}

inline ProbeResult resultOfKind(const QString& kind)
{
    if (kind == QStringLiteral("latency"))
        return latencyResult();
    if (kind == QStringLiteral("sweep"))
        return sweepResult();
    if (kind == QStringLiteral("loaded-latency"))
        return loadedResult();
    if (kind == QStringLiteral("path-mtu"))
        return pathMtuResult();
    if (kind == QStringLiteral("memory"))
        return memoryResult();
    if (kind == QStringLiteral("storage"))
        return storageResult();
    if (kind == QStringLiteral("soak"))
        return soakResult();
    return udpResult();
}

} // namespace napkin::test
