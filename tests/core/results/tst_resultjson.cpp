// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/json.h"

#include <QRandomGenerator>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace napkin;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

ThroughputData throughputData(int samples)
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

ProbeResult fullResult()
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

std::vector<RoundTrip> roundTrips()
{
    return {{0ns, 100us, RoundTrip::Outcome::Answered}, {2ms, 1s, RoundTrip::Outcome::Lost}};
}

ProbeResult resultOf(ProbeOptions options, ProbeData data)
{
    ProbeResult result = fullResult();
    result.spec.options = std::move(options);
    result.data = std::move(data);
    return result;
}

ProbeResult latencyResult()
{
    LatencyOptions options;
    options.method = EchoMethod::Udp;
    options.wait = WaitMode::BusyPoll;
    options.messageSize = ByteCount::bytes(1'000);
    options.ending = Ending::FixedTime;
    return resultOf(options, LatencyData{roundTrips(), 3, 4, 25ns, QStringLiteral("UDP")});
}

ProbeResult sweepResult()
{
    SweepOptions options;
    options.wait = WaitMode::BusyPoll;
    options.rounds = 7;
    return resultOf(options, SweepData{{{0, ByteCount::bytes(1), 0ns, 50us},
                                        {1, ByteCount::mebibytes(4), 1ms, 9ms}},
                                       std::nullopt});
}

ProbeResult loadedResult()
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

ProbeResult pathMtuResult()
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

ProbeResult udpResult()
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

ProbeResult memoryResult()
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

ProbeResult storageResult()
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

ProbeResult soakResult()
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

ProbeResult resultOfKind(const QString& kind)
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

} // namespace

class ResultJsonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void throughputComesBackEqual()
    {
        const ProbeResult result = fullResult();
        const QByteArray text = toJson(result);
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(*back == result);
        QCOMPARE(toJson(*back), text); // canonical
        QVERIFY(!text.contains('\n'));
    }
    // Written before senders told their time, and before transfers that were not made were kept.
    void olderDocumentsAreRead()
    {
        QByteArray text = toJson(udpResult());
        QVERIFY(text.contains(",\"sent_over_ns\":10000000000"));
        text.replace(",\"sent_over_ns\":10000000000", "").replace(",\"sent_over_ns\":null", "");
        QVERIFY(!text.contains("sent_over"));
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(!std::get<UdpData>(back->data).totals.back().sentOver);
    }
    void connectComesBackEqual()
    {
        ProbeResult result = fullResult();
        result.completion = Completion::Complete;
        result.fault.reset();
        result.spec.options = ConnectOptions{7, 10ms, 500ms};
        result.data = ConnectData{{{0ns, 120us, ConnectSample::Outcome::Connected},
                                   {50ms, 2s, ConnectSample::Outcome::TimedOut}}};
        const auto back = resultFromJson(toJson(result));
        QVERIFY(back.has_value());
        QVERIFY(*back == result);
    }
    void everyKindComesBackEqual_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind :
             {"latency", "sweep", "loaded-latency", "path-mtu", "udp", "memory", "storage", "soak"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void everyKindComesBackEqual()
    {
        QFETCH(QString, kind);
        const ProbeResult result = resultOfKind(kind);
        QCOMPARE(probeKindName(result.spec.kind()), kind);
        const QByteArray text = toJson(result);
        const auto back = resultFromJson(text);
        QVERIFY2(back.has_value(), qPrintable(back ? QString() : back.error().detail));
        QVERIFY(*back == result);
        QCOMPARE(toJson(*back), text);
    }
    void anEndingIsWrittenOnlyWhereItIsUnusual()
    {
        ProbeResult result = fullResult();
        const Json fixed = Json::parse(toJson(result).toStdString());
        QCOMPARE(fixed["spec"]["options"].dump(),
                 std::string(R"({"block_bytes":65536,"congestion_control":"cubic",)"
                             R"("duration_ms":10000,"flow":"bidirectional","omit_ms":1000,)"
                             R"("streams":4})"));
        std::get<ThroughputOptions>(result.spec.options).ending = Ending::WhenSure;
        const auto back = resultFromJson(toJson(result));
        QVERIFY(back.has_value());
        QCOMPARE(std::get<ThroughputOptions>(back->spec.options).ending, Ending::WhenSure);
    }
    void hostileValuesOfEveryKind_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* kind, const char* path, const char* value) {
            QTest::addRow("%s %s %s", kind, path, value)
                << QString::fromLatin1(kind) << QString::fromLatin1(path) << QByteArray(value);
        };
        row("latency", "/spec/options/method", "\"pigeon\"");
        row("latency", "/spec/options/ending", "\"never\"");
        row("latency", "/spec/options/wait", "1");
        row("latency", "/data/samples/outcome/0", "2");
        row("latency", "/data/samples/time_ns/0", "-1");
        row("latency", "/data/samples/time_ns", "[1]");
        row("latency", "/data/samples", "[]");
        row("latency", "/data/duplicates", "-1");
        row("latency", "/data/clock_step_ns", "\"1\"");
        row("sweep", "/data/samples/size_bytes/0", "0");
        row("sweep", "/data/samples/size_bytes/0", "18446744073709551615");
        row("sweep", "/data/samples/round/0", "-1");
        row("sweep", "/data/samples/round/0", "1e300");
        row("sweep", "/spec/options/rounds", "null");
        row("loaded-latency", "/data/phases/0/load", "\"some\"");
        row("loaded-latency", "/data/phases/1/forward_bps", "1.5");
        row("loaded-latency", "/data/phases", "[1,2,3,4,5]");
        row("loaded-latency", "/data/phases", "[1]");
        row("path-mtu", "/data/ip_version", "5");
        row("path-mtu", "/data/ip_version", "7");
        row("path-mtu", "/data/probes/0/fate", "\"eaten\"");
        row("path-mtu", "/data/probes/0/size_bytes", "-1");
        row("path-mtu", "/data/probes/0/told_bytes", "99999999999");
        row("path-mtu", "/data/bulk/0/outcome", "3");
        row("path-mtu", "/data/probes", "{}");
        row("udp", "/data/samples/stream/0", "128");
        row("udp", "/data/samples/at_receiver/0", "2");
        row("udp", "/data/samples/bytes/0", "null");
        row("udp", "/data/totals/0/packets_received", "1.5");
        row("udp", "/data/totals/0/received_bytes", "-1");
        row("udp", "/data/datagram_bytes", "65536");
        row("udp", "/spec/options/rate_bps", "-1");
        row("memory", "/spec/options/threads", "-1");
        row("memory", "/data/samples/time_ns/1", "-1");
        row("memory", "/data/samples/time_ns/1", "9000000000000000000");
        row("memory", "/data/samples/warm_up/0", "2");
        row("memory", "/data/samples/start_ns", "[1]");
        row("memory", "/data/array_bytes", "9223372036854775807");
        row("memory", "/data/array_bytes", "-8");
        row("memory", "/data/cache_bytes", "-1");
        row("memory", "/data/threads", "1e9");
        row("memory", "/data/pinned", "1");
        row("memory", "/data/busy_before", "-0.5");
        row("memory", "/data/ran", "\"all\"");
        row("memory", "/data/ran", "1e300");
        row("storage", "/spec/options/file", "7");
        row("storage", "/spec/options/depth", "-1");
        row("storage", "/data/samples/bytes/0", "9223372036854775807");
        row("storage", "/data/samples/bytes/0", "-1");
        row("storage", "/data/samples/length_ns/0", "null");
        row("storage", "/data/way", "\"surely\"");
        row("storage", "/data/place", "null");
        row("storage", "/data/file_bytes", "-1");
        row("storage", "/data/rotational", "\"no\"");
        row("storage", "/data/model", "{}");
        row("soak", "/spec/options/flow", "\"up\"");
        row("soak", "/spec/options/duration_ms", "-1");
        row("soak", "/spec/options/rate_cap_bps", "-1");
        row("soak", "/spec/options/lost_after_ms", "\"1\"");
        row("soak", "/data/spans", "[]");
        row("soak", "/data/spans/direction/0", "2");
        row("soak", "/data/spans/start_ns/0", "9223372036854775807");
        row("soak", "/data/spans/length_ns/0", "-1");
        row("soak", "/data/spans/bytes/0", "9223372036854775807");
        row("soak", "/data/spans/median_bps", "[1]");
        row("soak", "/data/spans/retransmits/0", "-1");
        row("soak", "/data/events", "{}");
        row("soak", "/data/events/0/kind", "\"boredom\"");
        row("soak", "/data/events/0/direction", "\"sideways\"");
        row("soak", "/data/events/0/got", "256");
        row("soak", "/data/events/0/offset", "-1");
        row("soak", "/data/events/0/start_ns", "9223372036854775807");
        row("soak", "/data/events/1/cause", "7");
        row("soak", "/data/events/1/open", "1");
        row("soak", "/data/totals", "[1,2,3]");
        row("soak", "/data/totals/0/blocks", "-1");
        row("soak", "/data/totals/0/received_bytes", "9223372036854775807");
        row("soak", "/data/stalls", "-1");
        row("soak", "/data/elapsed_ns", "null");
    }
    void hostileValuesOfEveryKind()
    {
        QFETCH(QString, kind);
        QFETCH(QString, path);
        QFETCH(QByteArray, value);
        Json json = Json::parse(toJson(resultOfKind(kind)).toStdString());
        const Json::json_pointer place(path.toStdString());
        QVERIFY(json.contains(place));
        json[place] = Json::parse(value.toStdString());
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QVERIFY(!back.error().detail.isEmpty());
    }
    void bytesThatAreNoTextAreReplaced()
    {
        ProbeResult result = fullResult();
        std::get<ThroughputData>(result.data).farProgram =
            QString(QChar(0xd800)); // a lone surrogate
        QVERIFY(resultFromJson(toJson(result)).has_value());
    }
    void brokenInputIsRefusedWithThePlace_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("value"); // JSON; empty: remove the key
        QTest::addColumn<QString>("place");
        const auto row = [](const char* path, const char* value, const char* place) {
            QTest::addRow("%s %s", path, value)
                << QString::fromLatin1(path) << QByteArray(value) << QString::fromLatin1(place);
        };
        row("/format", "\"something\"", "format");
        row("/id", "\"12\"", "id");
        row("/id", "null", "id");
        row("/started_at", "\"yesterday\"", "started_at");
        row("/completion", "\"done\"", "completion");
        row("/origin", "3", "origin");
        row("/spec/kind", "\"guess\"", "kind");
        row("/spec/far/port", "70000", "port");
        row("/spec/options/streams", "\"4\"", "streams");
        row("/spec/options/streams", "129", "streams");
        row("/data/samples/bytes", "[1,2]", "columns differ");
        row("/data/samples/bytes/3", "-1", "bytes[3]");
        row("/data/samples/bytes/3", "18446744073709551615", "bytes[3]");
        row("/data/samples/bytes/3", "null", "bytes[3]");
        row("/data/samples/direction/0", "2", "direction[0]");
        row("/data/samples/stream/0", "128", "stream[0]");
        row("/data/totals/0/received_bytes", "1.5", "received_bytes");
        row("/data/near_cpu", "{}", "total");
        row("/quality", "{}", "quality");
        row("/fault/code", "\"fine\"", "fault");
    }
    void brokenInputIsRefusedWithThePlace()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, value);
        QFETCH(QString, place);
        Json json = Json::parse(toJson(fullResult()).toStdString());
        json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QVERIFY2(back.error().detail.contains(place), qPrintable(back.error().detail));
    }
    void newerVersionIsUnsupported()
    {
        Json json = Json::parse(toJson(fullResult()).toStdString());
        json["version"] = 2;
        const auto back = resultFromJson(QByteArray::fromStdString(json.dump()));
        QVERIFY(!back.has_value());
        QCOMPARE(back.error().code, ErrorCode::Unsupported);
    }
    void cutAndMangledInputNeverCrashes()
    {
        const QList<QByteArray> texts{toJson(fullResult()), toJson(memoryResult()),
                                      toJson(storageResult())};
        QRandomGenerator random(20261201);
        for (int i = 0; i < 4'000; ++i) {
            QByteArray bad = texts[i / 7 % texts.size()];
            if (i % 2 == 0)
                bad.truncate(random.bounded(static_cast<int>(bad.size())));
            for (int k = 0; k < i % 7; ++k) {
                if (!bad.isEmpty())
                    bad[random.bounded(static_cast<int>(bad.size()))] =
                        static_cast<char>(random.bounded(256));
            }
            const auto back = resultFromJson(bad);
            if (!back)
                QVERIFY(!errorCodeName(back.error().code).isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(ResultJsonTest)
#include "tst_resultjson.moc"
