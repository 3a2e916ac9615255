// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/iperf3server.h"
#include "core/measure/throughput/sampler.h"

#include <QTcpServer>
#include <QTimer>

#include <sys/socket.h>

#include <array>
#include <cmath>
#include <set>

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Iperf3Server> startServer(Iperf3ServerOptions options = {})
{
    options.port = 0;
    auto server = Iperf3Server::start(options);
    return server ? std::move(*server) : nullptr;
}

} // namespace

// Our client against our server, over this machine's loopback.
class TestThroughput : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void measures_data();
    void measures();
    void boundToInterfaceAndAddress();
    void eventLoopTicksDuringRun();
    void cancelKeepsWhatWasMeasured();
    void aVeryLongRunIsWatchedAllTheTime();
    void silenceIsLeftOutOfALongSample();
    void cancelBeforeAnything();
    void stoppedServerLeavesPartialRun();
    void endsWhenSure_data();
    void endsWhenSure();
    void aFixedRunTakesItsTime();
    void oneAfterAnother();
    void secondClientIsTold();
    void nobodyListens();
    void portInUse();
};

void TestThroughput::measures_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<Flow>("flow");
    QTest::addColumn<int>("streams");
    QTest::addColumn<int>("omit");
    for (const auto flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        for (const int streams : {1, 2, 8}) {
            const QString name = QStringLiteral("%1, %2 streams").arg(flowName(flow)).arg(streams);
            const bool v6 = streams == 2;
            QTest::newRow(qPrintable(name))
                << (v6 ? QStringLiteral("::1") : QStringLiteral("127.0.0.1")) << flow << streams
                << 0;
        }
    }
    QTest::newRow("forward, omit") << QStringLiteral("127.0.0.1") << Flow::Forward << 2 << 1;
    QTest::newRow("both ways, omit") << QStringLiteral("::1") << Flow::Bidirectional << 1 << 1;
    QTest::newRow("128 streams") << QStringLiteral("127.0.0.1") << Flow::Forward << 128 << 0;
}

void TestThroughput::measures()
{
    QFETCH(QString, host);
    QFETCH(Flow, flow);
    QFETCH(int, streams);
    QFETCH(int, omit);
    const auto server = startServer();
    QVERIFY(server);
    ThroughputOptions options;
    options.flow = flow;
    options.streams = streams;
    options.omit = std::chrono::seconds(omit);
    const Observed seen = observeThroughput(throughputSpec(host, server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(seen.result->completion == Completion::Complete, seen.fault().constData());

    const ThroughputData& data = seen.data();
    std::set<std::pair<Direction, int>> counted;
    for (const StreamTotal& total : data.totals) {
        counted.insert({total.direction, total.stream});
        QVERIFY(total.retransmits.has_value());
        QVERIFY(total.sent.has_value());
        QVERIFY(total.duration > 500ms);
        QVERIFY(total.duration < 10s);
    }
    const int directions = flow == Flow::Bidirectional ? 2 : 1;
    QCOMPARE(static_cast<int>(counted.size()), directions * streams);
    QCOMPARE(data.totals.size(), counted.size());

    size_t told = 0;
    for (const Progress& item : seen.progress)
        told += std::get<ThroughputData>(item.data).samples.size();
    QCOMPARE(told, data.samples.size());
    Duration omitted{};
    for (const ThroughputSample& sample : data.samples) {
        const bool sends = sample.direction == Direction::Forward;
        QCOMPARE(sample.countedBy, sends ? CountedBy::Acknowledged : CountedBy::Received);
        QCOMPARE(sample.retransmits.has_value(), sends);
        QCOMPARE(sample.congestionWindow.has_value(), sends);
        if (sample.omitted && sample.stream == 0 &&
            sample.direction == data.samples.front().direction)
            omitted += sample.length;
    }
    QVERIFY(omitted >= std::chrono::seconds(omit) - 10ms);
    QVERIFY(omit > 0 || omitted == 0ns);

    QVERIFY(data.nearCpu && data.nearCpu->total.value() > 0);
    QVERIFY(data.farCpu.has_value());
    QVERIFY(data.farProgram.startsWith(QStringLiteral("napkin ")));
    QVERIFY(!data.congestionControl.isEmpty());
    QCOMPARE(seen.result->conditions.near.interfaceName, QStringLiteral("lo"));
    QCOMPARE(seen.result->conditions.near.address, host);
    QCOMPARE(seen.result->conditions.far.address, host);
    QVERIFY(seen.result->conditions.near.mtu.has_value());
}

void TestThroughput::boundToInterfaceAndAddress()
{
    const auto server = startServer();
    QVERIFY(server);
    QString client;
    connect(server.get(), &Iperf3Server::testStarted, this,
            [&client](const QString& address) { client = address; });
    ThroughputOptions options;
    options.congestionControl = QStringLiteral("reno");
    ProbeSpec spec = throughputSpec(QStringLiteral("localhost"), server->port(), options);
    spec.interfaceName = QStringLiteral("lo");
    spec.sourceAddress = QStringLiteral("127.0.0.2");
    const Observed seen = observeThroughput(spec);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->conditions.near.address, QStringLiteral("127.0.0.2"));
    QCOMPARE(seen.result->conditions.near.interfaceName, QStringLiteral("lo"));
    QCOMPARE(seen.data().congestionControl, QStringLiteral("reno"));
    QTRY_COMPARE(client, QStringLiteral("127.0.0.2"));
}

void TestThroughput::eventLoopTicksDuringRun()
{
    const auto server = startServer();
    QVERIFY(server);
    int ticks = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&ticks] { ++ticks; });
    timer.start(20ms);
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server->port()));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(ticks > 10, qPrintable(QString::number(ticks)));
}

void TestThroughput::cancelKeepsWhatWasMeasured()
{
    const auto server = startServer();
    QVERIFY(server);
    std::optional<ServedTest> served;
    connect(server.get(), &Iperf3Server::testEnded, this,
            [&served](const ServedTest& test) { served = test; });
    ThroughputOptions options;
    options.duration = 30s;
    CancelSource cancel;
    QTimer::singleShot(700ms, this, [&cancel] { cancel.request_stop(); });
    const Observed seen = observeThroughput(
        throughputSpec(QStringLiteral("127.0.0.1"), server->port(), options), cancel.get_token());
    QVERIFY2(seen.took < 5s, qPrintable(QString::number(seen.took.count())));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault && seen.result->fault->isCancelled());
    QVERIFY(seen.data().totals.empty());
    QVERIFY(seen.data().samples.size() >= 3);
    QTRY_VERIFY(served.has_value()); // the server was told and is free again
    QVERIFY(served->fault.has_value());
}

// A day on 64 streams has a sample every 5.5 s; progress and cancelling do not wait for that.
void TestThroughput::aVeryLongRunIsWatchedAllTheTime()
{
    const auto server = startServer();
    QVERIFY(server);
    ThroughputOptions options;
    options.duration = 86'400s;
    options.streams = 32;
    options.flow = Flow::Bidirectional;
    CancelSource cancel;
    int told = 0;
    ThroughputProbe probe;
    const auto result =
        sync(probe.run(throughputSpec(QStringLiteral("127.0.0.1"), server->port(), options),
                       cancel.get_token(),
                       [&](const Progress& item) {
                           if (item.phase == Phase::Measuring && ++told == 10)
                               cancel.request_stop();
                       }),
             20s);
    QVERIFY(result.has_value());
    QCOMPARE(result->completion, Completion::Partial);
    const auto& samples = std::get<ThroughputData>(result->data).samples;
    QCOMPARE(samples.size() % 64, size_t(0)); // the last ones when it was cancelled
    QVERIFY2(samples.size() <= size_t(64 * 5), QByteArray::number(qulonglong(samples.size())));
}

void TestThroughput::silenceIsLeftOutOfALongSample()
{
    std::array<int, 2> ends{};
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    const Socket far(ends[1]);
    DataStream::Plan plan;
    plan.direction = Direction::Reverse;
    plan.role = StreamRole::Receives;
    DataStreams streams;
    streams.push_back(std::make_unique<DataStream>(Socket(ends[0]), plan));
    Sampler sampler(streams, 0ms);
    streams.front()->start({});
    QVERIFY(!sampler.look());
    const std::array<char, 1000> bytes{};
    QCOMPARE(::send(far.fd(), bytes.data(), bytes.size(), 0), ssize_t(1000));
    QTRY_COMPARE(streams.front()->bytes(), 1000);
    QVERIFY(sampler.look());
    const auto lived = std::chrono::steady_clock::now() - sampler.start();
    QTest::qSleep(300);
    QVERIFY(!sampler.look());
    const auto samples = sampler.takeUntilSilence();
    QCOMPARE(samples.size(), size_t(1));
    QCOMPARE(samples.front().bytes, ByteCount::bytes(1000));
    QVERIFY(samples.front().length <= lived);
    QVERIFY(sampler.takeUntilSilence().empty());
    const auto rest = sampler.take();
    QCOMPARE(rest.front().bytes, ByteCount::bytes(0));
    QVERIFY(rest.front().length >= 300ms);
}

void TestThroughput::cancelBeforeAnything()
{
    const auto server = startServer();
    QVERIFY(server);
    CancelSource cancel;
    cancel.request_stop();
    const Observed seen = observeThroughput(
        throughputSpec(QStringLiteral("127.0.0.1"), server->port()), cancel.get_token());
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::Cancelled);
}

void TestThroughput::stoppedServerLeavesPartialRun()
{
    auto server = startServer();
    QVERIFY(server);
    ThroughputOptions options;
    options.duration = 30s;
    QTimer::singleShot(700ms, this, [&server] { server.reset(); });
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server->port(), options));
    QVERIFY(seen.took < 5s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault.has_value());
    QCOMPARE(seen.result->fault->code, ErrorCode::ConnectionLost);
}

void TestThroughput::endsWhenSure_data()
{
    QTest::addColumn<Flow>("flow");
    QTest::addColumn<int>("streams");
    QTest::newRow("forward") << Flow::Forward << 1;
    QTest::newRow("reverse, two streams") << Flow::Reverse << 2;
    QTest::newRow("bidirectional") << Flow::Bidirectional << 1;
}

// How steady loopback is, is nobody's to say: the end fits what was found, whatever that is.
void TestThroughput::endsWhenSure()
{
    QFETCH(Flow, flow);
    QFETCH(int, streams);
    const auto server = startServer();
    QVERIFY(server);
    ThroughputOptions options;
    options.flow = flow;
    options.streams = streams;
    options.duration = 6s;
    options.ending = Ending::WhenSure;
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(seen.result->completion == Completion::Complete, seen.fault().constData());
    const ThroughputSummary summary = summariseThroughput(*seen.result);
    bool isSure = true;
    for (const auto& own : {summary.forward, summary.reverse}) {
        if (!own)
            continue;
        QVERIFY(own->fromTotals && own->certainty);
        QVERIFY(own->duration >= 1'900ms);
        QVERIFY(own->certainty->lowest <= own->certainty->highest);
        const bool isOwnSure = own->certainty->verdict == Certainty::Verdict::Sure;
        isSure = isSure && isOwnSure;
        if (isOwnSure)
            QCOMPARE(own->throughput.bitsPerSecond(), std::llround(own->certainty->mean));
        qInfo("%.2f s, %.2f Gbit/s, verdict %d", inSeconds(own->duration),
              own->throughput.gigabitsPerSecond(), static_cast<int>(own->certainty->verdict));
    }
    const Duration length = (summary.forward ? summary.forward : summary.reverse)->duration;
    QVERIFY(isSure || length >= 5'900ms);
    // Twenty samples a second.
    QVERIFY(ratesOf(seen.data(), flow == Flow::Reverse ? Direction::Reverse : Direction::Forward)
                .size() >= 30);
    QCOMPARE(summarise(seen.data()).forward.has_value(), summary.forward.has_value());
}

void TestThroughput::aFixedRunTakesItsTime()
{
    const auto server = startServer();
    QVERIFY(server);
    ThroughputOptions options;
    options.duration = 4s;
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    const ThroughputSummary summary = summariseThroughput(*seen.result);
    QVERIFY(summary.forward && !summary.forward->certainty);
    QVERIFY(summary.forward->duration >= 3'900ms);
    QVERIFY(seen.data().samples.size() <= 42); // ten a second
}

void TestThroughput::oneAfterAnother()
{
    const auto server = startServer();
    QVERIFY(server);
    for (int i = 0; i < 2; ++i) {
        const Observed seen =
            observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server->port()));
        QVERIFY2(seen.result.has_value(), seen.fault().constData());
    }
}

void TestThroughput::secondClientIsTold()
{
    const auto server = startServer();
    QVERIFY(server);
    int refused = 0;
    connect(server.get(), &Iperf3Server::clientRefused, this,
            [&refused](const QString&, const Error& why) {
                refused += why.code == ErrorCode::PeerBusy ? 1 : 0;
            });
    const ProbeSpec spec = throughputSpec(QStringLiteral("127.0.0.1"), server->port());
    ThroughputProbe first;
    std::optional<Result<ProbeResult>> firstResult;
    auto task = [](ThroughputProbe* probe, ProbeSpec what,
                   std::optional<Result<ProbeResult>>* into) -> QCoro::Task<void> {
        into->emplace(co_await probe->run(what, {}, {}));
    }(&first, spec, &firstResult);
    QTest::qWait(300);
    const Observed second = observeThroughput(spec);
    QVERIFY(!second.result.has_value());
    QCOMPARE(second.result.error().code, ErrorCode::PeerBusy);
    QTRY_VERIFY(firstResult.has_value());
    QVERIFY(firstResult->has_value());
    QCOMPARE(refused, 1);
}

void TestThroughput::nobodyListens()
{
    QTcpServer placeholder;
    QVERIFY(placeholder.listen(QHostAddress::LocalHost));
    const int port = placeholder.serverPort();
    placeholder.close();
    const Observed seen = observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), port));
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::ConnectionRefused);
    QCOMPARE(seen.result.error().context, QStringLiteral("127.0.0.1:%1").arg(port));
}

void TestThroughput::portInUse()
{
    const auto server = startServer();
    QVERIFY(server);
    Iperf3ServerOptions options;
    options.port = server->port();
    const auto second = Iperf3Server::start(options);
    QVERIFY(!second.has_value());
    QCOMPARE(second.error().code, ErrorCode::AddressInUse);
}

QTEST_GUILESS_MAIN(TestThroughput)
#include "tst_throughput.moc"
