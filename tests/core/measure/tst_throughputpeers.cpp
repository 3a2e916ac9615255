// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTimer>

#include "measuring.h"
#include "playediperf3.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

using Leave = std::function<void(PeerTalk&, int)>;

namespace {

void holdOpen(PeerTalk& talk, int)
{
    talk.hold();
}
void closeAll(PeerTalk& talk, int control)
{
    talk.close(control);
}
Leave says(const QByteArray& bytes)
{
    return [bytes](PeerTalk& talk, int control) {
        talk.write(control, bytes);
        talk.hold();
    };
}
QByteArray serverError(int code)
{
    QByteArray bytes(9, '\0');
    bytes[0] = static_cast<char>(-2);
    bytes[4] = static_cast<char>(code);
    return bytes;
}

} // namespace

// Our client against played servers: what the versions of iperf3 do differently, and every fault.
class TestThroughputPeers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void playsWithEveryVersion_data();
    void playsWithEveryVersion();
    void faults_data();
    void faults();
    void vanishesMidRun_data();
    void vanishesMidRun();
    void silentStages();
    void untrustworthyResults_data();
    void untrustworthyResults();
    void nothingArrives();
    void namesAndInterfaces_data();
    void namesAndInterfaces();
};

void TestThroughputPeers::playsWithEveryVersion_data()
{
    QTest::addColumn<QByteArray>("retransmits");
    QTest::addColumn<bool>("tellsTimes");
    QTest::addColumn<bool>("drains");
    QTest::addColumn<bool>("reverse");
    QTest::addColumn<QByteArray>("hasRetransmits");
    const QByteArray huge("18446744073709551615");
    QTest::newRow("3.9") << QByteArray("-1") << false << false << false << QByteArray("-1");
    QTest::newRow("3.12") << huge << true << false << false << QByteArray("-1");
    QTest::newRow("3.16, reverse") << QByteArray("7") << true << false << true << QByteArray("1");
    QTest::newRow("3.12, reverse, unknown") << huge << true << false << true << QByteArray("0");
    QTest::newRow("3.21") << QByteArray("-1") << true << true << false << QByteArray("-1");
    QTest::newRow("floating point counts")
        << QByteArray("1.8446744073709552e19") << true << false << true << QByteArray("1");
}

void TestThroughputPeers::playsWithEveryVersion()
{
    QFETCH(QByteArray, retransmits);
    QFETCH(bool, tellsTimes);
    QFETCH(bool, drains);
    QFETCH(bool, reverse);
    QFETCH(QByteArray, hasRetransmits);
    PlayedIperf3 played;
    played.streams = 2;
    played.sends = reverse;
    played.retransmits = retransmits;
    played.tellsTimes = tellsTimes;
    played.drainsAtEnd = drains;
    played.hasRetransmits = hasRetransmits;
    ScriptedPeer peer(played.script());
    ThroughputOptions options;
    options.streams = 2;
    options.flow = reverse ? Flow::Reverse : Flow::Forward;
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), peer.port(), options));
    QCOMPARE(peer.fault(), std::string());
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Complete);
    QCOMPARE(seen.data().totals.size(), size_t(2));
    for (const StreamTotal& total : seen.data().totals) {
        QVERIFY(total.received > ByteCount::bytes(0));
        if (!reverse && tellsTimes)
            QCOMPARE(total.duration, Duration(1s));
        if (reverse)
            QCOMPARE(total.retransmits,
                     retransmits == "7" ? std::optional<std::int64_t>(7) : std::nullopt);
    }
    QVERIFY(seen.data().farCpu && qFuzzyCompare(seen.data().farCpu->total.value(), 0.125));
    QVERIFY(seen.data().farProgram.isEmpty());
    // Presence means "on" to these servers, whatever the value.
    QVERIFY(!played.parametersSeen.contains("false"));
    QCOMPARE(played.parametersSeen.contains("reverse"), reverse);
    QVERIFY(played.parametersSeen.contains("\"len\":131072"));
}

void TestThroughputPeers::faults_data()
{
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<Leave>("leave");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, Stage stage, Leave leave, ErrorCode code,
                        const char* words = "") {
        QTest::newRow(name) << stage << std::move(leave) << code << QString::fromLatin1(words);
    };
    row("busy", Stage::Cookie, says("\xff"), ErrorCode::PeerBusy);
    row(
        "busy and reset", Stage::Cookie,
        [](PeerTalk& talk, int control) {
            talk.writeState(control, -1);
            talk.reset(control);
        },
        ErrorCode::PeerBusy);
    row("closes after the cookie", Stage::Cookie, closeAll, ErrorCode::ConnectionLost);
    row("closes after the parameters", Stage::Parameters, closeAll, ErrorCode::ConnectionLost);
    row("closes after the streams", Stage::Streams, closeAll, ErrorCode::ConnectionLost);
    row("talks HTTP", Stage::Cookie, says("HTTP/1.1 400 Bad Request\r\n\r\n"),
        ErrorCode::ProtocolViolation);
    row("a state out of turn", Stage::Parameters, says("\x02"), ErrorCode::ProtocolViolation);
    row("rate limit", Stage::Parameters, says(serverError(27)), ErrorCode::PeerRefused, "limit");
    row("duration limit", Stage::Parameters, says(serverError(37)), ErrorCode::PeerRefused,
        "longer");
    row("bad parameters", Stage::Parameters, says(serverError(114)), ErrorCode::PeerRefused,
        "options");
    row("authentication", Stage::Parameters, says(serverError(142)), ErrorCode::PeerRefused,
        "password");
    row("expired", Stage::Parameters, says(serverError(160)), ErrorCode::PeerRefused, "longer");
    row("streams", Stage::Streams, says(serverError(200)), ErrorCode::PeerRefused, "streams");
    row("another code", Stage::Streams, says(serverError(99)), ErrorCode::PeerRefused, "99");
    row(
        "an error without its code", Stage::Streams,
        [](PeerTalk& talk, int control) {
            talk.writeState(control, -2);
            talk.close(control);
        },
        ErrorCode::PeerRefused);
    row("stopped", Stage::Streams, says("\x0b"), ErrorCode::ConnectionLost, "stopped");
}

void TestThroughputPeers::faults()
{
    QFETCH(Stage, stage);
    QFETCH(Leave, leave);
    QFETCH(ErrorCode, code);
    QFETCH(QString, words);
    PlayedIperf3 played;
    played.leaves = stage;
    played.leave = leave;
    ScriptedPeer peer(played.script());
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), peer.port()));
    QVERIFY(seen.took < 3s);
    QVERIFY(!seen.result.has_value());
    QCOMPARE(errorCodeName(seen.result.error().code), errorCodeName(code));
    QCOMPARE(seen.result.error().context, QStringLiteral("127.0.0.1:%1").arg(peer.port()));
    QVERIFY2(seen.result.error().detail.contains(words), qPrintable(seen.result.error().detail));
}

void TestThroughputPeers::vanishesMidRun_data()
{
    QTest::addColumn<Leave>("leave");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("closes everything") << Leave([](PeerTalk& talk, int control) {
        talk.close(control);
        talk.close(control + 1);
    }) << ErrorCode::ConnectionLost;
    QTest::newRow("resets everything") << Leave([](PeerTalk& talk, int control) {
        talk.reset(control + 1);
        talk.reset(control);
    }) << ErrorCode::ConnectionLost;
    QTest::newRow("ends the data stream only") << Leave([](PeerTalk& talk, int control) {
        talk.reset(control + 1);
        talk.hold();
    }) << ErrorCode::ConnectionLost;
    QTest::newRow("is stopped") << says("\x0b") << ErrorCode::ConnectionLost;
    QTest::newRow("reports an error") << says(serverError(160)) << ErrorCode::PeerRefused;
    QTest::newRow("talks nonsense") << says("nonsense") << ErrorCode::ProtocolViolation;
}

void TestThroughputPeers::vanishesMidRun()
{
    QFETCH(Leave, leave);
    QFETCH(ErrorCode, code);
    PlayedIperf3 played;
    played.leaves = Stage::Running;
    played.leave = leave;
    ScriptedPeer peer(played.script());
    ThroughputOptions options;
    options.duration = 20s;
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), peer.port(), options));
    QVERIFY(seen.took < 4s);
    // The socket buffers took some bytes: these were measured, and nothing more.
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault.has_value());
    QCOMPARE(errorCodeName(seen.result->fault->code), errorCodeName(code));
    QVERIFY(seen.data().totals.empty());
}

void TestThroughputPeers::silentStages()
{
    // Side by side, since each silence takes its ten seconds.
    struct Case
    {
        Stage stage;
        PlayedIperf3 played;
        std::unique_ptr<ScriptedPeer> peer;
        ThroughputProbe probe;
        std::optional<Result<ProbeResult>> result;
    };
    std::vector<std::unique_ptr<Case>> cases;
    const auto begin = std::chrono::steady_clock::now();
    for (const Stage stage : {Stage::Cookie, Stage::Parameters, Stage::Streams, Stage::Results}) {
        cases.push_back(std::make_unique<Case>());
        Case& one = *cases.back();
        one.stage = stage;
        one.played.leaves = stage;
        one.played.leave = holdOpen;
        one.peer = std::make_unique<ScriptedPeer>(one.played.script());
        const ProbeSpec spec = throughputSpec(QStringLiteral("127.0.0.1"), one.peer->port());
        [](Case* into, ProbeSpec what) -> QCoro::Task<void> {
            into->result.emplace(co_await into->probe.run(what, {}, {}));
        }(&one, spec);
    }
    for (const auto& one : cases) {
        QTRY_VERIFY_WITH_TIMEOUT(one->result.has_value(), 15'000);
        const Result<ProbeResult>& result = *one->result;
        if (one->stage == Stage::Results) {
            QVERIFY(result.has_value());
            QCOMPARE(result->completion, Completion::Partial);
            QCOMPARE(result->fault->code, ErrorCode::PeerSilent);
        } else {
            QVERIFY(!result.has_value());
            QCOMPARE(result.error().code, ErrorCode::PeerSilent);
        }
    }
    QVERIFY(std::chrono::steady_clock::now() - begin < 14s);
}

void TestThroughputPeers::untrustworthyResults_data()
{
    QTest::addColumn<double>("claim");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QByteArray>("instead");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char* name, double claim, double seconds, const char* instead,
                        ErrorCode code = ErrorCode::ProtocolViolation) {
        QTest::newRow(name) << claim << seconds << QByteArray(instead) << code;
    };
    row("more than was sent", 3.0, 1.0, "");
    row("negative", -1.0, 1.0, "");
    row("in no time", 1.0, 0.01, "");
    row("not JSON", 1, 1, "no JSON at all");
    row("another stream", 1, 1, R"({"streams":[{"id":3,"bytes":5}]})");
    row("deep", 1, 1, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    row("oversized", 1, 1, "oversized", ErrorCode::FrameTooLarge);
}

void TestThroughputPeers::untrustworthyResults()
{
    QFETCH(double, claim);
    QFETCH(double, seconds);
    QFETCH(QByteArray, instead);
    QFETCH(ErrorCode, code);
    PlayedIperf3 played;
    played.claimFactor = claim;
    played.secondsTold = seconds;
    if (!instead.isEmpty())
        played.twistResults = [instead](const QByteArray&) { return instead; };
    if (instead == "oversized") {
        played.leaves = Stage::Results;
        played.leave = says(QByteArray("\x7f\xff\xff\xff", 4));
    }
    ScriptedPeer peer(played.script());
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), peer.port()));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(errorCodeName(seen.result->fault->code), errorCodeName(code));
    QVERIFY(!seen.result->fault->context.isEmpty());
    QVERIFY(seen.data().totals.empty()); // none of it is used
    QVERIFY(!seen.data().samples.empty());
}

void TestThroughputPeers::nothingArrives()
{
    // A far end that never sends: control messages pass, data does not.
    PlayedIperf3 played;
    played.sends = false;
    ScriptedPeer peer(played.script());
    ThroughputOptions options;
    options.flow = Flow::Reverse;
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), peer.port(), options));
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::NothingMeasured);
}

void TestThroughputPeers::namesAndInterfaces_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("interfaceName");
    QTest::addColumn<QString>("source");
    QTest::addColumn<ErrorCode>("code");
    const QString here = QStringLiteral("127.0.0.1");
    QTest::newRow("no such name") << QStringLiteral("no-such-machine.invalid") << QString()
                                  << QString() << ErrorCode::NameNotResolved;
    QTest::newRow("no such interface")
        << here << QStringLiteral("nic99") << QString() << ErrorCode::NoSuchInterface;
    QTest::newRow("a long interface name")
        << here << QString(300, QLatin1Char('x')) << QString() << ErrorCode::NoSuchInterface;
    QTest::newRow("not our address")
        << here << QString() << QStringLiteral("203.0.113.5") << ErrorCode::AddressNotAvailable;
    QTest::newRow("not an address")
        << here << QString() << QStringLiteral("here") << ErrorCode::AddressNotAvailable;
    QTest::newRow("the other IP version")
        << here << QString() << QStringLiteral("::1") << ErrorCode::InvalidArgument;
    QTest::newRow("no such interface behind an address")
        << QStringLiteral("fe80::1%nic99") << QString() << QString() << ErrorCode::NoSuchInterface;
    QTest::newRow("no host") << QString() << QString() << QString() << ErrorCode::InvalidArgument;
}

void TestThroughputPeers::namesAndInterfaces()
{
    QFETCH(QString, host);
    QFETCH(QString, interfaceName);
    QFETCH(QString, source);
    QFETCH(ErrorCode, code);
    ProbeSpec spec = throughputSpec(host, 5201);
    spec.interfaceName = interfaceName;
    spec.sourceAddress = source;
    ThroughputProbe probe;
    const Result<void> checked = sync(probe.check(spec, {}));
    QVERIFY(!checked.has_value());
    QCOMPARE(errorCodeName(checked.error().code), errorCodeName(code));
    const Observed seen = observeThroughput(spec);
    QVERIFY(!seen.result.has_value());
    QCOMPARE(errorCodeName(seen.result.error().code), errorCodeName(code));
}

QTEST_GUILESS_MAIN(TestThroughputPeers)
#include "tst_throughputpeers.moc"
