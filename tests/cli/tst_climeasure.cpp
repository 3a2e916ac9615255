// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <csignal>

using namespace napkin::test;
using nlohmann::json;

// Measurements through the real program, against our own server and the system's iperf3.
class TestCliMeasure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void throughput_data();
    void throughput();
    void throughputAsText();
    void connectTime();
    void refused();
    void everyConnectionRefused();
    void aFailedRunLeavesNoLink();
    void unknownCongestionControl();
    void outOfMemory();
    void busy();
    void unresolvable();
    void silent();
    void interruptedRunIsKept_data();
    void interruptedRunIsKept();
    void vanishedServerLeavesAPartialRun();
    void interruptedBeforeAnythingWasMeasured();
    void closedOutputEndsQuietly();
    void serveEndsCleanly_data();
    void serveEndsCleanly();
    void serveTellsOfTests();
    void servePortTaken();

private:
    [[nodiscard]] QString notebook() const
    {
        return m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()) +
                                 QStringLiteral(".napkin"));
    }
    [[nodiscard]] QStringList measure(const QString& port, const QStringList& more) const
    {
        return QStringList{QStringLiteral("measure"),
                           QStringLiteral("throughput"),
                           QStringLiteral("127.0.0.1"),
                           QStringLiteral("--port"),
                           port,
                           QStringLiteral("--notebook"),
                           notebook()} +
               more;
    }
    [[nodiscard]] json listed() const
    {
        const auto outcome = runCli({QStringLiteral("list"), QStringLiteral("--json"),
                                     QStringLiteral("--notebook"), notebook()});
        return outcome.document().value_or(json::object()).value("records", json::array());
    }

    QTemporaryDir m_folder;
};

void TestCliMeasure::throughput_data()
{
    QTest::addColumn<bool>("stock");
    QTest::addColumn<QString>("option");
    QTest::newRow("own server, forward") << false << QString();
    QTest::newRow("own server, reverse") << false << QStringLiteral("--reverse");
    QTest::newRow("own server, both ways") << false << QStringLiteral("--bidirectional");
    QTest::newRow("iperf3, forward") << true << QString();
    QTest::newRow("iperf3, reverse") << true << QStringLiteral("--reverse");
}

void TestCliMeasure::throughput()
{
    QFETCH(bool, stock);
    QFETCH(QString, option);
    std::unique_ptr<StockServer> iperf3;
    std::unique_ptr<ServingCli> own;
    if (stock)
        iperf3 = std::make_unique<StockServer>();
    else
        own = std::make_unique<ServingCli>();
    const QString port = stock ? iperf3->port() : own->port();
    QVERIFY(!port.isEmpty());

    QStringList more{QStringLiteral("--time"), QStringLiteral("1"), QStringLiteral("--json")};
    if (!option.isEmpty())
        more << option;
    const auto outcome = runCli(measure(port, more));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto document = outcome.document();
    QVERIFY(document.has_value());
    QVERIFY(document->at("ok").get<bool>());
    const json& record = document->at("record");
    QVERIFY(record.at("number").get<int>() > 0);
    QCOMPARE(record.at("result").at("format").get<std::string>(), std::string("napkin-result"));
    const json& summary = record.at("summary");
    QCOMPARE(summary.at("forward").is_null(), option == QStringLiteral("--reverse"));
    QCOMPARE(summary.at("reverse").is_null(), option.isEmpty());
    for (const char* direction : {"forward", "reverse"}) {
        if (summary.at(direction).is_null())
            continue;
        QVERIFY(summary.at(direction).at("throughput_bits_per_second").get<qint64>() > 1'000'000);
        QVERIFY(summary.at(direction).at("counted_by_receiver").get<bool>());
    }
}

void TestCliMeasure::throughputAsText()
{
    const ServingCli server;
    const auto outcome = runCli(measure(
        server.port(),
        {QStringLiteral("--time"), QStringLiteral("1 s"), QStringLiteral("--bytes-per-block"),
         QStringLiteral("64 KiB"), QStringLiteral("--streams"), QStringLiteral("2"),
         QStringLiteral("--link"), QStringLiteral("rack"), QStringLiteral("--class"),
         QStringLiteral("ethernet-10g"), QStringLiteral("--label"), QStringLiteral("first try")}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    for (const char* part : {"Forward", "Gb/s", "GB/s", "2 streams", "rack", "no link was measured",
                             "Recorded as number 1 in ", "Far program"})
        QVERIFY2(outcome.out.contains(part), outcome.out.constData());
    QVERIFY2(outcome.err.contains("1 of 1 s"), outcome.err.constData());
    QVERIFY(!outcome.err.contains('\r'));

    const auto worksheet =
        runCli({QStringLiteral("worksheet"), QStringLiteral("--notebook"), notebook()});
    QCOMPARE(worksheet.code, 0);
    for (const char* part : {"rack", "10 GbE", "10 R", "none counts"})
        QVERIFY2(worksheet.out.contains(part), worksheet.out.constData());
}

void TestCliMeasure::connectTime()
{
    QTcpServer listener;
    QVERIFY(listener.listen(QHostAddress::LocalHost));
    const auto outcome = runCli(
        {QStringLiteral("measure"), QStringLiteral("connect"),
         QStringLiteral("127.0.0.1:%1").arg(listener.serverPort()), QStringLiteral("--count"),
         QStringLiteral("5"), QStringLiteral("--interval"), QStringLiteral("5 ms"),
         QStringLiteral("--json"), QStringLiteral("--notebook"), notebook()});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto document = outcome.document();
    QVERIFY(document.has_value());
    const json& summary = document->at("record").at("summary");
    QCOMPARE(summary.at("attempts").get<int>(), 5);
    QCOMPARE(summary.at("connected").get<int>(), 5);
    QVERIFY(summary.at("median_ns").get<qint64>() > 0);
}

void TestCliMeasure::refused()
{
    const auto outcome = runCli(measure(freePort(), {QStringLiteral("--json")}));
    QCOMPARE(outcome.code, 3);
    const auto document = outcome.document();
    QVERIFY(document.has_value());
    QCOMPARE(document->at("error").at("code").get<std::string>(),
             std::string("connection-refused"));
    QVERIFY(document->at("record").is_null());
    QVERIFY2(outcome.err.contains("refused the connection"), outcome.err.constData());
    QVERIFY(outcome.err.contains("What to do: "));
    QVERIFY(listed().empty());
}

void TestCliMeasure::everyConnectionRefused()
{
    const auto outcome = runCli(
        {QStringLiteral("measure"), QStringLiteral("connect"), QStringLiteral("127.0.0.1"),
         QStringLiteral("--port"), freePort(), QStringLiteral("--count"), QStringLiteral("4"),
         QStringLiteral("--json"), QStringLiteral("--notebook"), notebook()});
    QCOMPARE(outcome.code, 3);
    const auto document = outcome.document();
    QVERIFY(document.has_value());
    QVERIFY(!document->at("ok").get<bool>());
    QVERIFY(document->at("record").is_null());
    QCOMPARE(document->at("error").at("code").get<std::string>(),
             std::string("connection-refused"));
    QVERIFY2(outcome.err.contains("None of 4 attempts connected (refused: 4)."),
             outcome.err.constData());
    QVERIFY(listed().empty());
}

void TestCliMeasure::aFailedRunLeavesNoLink()
{
    const QStringList link{QStringLiteral("--link"), QStringLiteral("rack"),
                           QStringLiteral("--class"), QStringLiteral("ethernet-10g")};
    const auto links = [this] {
        return runCli({QStringLiteral("worksheet"), QStringLiteral("--json"),
                       QStringLiteral("--notebook"), notebook()})
            .document()
            .value_or(json::object())
            .value("rows", json::array())
            .size();
    };
    QCOMPARE(runCli(measure(freePort(), link)).code, 3);
    QCOMPARE(links(), size_t(0));
    const ServingCli server;
    const QStringList second{QStringLiteral("--time"), QStringLiteral("1")};
    QCOMPARE(runCli(measure(server.port(), link + second)).code, 0);
    QCOMPARE(links(), size_t(1));
    QCOMPARE(runCli(measure(server.port(), link + second)).code, 0);
    QCOMPARE(links(), size_t(1));
    QCOMPARE(listed().size(), size_t(2));
}

void TestCliMeasure::unknownCongestionControl()
{
    QFile list(QStringLiteral("/proc/sys/net/ipv4/tcp_available_congestion_control"));
    QVERIFY(list.open(QIODevice::ReadOnly));
    const QByteArray one = list.readAll().simplified().split(' ').front();
    const ServingCli server;
    const auto outcome =
        runCli(measure(server.port(), {QStringLiteral("--congestion"), QStringLiteral("warp")}));
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("“warp” is not supported here."), outcome.err.constData());
    QVERIFY2(outcome.err.contains("This machine has: "), outcome.err.constData());
    QVERIFY2(outcome.err.contains(one), outcome.err.constData());
}

void TestCliMeasure::outOfMemory()
{
    const ServingCli server;
    // 128 threads with their stacks do not fit into that.
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_AS, &before), 0);
    const rlimit little{600ULL * 1024 * 1024, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_AS, &little), 0);
    const auto outcome = runCli(measure(
        server.port(), {QStringLiteral("--streams"), QStringLiteral("128"),
                        QStringLiteral("--json"), QStringLiteral("--time"), QStringLiteral("1")}));
    ::setrlimit(RLIMIT_AS, &before);
    QCOMPARE(outcome.code, 3);
    QVERIFY(outcome.document().has_value());
    QCOMPARE(outcome.document()->at("error").at("code").get<std::string>(),
             std::string("out-of-memory"));
    QVERIFY2(outcome.err.contains("Use fewer streams"), outcome.err.constData());
}

void TestCliMeasure::busy()
{
    const ServingCli server;
    RunningCli first(measure(server.port(), {QStringLiteral("--time"), QStringLiteral("20")}));
    QVERIFY(first.hasSaid("1 of 20 s"));
    const auto second = runCli(measure(server.port(), {QStringLiteral("--json")}));
    QCOMPARE(second.code, 3);
    QVERIFY(second.document().has_value());
    QCOMPARE(second.document()->at("error").at("code").get<std::string>(),
             std::string("peer-busy"));
    QVERIFY(second.err.contains("is busy with another test"));
    first.signal(SIGTERM);
    QCOMPARE(first.outcome().code, 130);
}

void TestCliMeasure::unresolvable()
{
    const auto outcome =
        runCli({QStringLiteral("measure"), QStringLiteral("throughput"),
                QStringLiteral("nosuch.invalid"), QStringLiteral("--notebook"), notebook()});
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("nosuch.invalid"), outcome.err.constData());
    QCOMPARE(outcome.out, QByteArray());
}

void TestCliMeasure::silent()
{
    QTcpServer listener;
    QVERIFY(listener.listen(QHostAddress::LocalHost));
    QElapsedTimer timer;
    timer.start();
    const auto outcome =
        runCli(measure(QString::number(listener.serverPort()), {QStringLiteral("--json")}));
    QCOMPARE(outcome.code, 3);
    QVERIFY(timer.elapsed() < 15'000);
    QVERIFY(outcome.document().has_value());
    QCOMPARE(outcome.document()->at("error").at("code").get<std::string>(),
             std::string("peer-silent"));
}

void TestCliMeasure::interruptedRunIsKept_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestCliMeasure::interruptedRunIsKept()
{
    QFETCH(int, signal);
    const ServingCli server;
    RunningCli run(measure(server.port(), {QStringLiteral("--time"), QStringLiteral("20")}));
    QVERIFY(run.hasSaid("1 of 20 s"));
    run.signal(signal);
    const auto outcome = run.outcome();
    QCOMPARE(outcome.code, 130);
    QVERIFY2(outcome.out.contains("Partial run, kept as number "), outcome.out.constData());
    const json records = listed();
    QVERIFY(!records.empty());
    QCOMPARE(records.at(0).at("completion").get<std::string>(), std::string("partial"));
    QVERIFY(records.at(0).at("forward_bits_per_second").get<qint64>() > 0);
}

void TestCliMeasure::vanishedServerLeavesAPartialRun()
{
    ServingCli server;
    RunningCli run(measure(server.port(), {QStringLiteral("--time"), QStringLiteral("20")}));
    QVERIFY(run.hasSaid("1 of 20 s"));
    server.cli().signal(SIGKILL);
    const auto outcome = run.outcome();
    QCOMPARE(outcome.code, 4);
    QVERIFY2(outcome.err.contains("napkin-cli: "), outcome.err.constData());
    QCOMPARE(listed().size(), size_t(1));
    QCOMPARE(listed().at(0).at("completion").get<std::string>(), std::string("partial"));
}

void TestCliMeasure::interruptedBeforeAnythingWasMeasured()
{
    QTcpServer listener;
    QVERIFY(listener.listen(QHostAddress::LocalHost));
    RunningCli run(measure(QString::number(listener.serverPort()), {QStringLiteral("--json")}));
    QVERIFY(listener.waitForNewConnection(10'000));
    run.signal(SIGINT);
    const auto outcome = run.outcome();
    QCOMPARE(outcome.code, 130);
    QVERIFY(outcome.document().has_value());
    QCOMPARE(outcome.document()->at("error").at("code").get<std::string>(),
             std::string("cancelled"));
    QVERIFY(outcome.document()->at("record").is_null());
}

void TestCliMeasure::closedOutputEndsQuietly()
{
    const ServingCli server;
    RunningCli run(measure(server.port(), {QStringLiteral("--time"), QStringLiteral("1")}));
    run.process().closeReadChannel(QProcess::StandardOutput);
    const auto outcome = run.outcome();
    QCOMPARE(outcome.code, 0);
    QCOMPARE(listed().size(), size_t(1));
}

void TestCliMeasure::serveEndsCleanly_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestCliMeasure::serveEndsCleanly()
{
    QFETCH(int, signal);
    ServingCli server;
    QVERIFY(!server.port().isEmpty());
    server.cli().signal(signal);
    const auto outcome = server.cli().outcome();
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.out.contains("\"event\":\"ended\""));
}

void TestCliMeasure::serveTellsOfTests()
{
    ServingCli server;
    QCOMPARE(runCli(measure(server.port(), {QStringLiteral("--time"), QStringLiteral("1"),
                                            QStringLiteral("--reverse")}))
                 .code,
             0);
    server.cli().signal(SIGINT);
    const QList<QByteArray> lines = server.cli().outcome().out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    const json test = json::parse(lines.first().toStdString(), nullptr, false);
    QCOMPARE(test.at("event").get<std::string>(), std::string("test"));
    QCOMPARE(test.at("flow").get<std::string>(), std::string("reverse"));
    QVERIFY(test.at("sent_bits_per_second").get<qint64>() > 0);
    QVERIFY(test.at("received_bits_per_second").is_null());
    QVERIFY(test.at("error").is_null());
}

void TestCliMeasure::servePortTaken()
{
    QTcpServer listener;
    QVERIFY(listener.listen(QHostAddress::LocalHost));
    const auto outcome =
        runCli({QStringLiteral("serve"), QStringLiteral("--bind"), QStringLiteral("127.0.0.1"),
                QStringLiteral("--port"), QString::number(listener.serverPort())});
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("already in use"), outcome.err.constData());
}

QTEST_GUILESS_MAIN(TestCliMeasure)
#include "tst_climeasure.moc"
