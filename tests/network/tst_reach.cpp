// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

using namespace napkin::test;
using namespace std::chrono_literals;
using nlohmann::json;

// What a machine answers to, seen from another one over a cable of 1,500 bytes.
class TestReach : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void echoesByWhatIsPermitted_data();
    void echoesByWhatIsPermitted();
    void echoesNotPermitted();
    void aBlackHole_data();
    void aBlackHole();
    void nobodyThere();
    void noWayThere();
    void linkLocalWithItsScope();
    void aSmallerRouteMtuIsTold();
    void bindsToTheInterface();
    void stockIperf3ServesAfterwards();
    void stockIperf3IsNotDisturbedInATest();
    void napkinServesAfterwards();

private:
    struct Reached
    {
        int code = -1;
        json document;
        std::chrono::milliseconds took{};
        [[nodiscard]] const json& first() const { return document.at("addresses").at(0); }
    };
    Reached reach(const QString& host, const QStringList& before = {},
                  const QStringList& more = {});
    void permitDatagrams(bool permitted);

    NetworkLab m_lab;
    const QString m_near = QStringLiteral("near");
    const QString m_far = QStringLiteral("far");
};

namespace {

// Root as it is, but for the right to open raw sockets; nor may ping have it.
const QStringList withoutRaw{QStringLiteral("setpriv"), QStringLiteral("--bounding-set=-net_raw"),
                             QStringLiteral("--inh-caps=-net_raw")};

std::string textAt(const json& in, const char* outer, const char* key)
{
    const json& value = in.at(outer).at(key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

} // namespace

void TestReach::initTestCase()
{
    m_lab.addHost(m_near);
    m_lab.addHost(m_far);
    m_lab.addCable({m_near,
                    QStringLiteral("eth0"),
                    {QStringLiteral("10.0.0.1/24"), QStringLiteral("fd00::1/64"),
                     QStringLiteral("fe80::1/64")}},
                   {m_far,
                    QStringLiteral("eth0"),
                    {QStringLiteral("10.0.0.2/24"), QStringLiteral("fd00::2/64"),
                     QStringLiteral("fe80::2/64")}});
    // Frames for these go out and nobody takes them.
    for (const char* address : {"10.0.0.9", "fd00::9"})
        m_lab.command(m_near, {QStringLiteral("ip"), QStringLiteral("neigh"), QStringLiteral("add"),
                               QString::fromLatin1(address), QStringLiteral("lladdr"),
                               QStringLiteral("02:00:00:00:00:99"), QStringLiteral("dev"),
                               QStringLiteral("eth0")});
    permitDatagrams(true);
}

void TestReach::permitDatagrams(bool permitted)
{
    m_lab.command(m_near, {QStringLiteral("sh"), QStringLiteral("-c"),
                           QStringLiteral("echo '%1' > /proc/sys/net/ipv4/ping_group_range")
                               .arg(permitted ? QStringLiteral("0 0") : QStringLiteral("1 0"))});
}

TestReach::Reached TestReach::reach(const QString& host, const QStringList& before,
                                    const QStringList& more)
{
    const CommandResult result = m_lab.run(
        m_near,
        before +
            napkinCli(QStringList{QStringLiteral("reach"), host, QStringLiteral("--json")} + more),
        15s);
    return {result.exitCode, documentOf(result), result.took};
}

void TestReach::echoesByWhatIsPermitted_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("datagrams");
    for (const char* host : {"10.0.0.2", "fd00::2"}) {
        QTest::addRow("%s datagram", host) << QString::fromLatin1(host) << true;
        QTest::addRow("%s raw", host) << QString::fromLatin1(host) << false;
    }
}

void TestReach::echoesByWhatIsPermitted()
{
    QFETCH(QString, host);
    QFETCH(bool, datagrams);
    permitDatagrams(datagrams);
    const Reached seen = reach(host, datagrams ? withoutRaw : QStringList());
    permitDatagrams(true);
    QCOMPARE(seen.code, 0);
    const json& echo = seen.first().at("echo");
    QCOMPARE(echo.at("outcome").get<std::string>(), std::string("reachable"));
    QCOMPARE(echo.at("means").get<std::string>(), std::string(datagrams ? "datagram" : "raw"));
    QCOMPARE(echo.at("not_used").size(), datagrams ? size_t(0) : size_t(1));
    QCOMPARE(echo.at("sent").get<int>(), 5);
    QCOMPARE(echo.at("received").get<int>(), 5);
    QVERIFY(echo.at("least_ns").get<qint64>() > 0);
    QVERIFY(echo.at("median_ns").get<qint64>() >= echo.at("least_ns").get<qint64>());
    QCOMPARE(textAt(seen.first(), "iperf3", "outcome"), std::string("refused"));
    QCOMPARE(textAt(seen.first(), "peer", "outcome"), std::string("refused"));
    QCOMPARE(textAt(seen.first(), "route", "interface"), std::string("eth0"));
    QCOMPARE(seen.first().at("kernel_path_mtu").at("bytes").get<int>(), 1500);
    QCOMPARE(seen.first().at("interface_mtu").at("bytes").get<int>(), 1500);
}

void TestReach::echoesNotPermitted()
{
    permitDatagrams(false);
    const Reached seen = reach(QStringLiteral("10.0.0.2"), withoutRaw);
    permitDatagrams(true);
    QCOMPARE(seen.code, 0); // the ports refused: a machine is there
    QCOMPARE(textAt(seen.first(), "echo", "outcome"), std::string("not-permitted"));
    QVERIFY(!textAt(seen.first(), "echo", "why").empty());
    const json& notUsed = seen.first().at("echo").at("not_used");
    QCOMPARE(notUsed.size(), size_t(3));
    for (const json& one : notUsed)
        QVERIFY(one.at("why").is_string());
}

void TestReach::aBlackHole_data()
{
    QTest::addColumn<QString>("host");
    QTest::newRow("IPv4") << QStringLiteral("10.0.0.9");
    QTest::newRow("IPv6") << QStringLiteral("fd00::9");
}

void TestReach::aBlackHole()
{
    QFETCH(QString, host);
    const Reached seen = reach(host);
    QCOMPARE(seen.code, 3);
    QVERIFY(seen.took < 8s);
    QCOMPARE(seen.document.at("error").at("code").get<std::string>(), std::string("peer-silent"));
    QVERIFY(!seen.document.at("answered").get<bool>());
    for (const char* part : {"echo", "iperf3", "peer"}) {
        QCOMPARE(textAt(seen.first(), part, "outcome"), std::string("no-answer"));
        QVERIFY(!textAt(seen.first(), part, "why").empty());
    }
    QCOMPARE(seen.first().at("echo").at("sent").get<int>(), 5);
    QCOMPARE(seen.first().at("echo").at("received").get<int>(), 0);
}

void TestReach::nobodyThere()
{
    const Reached seen = reach(QStringLiteral("10.0.0.77"));
    QCOMPARE(seen.code, 3);
    QVERIFY(seen.took < 8s);
    QCOMPARE(textAt(seen.first(), "echo", "outcome"), std::string("no-answer"));
    QVERIFY(textAt(seen.first(), "echo", "why").find("No route to host") != std::string::npos);
}

void TestReach::noWayThere()
{
    const Reached seen = reach(QStringLiteral("192.0.2.1"));
    QCOMPARE(seen.code, 3);
    QVERIFY(seen.took < 3s);
    QVERIFY(!textAt(seen.first(), "route", "why_not").empty());
    QVERIFY(textAt(seen.first(), "echo", "why").find("unreachable") != std::string::npos);
}

void TestReach::linkLocalWithItsScope()
{
    const Reached seen = reach(QStringLiteral("fe80::2%eth0"));
    QCOMPARE(seen.code, 0);
    QCOMPARE(seen.first().at("address").get<std::string>(), std::string("fe80::2%eth0"));
    QCOMPARE(textAt(seen.first(), "echo", "outcome"), std::string("reachable"));
    QCOMPARE(textAt(seen.first(), "iperf3", "outcome"), std::string("refused"));
    const Reached bare = reach(QStringLiteral("fe80::2"));
    QCOMPARE(bare.code, 3);
    QVERIFY(textAt(bare.first(), "echo", "why").find("%eth0") != std::string::npos);
}

void TestReach::aSmallerRouteMtuIsTold()
{
    m_lab.command(m_near, {QStringLiteral("ip"), QStringLiteral("route"), QStringLiteral("add"),
                           QStringLiteral("10.0.0.2"), QStringLiteral("dev"),
                           QStringLiteral("eth0"), QStringLiteral("mtu"), QStringLiteral("1400")});
    const Reached seen = reach(QStringLiteral("10.0.0.2"));
    m_lab.command(m_near, {QStringLiteral("ip"), QStringLiteral("route"), QStringLiteral("del"),
                           QStringLiteral("10.0.0.2")});
    QCOMPARE(seen.first().at("kernel_path_mtu").at("bytes").get<int>(), 1400);
    QCOMPARE(seen.first().at("interface_mtu").at("bytes").get<int>(), 1500);
}

void TestReach::bindsToTheInterface()
{
    const Reached seen = reach(QStringLiteral("10.0.0.2"), withoutRaw,
                               {QStringLiteral("--interface"), QStringLiteral("eth0"),
                                QStringLiteral("--source"), QStringLiteral("10.0.0.1")});
    QCOMPARE(seen.code, 0);
    QCOMPARE(textAt(seen.first(), "echo", "outcome"), std::string("reachable"));
    // Nothing answers through loopback.
    const Reached wrong = reach(QStringLiteral("10.0.0.2"), withoutRaw,
                                {QStringLiteral("--interface"), QStringLiteral("lo")});
    QVERIFY(textAt(wrong.first(), "echo", "outcome") != "reachable");
}

void TestReach::stockIperf3ServesAfterwards()
{
    const Running server = m_lab.start(m_far, {QStringLiteral("iperf3"), QStringLiteral("-s")});
    m_lab.waitForListener(m_far, 5201);
    const Reached seen = reach(QStringLiteral("10.0.0.2"));
    QCOMPARE(textAt(seen.first(), "iperf3", "outcome"), std::string("reachable"));
    const CommandResult measured = m_lab.run(
        m_near, {QStringLiteral("iperf3"), QStringLiteral("-c"), QStringLiteral("10.0.0.2"),
                 QStringLiteral("-t"), QStringLiteral("1"), QStringLiteral("-J")});
    QVERIFY(iperf3Figures(measured).forwardBytes.value_or(0) > 0);
}

void TestReach::stockIperf3IsNotDisturbedInATest()
{
    const Running server = m_lab.start(m_far, {QStringLiteral("iperf3"), QStringLiteral("-s")});
    m_lab.waitForListener(m_far, 5201);
    Running client = m_lab.start(m_near, {QStringLiteral("iperf3"), QStringLiteral("-c"),
                                          QStringLiteral("10.0.0.2"), QStringLiteral("-t"),
                                          QStringLiteral("4"), QStringLiteral("-J")});
    QTest::qWait(1'000);
    const Reached seen = reach(QStringLiteral("10.0.0.2"));
    QCOMPARE(textAt(seen.first(), "iperf3", "outcome"), std::string("reachable"));
    QVERIFY(iperf3Figures(client.finish(15s)).forwardBytes.value_or(0) > 0);
}

void TestReach::napkinServesAfterwards()
{
    const Running server = m_lab.start(m_far, napkinCli({QStringLiteral("serve")}));
    m_lab.waitForListener(m_far, 5201);
    const Reached seen = reach(QStringLiteral("10.0.0.2"));
    QCOMPARE(textAt(seen.first(), "iperf3", "outcome"), std::string("reachable"));
    const CommandResult measured = m_lab.run(
        m_near, {QStringLiteral("iperf3"), QStringLiteral("-c"), QStringLiteral("10.0.0.2"),
                 QStringLiteral("-t"), QStringLiteral("1"), QStringLiteral("-J")});
    QVERIFY(iperf3Figures(measured).forwardBytes.value_or(0) > 0);
}

int main(int argc, char** argv)
{
    return networkMain<TestReach>(argc, argv);
}

#include "tst_reach.moc"
