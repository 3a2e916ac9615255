// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/pathsummary.h"

#include <QTcpServer>
#include <QTimer>

#include <set>

#include "udpmeasuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

// UDP over this machine's loopback: our client against our server.
class TestUdp : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void measures_data();
    void measures();
    void sizesAndBinding();
    void withATicket();
    void cancelled_data();
    void cancelled();
    void cancelledBeforeAnything();
    void serverStops();
    void busyAndAbsent();
    void serverBoundsTheRate();
};

void TestUdp::measures_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<Flow>("flow");
    QTest::addColumn<int>("streams");
    QTest::addColumn<int>("omit");
    for (const auto flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional}) {
        for (const int streams : {1, 4}) {
            const QString name = QStringLiteral("%1, %2 streams").arg(flowName(flow)).arg(streams);
            QTest::newRow(qPrintable(name))
                << (streams == 4 ? QStringLiteral("::1") : here) << flow << streams << 0;
        }
    }
    QTest::newRow("forward, omit") << here << Flow::Forward << 2 << 1;
    QTest::newRow("both ways, omit") << QStringLiteral("::1") << Flow::Bidirectional << 1 << 1;
    QTest::newRow("128 streams") << here << Flow::Forward << 128 << 0;
}

void TestUdp::measures()
{
    QFETCH(QString, host);
    QFETCH(Flow, flow);
    QFETCH(int, streams);
    QFETCH(int, omit);
    const auto server = startServer();
    QVERIFY(server);
    std::optional<ServedTest> served;
    connect(server.get(), &Iperf3Server::testEnded, this,
            [&served](const ServedTest& test) { served = test; });
    UdpOptions options = optionsOf(flow, streams);
    options.omit = std::chrono::seconds(omit);
    const Observed seen = observeUdp(udpSpec(host, server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(seen.result->completion == Completion::Complete, seen.fault().constData());

    const UdpData& data = udpData(seen);
    QCOMPARE(data.datagramSize, 1448);
    QVERIFY(data.farProgram.startsWith(QStringLiteral("napkin ")));
    std::set<std::pair<Direction, int>> counted;
    for (const UdpTotal& total : data.totals) {
        counted.insert({total.direction, total.stream});
        QVERIFY(total.packetsSent && total.sent && total.outOfOrder);
        QCOMPARE(*total.packetsSent, total.packetsReceived); // not even a tail is lost here
        QCOMPARE(total.lost, std::int64_t(0));
        QCOMPARE(total.received, ByteCount::bytes(total.packetsReceived * 1448));
        QCOMPARE(*total.sent, total.received);
        QVERIFY(total.jitter.has_value());
        if (streams < 100)
            QVERIFY2(isDue(total, 20'000'000 / streams),
                     QByteArray::number(
                         BitRate::of(total.received, total.duration).megabitsPerSecond()));
    }
    const int directions = flow == Flow::Bidirectional ? 2 : 1;
    QCOMPARE(static_cast<int>(counted.size()), directions * streams);
    QCOMPARE(data.nearBufferDrops.has_value(), flow != Flow::Forward);
    QCOMPARE(data.farBufferDrops.has_value(), flow != Flow::Reverse);
    QCOMPARE(data.farArrivals.size() > 5, flow != Flow::Reverse);
    QCOMPARE(data.nearBufferDrops.value_or(0) + data.farBufferDrops.value_or(0), std::int64_t(0));

    size_t told = 0;
    for (const Progress& item : seen.progress)
        told += std::get<UdpData>(item.data).samples.size();
    QCOMPARE(told, data.samples.size());
    for (const UdpSample& sample : data.samples) {
        QCOMPARE(sample.atReceiver, sample.direction == Direction::Reverse);
        QCOMPARE(sample.lost.has_value(), sample.atReceiver);
        QCOMPARE(sample.omitted, omit > 0 && sample.start < std::chrono::seconds(omit));
    }
    QCOMPARE(seen.result->conditions.near.interfaceName, QStringLiteral("lo"));
    QTRY_VERIFY(served.has_value());
    QVERIFY(served->udp && !served->fault);
    QCOMPARE(served->received.has_value(), flow != Flow::Reverse);
    QCOMPARE(served->sent.has_value(), flow != Flow::Forward);
}

void TestUdp::sizesAndBinding()
{
    const auto server = startServer();
    QVERIFY(server);
    UdpOptions options = optionsOf(Flow::Bidirectional);
    options.datagramSize = ByteCount::bytes(16);
    options.rate = BitRate::bitsPerSecond(200'000);
    ProbeSpec spec = udpSpec(here, server->port(), options);
    spec.interfaceName = QStringLiteral("lo");
    spec.sourceAddress = QStringLiteral("127.0.0.2");
    Observed seen = observeUdp(spec);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->conditions.near.address, QStringLiteral("127.0.0.2"));
    QCOMPARE(udpData(seen).datagramSize, 16);
    for (const UdpTotal& total : udpData(seen).totals)
        QCOMPARE(total.packetsReceived, total.packetsSent);

    options.datagramSize = ByteCount::bytes(65'507);
    options.rate = BitRate::megabitsPerSecond(50);
    seen = observeUdp(udpSpec(here, server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(udpData(seen).datagramSize, 65'507);

    // Chosen by the path: more than an Ethernet packet on the loopback interface.
    options.datagramSize = ByteCount::bytes(0);
    seen = observeUdp(udpSpec(here, server->port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY(udpData(seen).datagramSize > 1500);
    QVERIFY(udpData(seen).datagramSize <= 65'507);
}

void TestUdp::withATicket()
{
    Iperf3ServerOptions options;
    options.ticket = DataTicket::create();
    options.maxUdpRate = BitRate::megabitsPerSecond(20);
    const auto server = startServer(options);
    QVERIFY(server);
    const ProbeSpec spec = udpSpec(here, server->port(), optionsOf(Flow::Bidirectional, 3));
    const Observed stranger = observeUdp(spec);
    QVERIFY(!stranger.result.has_value());
    UdpProbe probe(options.ticket);
    const Observed seen = observe(probe, spec);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(udpData(seen).totals.size(), size_t(6));
}

void TestUdp::cancelled_data()
{
    QTest::addColumn<Flow>("flow");
    QTest::newRow("forward") << Flow::Forward;
    QTest::newRow("reverse") << Flow::Reverse;
    QTest::newRow("both ways") << Flow::Bidirectional;
}

// What a sender alone can not know, the far end still tells.
void TestUdp::cancelled()
{
    QFETCH(Flow, flow);
    const auto server = startServer();
    QVERIFY(server);
    std::optional<ServedTest> served;
    connect(server.get(), &Iperf3Server::testEnded, this,
            [&served](const ServedTest& test) { served = test; });
    UdpOptions options = optionsOf(flow, 2);
    options.duration = 30s;
    CancelSource cancel;
    QTimer::singleShot(900ms, this, [&cancel] { cancel.request_stop(); });
    const Observed seen = observeUdp(udpSpec(here, server->port(), options), cancel.get_token());
    QVERIFY2(seen.took < 5s, QByteArray::number(qlonglong(seen.took.count())));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QVERIFY(seen.result->fault && seen.result->fault->isCancelled());
    QVERIFY(!udpData(seen).samples.empty());
    for (const UdpTotal& total : udpData(seen).totals)
        QVERIFY(isDue(total, 10'000'000));
    QTRY_VERIFY(served.has_value()); // it is free again
}

void TestUdp::cancelledBeforeAnything()
{
    const auto server = startServer();
    QVERIFY(server);
    CancelSource cancel;
    cancel.request_stop();
    const Observed seen = observeUdp(udpSpec(here, server->port()), cancel.get_token());
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::Cancelled);
}

void TestUdp::serverStops()
{
    for (const Flow flow : {Flow::Forward, Flow::Reverse}) {
        auto server = startServer();
        QVERIFY(server);
        UdpOptions options = optionsOf(flow);
        options.duration = 30s;
        QTimer::singleShot(900ms, this, [&server] { server.reset(); });
        const Observed seen = observeUdp(udpSpec(here, server->port(), options));
        QVERIFY(seen.took < 5s);
        QVERIFY2(seen.result.has_value(), seen.fault().constData());
        QCOMPARE(seen.result->completion, Completion::Partial);
        QCOMPARE(seen.result->fault->code, ErrorCode::ConnectionLost);
        QVERIFY(udpData(seen).totals.empty());
        // Of what was sent forward nobody knows what arrived.
        const UdpSummary summary = summariseUdp(*seen.result);
        const auto& side = flow == Flow::Forward ? summary.forward : summary.reverse;
        QVERIFY(side.has_value());
        QCOMPARE(side->arrived.has_value(), flow == Flow::Reverse);
        QCOMPARE(side->offered.has_value(), flow == Flow::Forward);
    }
}

void TestUdp::busyAndAbsent()
{
    const auto server = startServer();
    QVERIFY(server);
    UdpOptions options = optionsOf(Flow::Forward);
    options.duration = 2s;
    const ProbeSpec spec = udpSpec(here, server->port(), options);
    UdpProbe first;
    std::optional<Result<ProbeResult>> firstResult;
    auto task = [](UdpProbe* probe, ProbeSpec what,
                   std::optional<Result<ProbeResult>>* into) -> QCoro::Task<void> {
        into->emplace(co_await probe->run(what, {}, {}));
    }(&first, spec, &firstResult);
    QTest::qWait(500);
    const Observed second = observeUdp(spec);
    QVERIFY(!second.result.has_value());
    QCOMPARE(second.result.error().code, ErrorCode::PeerBusy);
    QTRY_VERIFY(firstResult.has_value());
    QVERIFY(firstResult->has_value());

    QTcpServer placeholder;
    QVERIFY(placeholder.listen(QHostAddress::LocalHost));
    const int port = placeholder.serverPort();
    placeholder.close();
    const Observed absent = observeUdp(udpSpec(here, port));
    QVERIFY(!absent.result.has_value());
    QCOMPARE(absent.result.error().code, ErrorCode::ConnectionRefused);
}

void TestUdp::serverBoundsTheRate()
{
    Iperf3ServerOptions options;
    options.maxUdpRate = BitRate::megabitsPerSecond(10);
    const auto server = startServer(options);
    QVERIFY(server);
    const Observed seen =
        observeUdp(udpSpec(here, server->port(), optionsOf(Flow::Reverse, 1, 11)));
    QVERIFY(!seen.result.has_value());
    QCOMPARE(seen.result.error().code, ErrorCode::PeerRefused);
    QVERIFY(seen.result.error().detail.contains(QStringLiteral("rate")));
}

QTEST_GUILESS_MAIN(TestUdp)
#include "tst_udp.moc"
