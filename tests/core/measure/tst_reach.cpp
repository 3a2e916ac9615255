// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/childprocess.h"
#include "core/measure/reach/echo.h"
#include "core/measure/reach/pingprogram.h"
#include "core/measure/reach/reach.h"
#include "core/measure/reach/reachsteps.h"
#include "tests/support/sync.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <unistd.h>

#include <algorithm>
#include <optional>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

// What needs no network but loopback; the rest is in tests/network.
class TestReach : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void loopback();
    void bothPortsOpen();
    void faultsAreErrors();
    void aLinkLocalAddressNeedsItsInterface();
    void cancelled();
    void readsPing_data();
    void readsPing();
    void pingAsLastMeans_data();
    void pingAsLastMeans();
    void aSilentPingIsKilled();
    void theStepsOfAReport();

private:
    QString script(const QByteArray& body);
    QTemporaryDir m_folder;
};

namespace {

int closedPort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

ReachSpec specTo(const QString& host)
{
    ReachSpec spec;
    spec.host = host;
    spec.iperfPort = closedPort();
    spec.peerPort = closedPort();
    return spec;
}

EchoReport echoByPing(const QString& program)
{
    EchoOptions options;
    options.means = {EchoMeans::SystemPing};
    options.pingProgram = program;
    const Interrupt interrupt;
    return echo(*addressFromText(QStringLiteral("127.0.0.1"), 0), {}, options, Deadline(2s),
                interrupt);
}

} // namespace

QString TestReach::script(const QByteArray& body)
{
    static int number = 0;
    const QString path = m_folder.filePath(QStringLiteral("ping%1").arg(++number));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n" + body + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

void TestReach::loopback()
{
    const auto report = sync(reach(specTo(QStringLiteral("127.0.0.1")), {}));
    QVERIFY2(report.has_value(), qPrintable(report ? QString() : report.error().detail));
    QCOMPARE(report->addresses.size(), size_t(1));
    const AddressReport& one = report->addresses.front();
    QCOMPARE(one.address, QStringLiteral("127.0.0.1"));
    QCOMPARE(one.iperf3.outcome, ReachOutcome::Refused);
    QVERIFY(!one.iperf3.why.isEmpty());
    QCOMPARE(one.peer.outcome, ReachOutcome::Refused);
    QVERIFY(one.route.value.has_value());
    QCOMPARE(one.route.value->interfaceName, QStringLiteral("lo"));
    QCOMPARE(one.route.value->source, QStringLiteral("127.0.0.1"));
    // An IP packet has at most 65,535 bytes, whatever its interface takes.
    QVERIFY(one.interfaceMtu.value.has_value());
    QCOMPARE(one.pathMtu.value, std::optional(std::min(65'535, *one.interfaceMtu.value)));
    QVERIFY(one.pathMtu.value > 1'000);
    // Whether this user may send echoes is the machine's affair; that it is said is ours.
    if (one.echo.outcome == ReachOutcome::Reachable) {
        QVERIFY(one.echo.used.has_value());
        QCOMPARE(one.echo.sent, 5);
        QVERIFY(one.echo.received >= 1);
        QVERIFY(*one.echo.least > 0ns && *one.echo.least <= *one.echo.median);
    } else {
        QCOMPARE(one.echo.outcome, ReachOutcome::NotPermitted);
        QCOMPARE(one.echo.notUsed.size(), size_t(3));
    }
    QVERIFY(report->hasAnswered());
}

void TestReach::bothPortsOpen()
{
    QTcpServer iperf3;
    QTcpServer peer;
    QVERIFY(iperf3.listen(QHostAddress::LocalHost));
    QVERIFY(peer.listen(QHostAddress::LocalHost));
    ReachSpec spec = specTo(QStringLiteral("127.0.0.1"));
    spec.iperfPort = iperf3.serverPort();
    spec.peerPort = peer.serverPort();
    const auto report = sync(reach(spec, {}));
    QVERIFY(report.has_value());
    QCOMPARE(report->addresses.front().iperf3.outcome, ReachOutcome::Reachable);
    QCOMPARE(report->addresses.front().peer.outcome, ReachOutcome::Reachable);
}

void TestReach::faultsAreErrors()
{
    const auto codeOf = [](const ReachSpec& spec) {
        const auto report = sync(reach(spec, {}));
        return report ? ErrorCode::Internal : report.error().code;
    };
    QCOMPARE(codeOf(specTo(QString())), ErrorCode::InvalidArgument);
    QCOMPARE(codeOf(specTo(QStringLiteral("no-such-host.invalid"))), ErrorCode::NameNotResolved);
    ReachSpec spec = specTo(QStringLiteral("127.0.0.1"));
    spec.interfaceName = QStringLiteral("nic99");
    QCOMPARE(codeOf(spec), ErrorCode::NoSuchInterface);
    spec = specTo(QStringLiteral("127.0.0.1"));
    spec.peerPort = 70'000;
    QCOMPARE(codeOf(spec), ErrorCode::InvalidArgument);
}

void TestReach::aLinkLocalAddressNeedsItsInterface()
{
    const auto report = sync(reach(specTo(QStringLiteral("fe80::1")), {}));
    QVERIFY(report.has_value());
    QVERIFY(!report->hasAnswered());
    QVERIFY(report->addresses.front().echo.why.contains(QStringLiteral("fe80::1%")));
}

void TestReach::cancelled()
{
    CancelSource cancel;
    QTimer::singleShot(50ms, this, [&cancel] { cancel.request_stop(); });
    QElapsedTimer took;
    took.start();
    // Nobody is there (RFC 5737), if there is a way at all.
    const auto report = sync(reach(specTo(QStringLiteral("192.0.2.1")), cancel.get_token()));
    QVERIFY(took.elapsed() < 2'000);
    QVERIFY(report || report.error().isCancelled());
}

void TestReach::readsPing_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QVector<qint64>>("nanoseconds");
    QTest::newRow("iputils")
        << QByteArray("PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n"
                      "64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.045 ms\n"
                      "64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=12 ms\n"
                      "64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=12.1 ms (DUP!)\n"
                      "\n--- 10.0.0.2 ping statistics ---\n"
                      "3 packets transmitted, 2 received, 33% packet loss, time 402ms\n"
                      "rtt min/avg/max/mdev = 0.045/6.0/12.1/0.0 ms\n")
        << QVector<qint64>{45'000, 12'000'000};
    QTest::newRow("unreachable") << QByteArray(
                                        "From 10.0.0.1 icmp_seq=1 Destination Host Unreachable\n")
                                 << QVector<qint64>{};
    QTest::newRow("nothing") << QByteArray() << QVector<qint64>{};
    QTest::newRow("garbage") << QByteArray("icmp_seq=x time=y ms\xff\xfe icmp_seq=1 time=1e9 ms")
                             << QVector<qint64>{};
}

void TestReach::readsPing()
{
    QFETCH(QByteArray, output);
    QFETCH(QVector<qint64>, nanoseconds);
    QVector<qint64> got;
    for (const Duration& time : parsePing(output))
        got << time.count();
    QCOMPARE(got, nanoseconds);
}

void TestReach::pingAsLastMeans_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("received");
    const auto row = [](const char* name, const char* body, ReachOutcome outcome, int received) {
        QTest::newRow(name) << QByteArray(body) << static_cast<int>(outcome) << received;
    };
    row("answers",
        "echo '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.050 ms'\n"
        "echo '5 packets transmitted, 1 received, 80% packet loss'",
        ReachOutcome::Reachable, 1);
    row("silence", "echo '5 packets transmitted, 0 received, 100% packet loss'; exit 1",
        ReachOutcome::NoAnswer, 0);
    row("no way", "echo 'ping: connect: Network is unreachable' >&2; exit 2",
        ReachOutcome::NoAnswer, 0);
    row("not permitted", "echo 'ping: socket: Operation not permitted' >&2; exit 2",
        ReachOutcome::NotPermitted, 0);
    row("another ping", "echo 'ping: unrecognized option' >&2; exit 1", ReachOutcome::NotPermitted,
        0);
}

void TestReach::pingAsLastMeans()
{
    QFETCH(QByteArray, body);
    QFETCH(int, outcome);
    QFETCH(int, received);
    const EchoReport report = echoByPing(script(body));
    QCOMPARE(static_cast<int>(report.outcome), outcome);
    QCOMPARE(report.received, received);
    if (report.outcome != ReachOutcome::Reachable)
        QVERIFY(!report.why.isEmpty());
    if (report.outcome == ReachOutcome::NotPermitted)
        QVERIFY(!report.notUsed.front().why.isEmpty());
}

void TestReach::aSilentPingIsKilled()
{
    QElapsedTimer took;
    took.start();
    const EchoReport silent = echoByPing(script("exec sleep 60"));
    QVERIFY(took.elapsed() < 8'000);
    QCOMPARE(silent.outcome, ReachOutcome::NoAnswer);
    const EchoReport missing = echoByPing(QStringLiteral("/nowhere/ping"));
    QCOMPARE(missing.outcome, ReachOutcome::NotPermitted);
    QVERIFY(!missing.notUsed.front().why.isEmpty());
    // Output without end is not kept without end.
    const Interrupt interrupt;
    const auto much =
        runChild(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("exec yes")},
                 Deadline(5s), interrupt);
    QVERIFY(much.has_value());
    QVERIFY(much->text.size() <= 128 * 1024);
}

void TestReach::theStepsOfAReport()
{
    ReachReport report;
    report.addresses.resize(1);
    AddressReport& one = report.addresses.front();
    QCOMPARE(stateOf(FarEndStep::Nothing, report), StepState::Absent);
    QCOMPARE(possibleNow(report).size(), size_t(1));
    one.iperf3.outcome = ReachOutcome::Refused; // a machine is there
    QCOMPARE(stateOf(FarEndStep::Nothing, report), StepState::There);
    QCOMPARE(stateOf(FarEndStep::Iperf3, report), StepState::Absent);
    one.iperf3.outcome = ReachOutcome::Reachable;
    one.echo.outcome = ReachOutcome::Reachable;
    QCOMPARE(stateOf(FarEndStep::Iperf3, report), StepState::Perhaps);
    QCOMPARE(stateOf(FarEndStep::NapkinServe, report), StepState::Perhaps);
    QCOMPARE(stateOf(FarEndStep::NapkinPeer, report), StepState::Absent);
    QCOMPARE(possibleNow(report).size(), size_t(2));
    QCOMPARE(farEndSteps().size(), size_t(4));
}

QTEST_GUILESS_MAIN(TestReach)
#include "tst_reach.moc"
