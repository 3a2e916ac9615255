// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/iperf3server.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTcpServer>
#include <QTimer>

#include "measuring.h"

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

// Stock iperf3 as the far end.
class StockServer
{
public:
    StockServer()
        : m_port(freePort())
    {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral("iperf3"),
                        {QStringLiteral("-s"), QStringLiteral("-p"), QString::number(m_port),
                         QStringLiteral("--forceflush")});
        m_isThere = m_process.waitForStarted(5000) && waitForListening();
    }
    ~StockServer()
    {
        m_process.kill();
        m_process.waitForFinished(5000);
    }
    StockServer(const StockServer&) = delete;
    StockServer& operator=(const StockServer&) = delete;

    [[nodiscard]] bool isThere() const { return m_isThere; }
    [[nodiscard]] int port() const { return m_port; }
    QProcess& process() { return m_process; }

private:
    bool waitForListening()
    {
        QByteArray output;
        while (!output.contains("Server listening")) {
            if (!m_process.waitForReadyRead(5000))
                return false;
            output += m_process.readAll();
        }
        return true;
    }

    QProcess m_process;
    int m_port = 0;
    bool m_isThere = false;
};

} // namespace

class TestIperf3Interop : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ourClientAgainstStock_data();
    void ourClientAgainstStock();
    void stockClientAgainstOurs_data();
    void stockClientAgainstOurs();
    void busyStockServerIsSaid();
    void killedStockServerLeavesPartialRun();
    void stockClientIsToldWeAreBusy();
};

void TestIperf3Interop::ourClientAgainstStock_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<Flow>("flow");
    QTest::addColumn<int>("streams");
    QTest::addColumn<int>("omit");
    QTest::newRow("forward") << QStringLiteral("127.0.0.1") << Flow::Forward << 1 << 0;
    QTest::newRow("reverse") << QStringLiteral("127.0.0.1") << Flow::Reverse << 1 << 0;
    QTest::newRow("both ways") << QStringLiteral("127.0.0.1") << Flow::Bidirectional << 1 << 0;
    QTest::newRow("forward, 4") << QStringLiteral("::1") << Flow::Forward << 4 << 0;
    QTest::newRow("both ways, 2, omit") << QStringLiteral("::1") << Flow::Bidirectional << 2 << 1;
    QTest::newRow("forward, omit") << QStringLiteral("localhost") << Flow::Forward << 1 << 1;
}

void TestIperf3Interop::ourClientAgainstStock()
{
    QFETCH(QString, host);
    QFETCH(Flow, flow);
    QFETCH(int, streams);
    QFETCH(int, omit);
    StockServer server;
    QVERIFY2(server.isThere(), "iperf3 is needed for the tests");

    ThroughputOptions options;
    options.flow = flow;
    options.streams = streams;
    options.omit = std::chrono::seconds(omit);
    const Observed seen = observeThroughput(throughputSpec(host, server.port(), options));
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QVERIFY2(seen.result->completion == Completion::Complete, seen.fault().constData());
    const int directions = flow == Flow::Bidirectional ? 2 : 1;
    QCOMPARE(static_cast<int>(seen.data().totals.size()), directions * streams);
    for (const StreamTotal& total : seen.data().totals) {
        QVERIFY(total.received > ByteCount::bytes(0));
        qInfo() << directionName(total.direction) << total.stream
                << BitRate::of(total.received, total.duration).gigabitsPerSecond() << "Gb/s over"
                << std::chrono::duration<double>(total.duration).count() << "s, retransmits"
                << total.retransmits.value_or(-1);
        QVERIFY(total.duration > 800ms);
        QVERIFY(total.duration < 1500ms);
    }
    QVERIFY(seen.data().farCpu.has_value());
    QVERIFY(seen.progress.size() > 5);
}

void TestIperf3Interop::stockClientAgainstOurs_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<Flow>("flow");
    QTest::addColumn<int>("streams");
    const auto row = [](const char* name, const char* arguments, Flow flow, int streams) {
        QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << flow
                            << streams;
    };
    row("forward", "-c 127.0.0.1", Flow::Forward, 1);
    row("reverse", "-c 127.0.0.1 -R", Flow::Reverse, 1);
    row("both ways", "-c ::1 --bidir", Flow::Bidirectional, 1);
    row("forward, 8, omit", "-c ::1 -P 8 -O 1", Flow::Forward, 8);
    row("reverse, 2, omit", "-c 127.0.0.1 -R -P 2 -O 1", Flow::Reverse, 2);
    row("wishes", "-c 127.0.0.1 -w 256K -M 1000 -N -l 64K -C reno", Flow::Forward, 1);
    row("a number of bytes", "-c 127.0.0.1 -n 50M", Flow::Forward, 1);
}

void TestIperf3Interop::stockClientAgainstOurs()
{
    QFETCH(QStringList, arguments);
    QFETCH(Flow, flow);
    QFETCH(int, streams);
    Iperf3ServerOptions serverOptions;
    serverOptions.port = 0;
    auto server = Iperf3Server::start(serverOptions);
    QVERIFY(server.has_value());
    QList<ServedTest> served;
    connect(server->get(), &Iperf3Server::testEnded, this,
            [&served](const ServedTest& test) { served.append(test); });

    arguments << QStringLiteral("-J") << QStringLiteral("-p") << QString::number((*server)->port());
    if (!arguments.contains(QStringLiteral("-n")))
        arguments << QStringLiteral("-t") << QStringLiteral("1");
    QProcess client;
    client.start(QStringLiteral("iperf3"), arguments);
    QVERIFY2(client.waitForFinished(20'000), "iperf3 did not end");
    const QByteArray output = client.readAllStandardOutput();
    const QJsonObject report = QJsonDocument::fromJson(output).object();
    QVERIFY2(!report.contains(QStringLiteral("error")), output.right(300).constData());
    const QJsonObject end = report[QStringLiteral("end")].toObject();
    const double received = end[QStringLiteral("sum_received")]
                                .toObject()[QStringLiteral("bits_per_second")]
                                .toDouble();
    qInfo() << "stock iperf3 reports" << received / 1e9 << "Gb/s";
    QVERIFY(received > 0);

    QTRY_COMPARE(served.size(), 1);
    QVERIFY2(!served.front().fault,
             errorCodeName(served.front().fault.value_or(Error{}).code).toUtf8().constData());
    QCOMPARE(served.front().flow, flow);
    QCOMPARE(served.front().streams, streams);
    if (flow != Flow::Reverse)
        QVERIFY(served.front().received > BitRate());
    if (flow != Flow::Forward)
        QVERIFY(served.front().sent > BitRate());
}

void TestIperf3Interop::busyStockServerIsSaid()
{
    StockServer server;
    QVERIFY(server.isThere());
    QProcess first;
    first.start(QStringLiteral("iperf3"),
                {QStringLiteral("-c"), QStringLiteral("127.0.0.1"), QStringLiteral("-p"),
                 QString::number(server.port()), QStringLiteral("-t"), QStringLiteral("20"),
                 QStringLiteral("-b"), QStringLiteral("10M"), QStringLiteral("--forceflush")});
    QVERIFY(first.waitForReadyRead(5000)); // it has connected
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server.port()));
    first.kill();
    first.waitForFinished(5000);
    QVERIFY(!seen.result.has_value());
    QCOMPARE(errorCodeName(seen.result.error().code), errorCodeName(ErrorCode::PeerBusy));
    QVERIFY(seen.took < 3s);
}

void TestIperf3Interop::killedStockServerLeavesPartialRun()
{
    StockServer server;
    QVERIFY(server.isThere());
    ThroughputOptions options;
    options.duration = 20s;
    QTimer::singleShot(700ms, this, [&server] { server.process().kill(); });
    const Observed seen =
        observeThroughput(throughputSpec(QStringLiteral("127.0.0.1"), server.port(), options));
    QVERIFY(seen.took < 5s);
    QVERIFY2(seen.result.has_value(), seen.fault().constData());
    QCOMPARE(seen.result->completion, Completion::Partial);
    QCOMPARE(errorCodeName(seen.result->fault->code), errorCodeName(ErrorCode::ConnectionLost));
    QVERIFY(seen.data().totals.empty());
    QVERIFY(!seen.data().samples.empty());
}

void TestIperf3Interop::stockClientIsToldWeAreBusy()
{
    Iperf3ServerOptions options;
    options.port = 0;
    auto server = Iperf3Server::start(options);
    QVERIFY(server.has_value());
    bool started = false;
    connect(server->get(), &Iperf3Server::testStarted, this, [&started] { started = true; });
    const QStringList arguments{QStringLiteral("-c"), QStringLiteral("127.0.0.1"),
                                QStringLiteral("-p"), QString::number((*server)->port()),
                                QStringLiteral("-t"), QStringLiteral("20"),
                                QStringLiteral("-b"), QStringLiteral("10M")};
    QProcess first;
    first.start(QStringLiteral("iperf3"), arguments);
    QTRY_VERIFY(started);
    QProcess second;
    second.setProcessChannelMode(QProcess::MergedChannels);
    second.start(QStringLiteral("iperf3"), arguments);
    QVERIFY(second.waitForFinished(5000));
    const QByteArray words = second.readAll();
    QVERIFY2(words.contains("busy"), words.constData());
    first.kill();
    first.waitForFinished(5000);
}

QTEST_GUILESS_MAIN(TestIperf3Interop)
#include "tst_iperf3interop.moc"
