// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/data.h"
#include "core/results/wire.h"

#include <QTest>

#include <algorithm>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t tenthOfGigabit = 12'500'000; // bytes in 100 ms at 1 Gbit/s
constexpr std::uint64_t headers = 1'046;            // on the wire for 1,000 of payload

std::optional<QString> evidenceOf(const ProbeResult& result, QualityFlag flag)
{
    for (const QualityNote& note : assessQuality(result)) {
        if (note.flag == flag)
            return note.evidence;
    }
    return std::nullopt;
}

InterfaceFacts interfaceWith(const QString& name, const QStringList& addresses)
{
    InterfaceFacts facts;
    facts.name = name;
    facts.kind = name == QStringLiteral("lo") ? InterfaceKind::Loopback : InterfaceKind::Ethernet;
    facts.addresses = addresses;
    return facts;
}

HostConditions host(const QString& address, const QString& second)
{
    HostConditions host;
    host.address = address;
    host.interfaceName = QStringLiteral("eth0");
    HostFacts facts;
    facts.logicalCores = 4;
    facts.clockResolution = 1ns;
    facts.interfaces = {interfaceWith(QStringLiteral("lo"), {QStringLiteral("127.0.0.1/8")}),
                        interfaceWith(QStringLiteral("eth0"), {address + QStringLiteral("/24")}),
                        interfaceWith(QStringLiteral("eth1"), {second + QStringLiteral("/24")})};
    host.facts = facts;
    HostActivity activity;
    activity.length = 2s;
    for (const char* name : {"lo", "eth0", "eth1"}) {
        activity.before.push_back({QString::fromLatin1(name), 1'000, 1'000, 0, 0, 0, 0, 0, 0});
        activity.after.push_back(activity.before.back());
    }
    host.activity = activity;
    return host;
}

void count(HostConditions& host, const char* name, std::uint64_t received, std::uint64_t sent)
{
    for (InterfaceCounters& counters : host.activity->after) {
        if (counters.name == QLatin1StringView(name)) {
            counters.receivedBytes += received;
            counters.sentBytes += sent;
        }
    }
}

void addSamples(ThroughputData& data, Direction direction, int tenths)
{
    for (int i = 0; i < tenths; ++i) {
        ThroughputSample sample;
        sample.direction = direction;
        sample.start = i * 100ms;
        sample.length = 100ms;
        sample.bytes = ByteCount::bytes(tenthOfGigabit);
        data.samples.push_back(sample);
    }
}

// Two seconds at 1 Gbit/s from eth0 to eth0, nothing counted yet.
ProbeResult bareRun(Flow flow = Flow::Forward)
{
    ProbeResult result;
    ThroughputOptions options;
    options.flow = flow;
    result.spec.options = options;
    result.spec.far.host = QStringLiteral("10.0.0.2");
    result.conditions.near = host(QStringLiteral("10.0.0.1"), QStringLiteral("10.0.1.1"));
    result.conditions.far = host(QStringLiteral("10.0.0.2"), QStringLiteral("10.0.1.2"));
    ThroughputData data;
    if (flow != Flow::Reverse)
        addSamples(data, Direction::Forward, 20);
    if (flow != Flow::Forward)
        addSamples(data, Direction::Reverse, 20);
    result.data = data;
    return result;
}

constexpr std::uint64_t payload = 20 * tenthOfGigabit;
constexpr std::uint64_t frames = payload * headers / 1'000;
constexpr std::uint64_t acks = payload / 44;

ProbeResult run(Flow flow = Flow::Forward, const char* nearName = "eth0",
                const char* farName = "eth0")
{
    ProbeResult result = bareRun(flow);
    const std::uint64_t forward = flow == Flow::Reverse ? acks : frames;
    const std::uint64_t reverse = flow == Flow::Forward ? acks : frames;
    count(result.conditions.near, nearName, reverse, forward);
    count(result.conditions.far, farName, forward, reverse);
    return result;
}

} // namespace

class QualityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingToSayOfAGoodRun();
    void anotherInterfaceAtTheFarEnd();
    void anotherInterfaceThanTheOneDrawn();
    void aRunTheOtherWay();
    void handshakesOverAnotherInterface();
    void withoutWitnessesNothingIsSaid();
    void otherTrafficIsTold();
    void acknowledgementsAreNoOtherTraffic();
    void programsAtTheirLimit();
    void aCoreAtItsLimit();
    void othersTookTheCores();
    void anEndWithTooMuchToDo();
    void aCoarseClock();
    void unevenIntervals();
    void everyKindIsAssessed();
    void tooFewAnswers();
    void tooFewRounds();
    void unsteadyLatency();
    void unsteadyThroughput();
    void contradictoryCounts();
    void coarseClockOfTheRunItself();
    void datagramsOnAnotherWire();
};

void QualityTest::nothingToSayOfAGoodRun()
{
    for (const Flow flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        const auto notes = assessQuality(run(flow));
        QVERIFY2(notes.empty(), notes.empty() ? "" : qPrintable(notes.front().evidence));
    }
}

void QualityTest::anotherInterfaceAtTheFarEnd()
{
    const ProbeResult result = run(Flow::Forward, "eth0", "eth1");
    const auto wrong = wrongWire(result);
    QVERIFY(wrong);
    QCOMPARE(wrong->end, End::Far);
    QCOMPARE(wrong->expected, QStringLiteral("eth0"));
    QCOMPARE(wrong->taken, QStringLiteral("eth1"));
    const auto evidence = evidenceOf(result, QualityFlag::WrongInterface);
    QVERIFY(evidence && evidence->contains(QStringLiteral("eth1")));
    // What did not go over it does not count as other traffic on it.
    QVERIFY(!evidenceOf(result, QualityFlag::BackgroundTraffic));
}

void QualityTest::anotherInterfaceThanTheOneDrawn()
{
    ProbeResult result = run();
    QVERIFY(!wrongWire(result));
    result.spec.near.interfaceName = QStringLiteral("eth1");
    QCOMPARE(wrongWire(result)->end, End::Near);
    // A port that is no interface there is only a name; its address decides.
    result.spec.near.interfaceName = QStringLiteral("left socket");
    QVERIFY(!wrongWire(result));
    result.spec.near.address = QStringLiteral("10.0.1.1");
    QCOMPARE(wrongWire(result)->expected, QStringLiteral("eth1"));
}

void QualityTest::aRunTheOtherWay()
{
    ProbeResult result = run(Flow::Reverse, "eth1", "eth1");
    QCOMPARE(wrongWire(result)->direction, Direction::Reverse);
    QCOMPARE(wrongWire(result)->taken, QStringLiteral("eth1"));
}

void QualityTest::handshakesOverAnotherInterface()
{
    ProbeResult result = bareRun();
    ConnectData connects;
    for (int i = 0; i < 20; ++i)
        connects.samples.push_back({i * 50ms, 100us, ConnectSample::Outcome::Connected});
    result.data = connects;
    result.spec.options = ConnectOptions();
    QVERIFY(!wrongWire(result));
    InterfaceCounters& other = result.conditions.far.activity->after[2];
    QCOMPARE(other.name, QStringLiteral("eth1"));
    other.receivedPackets += 60;
    QCOMPARE(wrongWire(result)->taken, QStringLiteral("eth1"));
    // A busy neighbour is no sign as long as the expected one carried them.
    result.conditions.far.activity->after[1].receivedPackets += 40;
    QVERIFY(!wrongWire(result));
}

void QualityTest::withoutWitnessesNothingIsSaid()
{
    // Counters that stand still: an adapter that refreshes them late.
    QVERIFY(!wrongWire(bareRun()));
    ProbeResult result = run(Flow::Forward, "eth0", "eth1");
    result.conditions.far.activity.reset();
    QVERIFY(!wrongWire(result));
    result = run(Flow::Forward, "eth0", "eth1");
    result.conditions.far.facts.reset();
    QVERIFY(!wrongWire(result));
    // An address that no wire holds.
    result = run();
    result.spec.far.host = QStringLiteral("127.0.0.1");
    result.conditions.far.address = result.spec.far.host;
    QVERIFY(expectedInterface(result, End::Far).isEmpty());
}

void QualityTest::otherTrafficIsTold()
{
    ProbeResult result = run();
    count(result.conditions.near, "eth0", 0, 50'000'000);
    const auto other = otherTraffic(result);
    QCOMPARE(other.size(), size_t(1));
    QCOMPARE(other.front().end, End::Near);
    QVERIFY(other.front().isSent);
    QVERIFY(other.front().other > 49'000'000 && other.front().other < 52'000'000);
    QVERIFY(std::abs(other.front().rate.megabitsPerSecond() - 200) < 10);
    QVERIFY(evidenceOf(result, QualityFlag::BackgroundTraffic));
    // Against the run's own direction.
    result = run();
    count(result.conditions.far, "eth0", 0, 20'000'000);
    QVERIFY(evidenceOf(result, QualityFlag::BackgroundTraffic));
    // Over another wire it is nobody's business.
    result = run();
    count(result.conditions.near, "eth1", 900'000'000, 900'000'000);
    QVERIFY(assessQuality(result).empty());
}

void QualityTest::acknowledgementsAreNoOtherTraffic()
{
    ProbeResult result = run();
    count(result.conditions.near, "eth0", acks, 0); // one for each segment
    QVERIFY(assessQuality(result).empty());
}

void QualityTest::programsAtTheirLimit()
{
    ProbeResult result = run();
    auto& data = std::get<ThroughputData>(result.data);
    data.nearCpu = CpuUse{Ratio::of(0.94), {}, {}};
    QVERIFY(!evidenceOf(result, QualityFlag::CpuBound));
    data.nearCpu = CpuUse{Ratio::of(0.97), {}, {}};
    QVERIFY(evidenceOf(result, QualityFlag::CpuBound)->contains(QStringLiteral("0.97")));
    // Four threads have four cores.
    std::get<ThroughputOptions>(result.spec.options).streams = 4;
    QVERIFY(!evidenceOf(result, QualityFlag::CpuBound));
    // But a stock far end may have one thread for all.
    data.farCpu = CpuUse{Ratio::of(0.99), {}, {}};
    QVERIFY(evidenceOf(result, QualityFlag::CpuBound)->contains(QStringLiteral("far end")));
    data.farCpu = CpuUse{Ratio::of(1.6), {}, {}};
    QVERIFY(!evidenceOf(result, QualityFlag::CpuBound));
    data.farCpu = CpuUse{Ratio::of(0.99), {}, {}};
    data.farProgram = QStringLiteral("napkin 0.1.0");
    QVERIFY(!evidenceOf(result, QualityFlag::CpuBound));
}

void QualityTest::aCoreAtItsLimit()
{
    ProbeResult result = run();
    result.conditions.near.activity->busiestCore = Ratio::of(0.8);
    QVERIFY(!evidenceOf(result, QualityFlag::CpuBound));
    result.conditions.near.activity->busiestCore = Ratio::of(0.96);
    result.conditions.far.activity->busiestCore = Ratio::of(1.0);
    const auto notes = assessQuality(result);
    QCOMPARE(std::ranges::count(notes, QualityFlag::CpuBound, &QualityNote::flag), 1);
    QVERIFY(notes.front().evidence.contains(QStringLiteral("near end")));
    QVERIFY(notes.front().evidence.contains(QStringLiteral("far end")));
}

// A full core is no fault of the measuring where others filled it.
void QualityTest::othersTookTheCores()
{
    ProbeResult result = run();
    HostActivity& activity = *result.conditions.near.activity;
    activity.busiestCore = Ratio::of(0.99);
    activity.ownCores = 0.12;
    activity.otherCores = 2.4;
    const auto taken = evidenceOf(result, QualityFlag::CpuTaken);
    QVERIFY(taken && taken->contains(QStringLiteral("0.12")) &&
            taken->contains(QStringLiteral("2.40")));
    QVERIFY(!evidenceOf(result, QualityFlag::CpuBound));
    // Its own work, whatever else runs beside it.
    activity.ownCores = 0.9;
    activity.otherCores = 0.6;
    QVERIFY(evidenceOf(result, QualityFlag::CpuBound));
    QVERIFY(!evidenceOf(result, QualityFlag::CpuTaken));
    // What the kernel does for interrupts is nobody else's.
    activity.ownCores = 0.1;
    activity.otherCores = 0.05;
    QVERIFY(evidenceOf(result, QualityFlag::CpuBound));
    // A machine that talks to itself: the other end is the other program.
    activity.otherCores = 2.4;
    result.conditions.near.interfaceName = QStringLiteral("lo");
    QVERIFY(evidenceOf(result, QualityFlag::CpuBound));
    QVERIFY(!evidenceOf(result, QualityFlag::CpuTaken));
}

void QualityTest::anEndWithTooMuchToDo()
{
    ProbeResult result = run();
    result.conditions.far.activity->loadBefore = 6.0;
    QVERIFY(!evidenceOf(result, QualityFlag::PeerOverloaded));
    result.conditions.far.activity->loadBefore = 6.5;
    QVERIFY(evidenceOf(result, QualityFlag::PeerOverloaded)->contains(QStringLiteral("6.50")));
    result.conditions.far.facts->logicalCores = 0; // not known
    QVERIFY(!evidenceOf(result, QualityFlag::PeerOverloaded));
}

void QualityTest::aCoarseClock()
{
    ProbeResult result = run();
    result.conditions.near.facts->clockResolution = 1ms;
    QVERIFY(!evidenceOf(result, QualityFlag::ClockTooCoarse));
    result.conditions.near.facts->clockResolution = 2ms;
    QVERIFY(evidenceOf(result, QualityFlag::ClockTooCoarse));
    ConnectData connects;
    for (int i = 0; i < 10; ++i)
        connects.samples.push_back({i * 50ms, 100us, ConnectSample::Outcome::Connected});
    result.data = connects;
    result.spec.options = ConnectOptions();
    result.conditions.near.facts->clockResolution = 1us;
    QVERIFY(!evidenceOf(result, QualityFlag::ClockTooCoarse));
    result.conditions.near.facts->clockResolution = 2us;
    QVERIFY(evidenceOf(result, QualityFlag::ClockTooCoarse));
}

void QualityTest::unevenIntervals()
{
    ProbeResult result = run();
    auto& samples = std::get<ThroughputData>(result.data).samples;
    samples.back().length = 3ms; // the end of the run
    QVERIFY(!evidenceOf(result, QualityFlag::IntervalAnomaly));
    samples[4].length = 250ms;
    QVERIFY(evidenceOf(result, QualityFlag::IntervalAnomaly)->contains(QStringLiteral("1 of 19")));
}

namespace {

LatencyData latencies(int count, Duration high = 100us, Duration low = 100us)
{
    LatencyData data;
    for (int i = 0; i < count; ++i)
        data.samples.push_back(
            {i * 2ms, i / 250 % 2 == 0 ? high : low, RoundTrip::Outcome::Answered});
    return data;
}

ProbeResult resultOf(ProbeOptions options, ProbeData data)
{
    ProbeResult result = bareRun();
    result.spec.options = std::move(options);
    result.data = std::move(data);
    return result;
}

} // namespace

void QualityTest::everyKindIsAssessed()
{
    for (int kind = 0; kind < probeKindCount; ++kind) {
        ProbeResult result = bareRun();
        result.data = emptyData(static_cast<ProbeKind>(kind));
        for (const QualityNote& note : assessQuality(result))
            QVERIFY(!note.evidence.isEmpty());
    }
}

void QualityTest::tooFewAnswers()
{
    QCOMPARE(evidenceOf(resultOf(LatencyOptions(), latencies(19)), QualityFlag::TooShort),
             QStringLiteral("19 answers"));
    QVERIFY(!evidenceOf(resultOf(LatencyOptions(), latencies(20)), QualityFlag::TooShort));
    LoadedLatencyData loaded;
    loaded.phases = {{Load::Idle, latencies(20).samples, std::nullopt, std::nullopt, 0, 0},
                     {Load::Both, latencies(3).samples, std::nullopt, std::nullopt, 0, 0}};
    QCOMPARE(evidenceOf(resultOf(LoadedLatencyOptions(), loaded), QualityFlag::TooShort),
             QStringLiteral("3 answers in one phase"));
}

void QualityTest::tooFewRounds()
{
    SweepData data;
    for (int round = 0; round <= 5; ++round)
        data.samples.push_back({round, ByteCount::bytes(1), 0ns, 100us});
    QVERIFY(!evidenceOf(resultOf(SweepOptions(), data), QualityFlag::TooShort));
    data.samples.pop_back();
    QCOMPARE(evidenceOf(resultOf(SweepOptions(), data), QualityFlag::TooShort),
             QStringLiteral("4 rounds"));
}

void QualityTest::unsteadyLatency()
{
    const LatencyData swings = latencies(2'000, 300us);
    QVERIFY(evidenceOf(resultOf(LatencyOptions(), swings), QualityFlag::NotSteady));
    QVERIFY(!evidenceOf(resultOf(LatencyOptions(), latencies(2'000)), QualityFlag::NotSteady));
    LatencyOptions fixed;
    fixed.ending = Ending::FixedTime;
    QVERIFY(!evidenceOf(resultOf(fixed, swings), QualityFlag::NotSteady));
}

void QualityTest::unsteadyThroughput()
{
    ThroughputData data;
    addSamples(data, Direction::Forward, 120);
    for (size_t i = 0; i < data.samples.size(); ++i) {
        if (i / 10 % 2 == 0)
            data.samples[i].bytes = ByteCount::bytes(tenthOfGigabit / 2);
    }
    // The halves are alike: only the new measure sees it.
    ThroughputOptions options;
    QVERIFY(!evidenceOf(resultOf(options, data), QualityFlag::NotSteady));
    options.ending = Ending::WhenSure;
    QVERIFY(evidenceOf(resultOf(options, data), QualityFlag::NotSteady));
}

void QualityTest::contradictoryCounts()
{
    UdpData data;
    UdpTotal total;
    total.received = ByteCount::bytes(1'448'000);
    total.packetsReceived = 1'000;
    total.packetsSent = 900;
    total.duration = 1s;
    data.totals = {total};
    QVERIFY(evidenceOf(resultOf(UdpOptions(), data), QualityFlag::Contradictory)
                ->startsWith(QStringLiteral("sent 900, received 1000, gaps 0")));
    data.totals.front().packetsSent = 1'000;
    QVERIFY(!evidenceOf(resultOf(UdpOptions(), data), QualityFlag::Contradictory));
}

void QualityTest::coarseClockOfTheRunItself()
{
    LatencyData data = latencies(100);
    data.clockStep = 1us;
    QVERIFY(!evidenceOf(resultOf(LatencyOptions(), data), QualityFlag::ClockTooCoarse));
    data.clockStep = 2us;
    QVERIFY(evidenceOf(resultOf(LatencyOptions(), data), QualityFlag::ClockTooCoarse));
}

void QualityTest::datagramsOnAnotherWire()
{
    UdpData data;
    UdpSample sample;
    sample.length = 1s;
    sample.bytes = ByteCount::bytes(payload);
    data.samples = {sample};
    ProbeResult result = resultOf(UdpOptions(), data);
    QVERIFY(!evidenceOf(result, QualityFlag::WrongInterface));
    count(result.conditions.far, "eth1", frames, 0);
    QVERIFY(evidenceOf(result, QualityFlag::WrongInterface));
}

QTEST_GUILESS_MAIN(QualityTest)
#include "tst_quality.moc"
