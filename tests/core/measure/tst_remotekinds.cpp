// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/peertalk.h"
#include "core/results/data.h"
#include "core/results/latencysummary.h"
#include "core/results/pathsummary.h"
#include "core/results/soaksummary.h"

#include "measuring.h"
#include "peerstage.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

ProbeSpec specOf(ProbeOptions options)
{
    ProbeSpec spec;
    spec.far.host = QStringLiteral("127.0.0.1");
    spec.far.port = 5201;
    spec.options = std::move(options);
    return spec;
}

LatencyOptions latency(EchoMethod method, WaitMode wait = WaitMode::Blocking)
{
    LatencyOptions options;
    options.method = method;
    options.wait = wait;
    options.duration = 1s;
    options.interval = 2ms;
    options.ending = Ending::FixedTime;
    return options;
}

ProbeOptions sweep()
{
    SweepOptions options;
    options.most = ByteCount::kibibytes(64);
    options.rounds = 5;
    options.duration = 5s;
    return options;
}

ProbeOptions loaded(EchoMethod method)
{
    LoadedLatencyOptions options;
    options.method = method;
    options.phase = 2s;
    return options;
}

ProbeOptions udp(Flow flow)
{
    UdpOptions options;
    options.flow = flow;
    options.rate = BitRate::bitsPerSecond(20'000'000);
    options.duration = 1s;
    return options;
}

ProbeOptions soak()
{
    SoakOptions options;
    options.duration = 10s;
    options.rateCap = BitRate::bitsPerSecond(20'000'000);
    return options;
}

enum class Near { ThisMachine, Peer };

} // namespace

// Every kind of probe against a paired far end: from this machine, and from another paired one.
class TestRemoteKinds : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void measured_data();
    void measured();
    void icmpUnderLoadIsNotForOthers();
    void aPeersMemoryIsMeasuredThere();
    void aPeersMemoryCancelled();
    void noPeerReadsFiles();
    void noFarEndForAMachine();
    void withoutTheProgramThere_data();
    void withoutTheProgramThere();
};

void TestRemoteKinds::measured_data()
{
    QTest::addColumn<ProbeSpec>("spec");
    const auto row = [](const char* name, ProbeOptions options) {
        QTest::newRow(name) << specOf(std::move(options));
    };
    row("ICMP", latency(EchoMethod::Icmp));
    row("TCP", latency(EchoMethod::Tcp));
    row("UDP, busy", latency(EchoMethod::Udp, WaitMode::BusyPoll));
    row("sweep", sweep());
    row("under load, UDP", loaded(EchoMethod::Udp));
    row("path MTU", PathMtuOptions{});
    row("datagrams forward", udp(Flow::Forward));
    row("datagrams both ways", udp(Flow::Bidirectional));
    row("soak", soak());
}

void TestRemoteKinds::measured()
{
    QFETCH(ProbeSpec, spec);
    for (const Near near : {Near::ThisMachine, Near::Peer}) {
        PeerStage stage;
        spec.far.peer = stage.add(QStringLiteral("b"));
        spec.near.peer =
            near == Near::Peer ? std::optional(stage.add(QStringLiteral("a"))) : std::nullopt;
        int told = 0;
        RoutedProbe probe(spec.kind(), stage.store());
        const auto tell = [&told](const Progress& progress) {
            told += progress.phase >= Phase::Measuring ? 1 : 0;
        };
        const auto result = sync(probe.run(spec, {}, tell), 30s);
        QVERIFY2(result, result ? ""
                                : qPrintable(errorCodeName(result.error().code) + u' ' +
                                             result.error().detail));
        QCOMPARE(result->completion, Completion::Complete);
        QCOMPARE(result->spec.kind(), spec.kind());
        QVERIFY(hasMeasured(result->data));
        QVERIFY(told > 0);
        QVERIFY(result->conditions.near.facts);
        QVERIFY(result->conditions.far.facts);
        if (const auto* echoes = std::get_if<LatencyData>(&result->data)) {
            QCOMPARE(summarise(*echoes).lost, 0);
            QVERIFY(!echoes->means.isEmpty());
        }
        if (const auto* sizes = std::get_if<PathMtuData>(&result->data)) {
            const PathMtuSummary summary = summarise(*sizes);
            QVERIFY(summary.forward && summary.reverse);
            QCOMPARE(summary.forward->verdict, PathMtuSide::Verdict::Interface);
            QCOMPARE(summary.reverse->verdict, PathMtuSide::Verdict::Interface);
            QCOMPARE(summary.forward->bulk->outcome, BulkTransfer::Outcome::Finished);
        }
        if (const auto* soaked = std::get_if<SoakData>(&result->data)) {
            QCOMPARE(summarise(*soaked).faults, 0);
            QVERIFY(summarise(*soaked).forward->blocks > 0);
            QVERIFY(summarise(*soaked).reverse->blocks > 0);
        }
        if (const auto* phases = std::get_if<LoadedLatencyData>(&result->data))
            QCOMPARE(phases->phases.size(), size_t(4));
    }
}

// Its first phase is idle: echoes would go to a machine that has proved nothing.
void TestRemoteKinds::icmpUnderLoadIsNotForOthers()
{
    PeerStage stage;
    ProbeSpec spec = specOf(loaded(EchoMethod::Icmp));
    spec.far.peer = stage.add(QStringLiteral("b"));
    spec.near.peer = stage.add(QStringLiteral("a"));
    RoutedProbe probe(spec.kind(), stage.store());
    const auto result = sync(probe.run(spec, {}, {}));
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::InvalidArgument);
}

void TestRemoteKinds::aPeersMemoryIsMeasuredThere()
{
    PeerStage stage;
    ProbeSpec spec;
    spec.options = MemoryOptions{1s, 1};
    spec.near.peer = stage.add(QStringLiteral("spark-b"));
    RoutedProbe probe(spec.kind(), stage.store());
    QVERIFY(sync(probe.check(spec, {})));
    int told = 0;
    const auto result = sync(probe.run(spec, {},
                                       [&told](const Progress& progress) {
                                           told += progress.phase == Phase::Measuring ? 1 : 0;
                                       }),
                             60s);
    if (!result && result.error().code == ErrorCode::OutOfMemory)
        QSKIP(qPrintable(result.error().detail));
    QVERIFY2(result, result ? ""
                            : qPrintable(errorCodeName(result.error().code) + u' ' +
                                         result.error().detail));
    QCOMPARE(result->completion, Completion::Complete);
    QVERIFY(hasMeasured(result->data));
    QVERIFY(told > 0);
    QCOMPARE(result->spec.near.name, QStringLiteral("spark-b"));
    QCOMPARE(result->spec.near.peer, spec.near.peer);
    QVERIFY(result->conditions.near.facts);
    QVERIFY(result->conditions.far == HostConditions());
}

void TestRemoteKinds::aPeersMemoryCancelled()
{
    PeerStage stage;
    ProbeSpec spec;
    spec.options = MemoryOptions{30s, 1};
    spec.near.peer = stage.add(QStringLiteral("b"));
    RoutedProbe probe(spec.kind(), stage.store());
    CancelSource cancel;
    SteadyTime asked;
    const auto result =
        sync(probe.run(spec, cancel.get_token(),
                       [&](const Progress& progress) {
                           if (progress.phase == Phase::Measuring && !cancel.stop_requested()) {
                               asked = std::chrono::steady_clock::now();
                               cancel.request_stop();
                           }
                       }),
             60s);
    if (!result && result.error().code == ErrorCode::OutOfMemory)
        QSKIP(qPrintable(result.error().detail));
    QVERIFY(std::chrono::steady_clock::now() - asked < 2s);
    QVERIFY(result);
    QCOMPARE(result->completion, Completion::Partial);
    QCOMPARE(result->fault->code, ErrorCode::Cancelled);
}

// Neither is it asked, nor would it do it.
void TestRemoteKinds::noPeerReadsFiles()
{
    PeerStage stage;
    StorageOptions options;
    options.file = QStringLiteral("/etc/passwd");
    ProbeSpec spec;
    spec.options = options;
    spec.near.peer = stage.add(QStringLiteral("b"));
    RoutedProbe probe(spec.kind(), stage.store());
    QCOMPARE(sync(probe.check(spec, {})).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(sync(probe.run(spec, {}, {})).error().code, ErrorCode::InvalidArgument);
    const auto channel = sync(PeerChannel::open(stage.store(), *spec.near.peer, {}));
    QVERIFY(channel);
    const auto ask = [&](const remote::MeasureRequest& request) {
        return sync(
            (*channel)->call(QStringLiteral("measure"), remote::toJson(request), 5s, {}, {}));
    };
    for (const auto& ticket : {std::optional<DataTicket>(), std::optional(DataTicket::create())}) {
        const auto answer = ask({spec, ticket});
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, ErrorCode::PermissionDenied);
    }
    // Nor as a far end.
    const auto offer = sync((*channel)->call(
        QStringLiteral("offer"), remote::toJson(remote::OfferRequest{spec, {}, {}}), 5s, {}, {}));
    QVERIFY(!offer);
    // Without a ticket nothing else is measured.
    ProbeSpec wire = specOf(latency(EchoMethod::Icmp));
    QCOMPARE(ask({wire, std::nullopt}).error().code, ErrorCode::PermissionDenied);
}

void TestRemoteKinds::noFarEndForAMachine()
{
    PeerStage stage;
    ProbeSpec spec;
    spec.options = MemoryOptions{1s, 1};
    spec.far.peer = stage.add(QStringLiteral("b"));
    RoutedProbe probe(spec.kind(), stage.store());
    QCOMPARE(sync(probe.run(spec, {}, {})).error().code, ErrorCode::InvalidArgument);
}

void TestRemoteKinds::withoutTheProgramThere_data()
{
    QTest::addColumn<ProbeSpec>("spec");
    QTest::addColumn<bool>("goes");
    QTest::newRow("ICMP") << specOf(latency(EchoMethod::Icmp)) << true;
    QTest::newRow("path MTU") << specOf(PathMtuOptions{}) << true;
    QTest::newRow("TCP") << specOf(latency(EchoMethod::Tcp)) << false;
    QTest::newRow("datagrams") << specOf(udp(Flow::Forward)) << false;
    QTest::newRow("soak") << specOf(soak()) << false;
}

// What the far end's kernel answers by itself needs no Napkin there, paired or not.
void TestRemoteKinds::withoutTheProgramThere()
{
    QFETCH(ProbeSpec, spec);
    QFETCH(bool, goes);
    PeerStage stage;
    spec.far.peer = stage.add(QStringLiteral("b"));
    spec.far.port = 0;
    if (!goes)
        spec.far.port = 5201;
    stage.kill(0);
    RoutedProbe probe(spec.kind(), stage.store());
    const auto result = sync(probe.run(spec, {}, {}));
    QCOMPARE(result.has_value(), goes);
    if (goes)
        QCOMPARE(result->spec.far.name, QStringLiteral("b"));
    else
        QCOMPARE(result.error().code, ErrorCode::ConnectionRefused);
}

QTEST_GUILESS_MAIN(TestRemoteKinds)
#include "tst_remotekinds.moc"
