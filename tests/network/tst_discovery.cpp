// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/discovery.h"
#include "tests/network/runs.h"

#include <set>

using namespace napkin::test;
using namespace std::chrono_literals;
using nlohmann::json;

// Three machines on one switch: who asks finds who announces, and nobody else.
class TestDiscovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nobodyAnnounces();
    void findsOverIpv4AndIpv6();
    void servesAndAnnounces();
    void findsWithIpv6Alone();

private:
    json discover(const QString& host, const QString& time);
    Running announce(const QString& host);

    NetworkLab m_lab;
};

namespace {

// The test's own program as an announcer, in another machine of the lab.
int announceOnly(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const auto announcer = napkin::Announcer::start(
        {{QString::fromLocal8Bit(argv[2]), napkin::PeerId::create(), 5210, 5201}});
    return announcer ? QCoreApplication::exec() : 1;
}

std::set<std::string> addressesOf(const json& document, const std::string& name)
{
    std::set<std::string> addresses;
    for (const json& one : document.at("found")) {
        if (one.at("says_name") == name)
            addresses.insert(one.at("address").get<std::string>());
    }
    return addresses;
}

bool hasIpv6(const std::set<std::string>& addresses)
{
    return std::any_of(addresses.begin(), addresses.end(),
                       [](const std::string& address) { return address.starts_with("fe80::"); });
}

} // namespace

void TestDiscovery::initTestCase()
{
    const QString middle = QStringLiteral("switch");
    m_lab.addHost(middle);
    QStringList ports;
    for (const char* name : {"a", "b", "c"}) {
        const QString host = QString::fromLatin1(name);
        const QString port = QStringLiteral("p%1").arg(host);
        const auto number = ports.size() + 1;
        m_lab.addHost(host);
        m_lab.addCable({host,
                        QStringLiteral("eth0"),
                        {QStringLiteral("10.0.0.%1/24").arg(number),
                         QStringLiteral("fe80::%1/64").arg(number)}},
                       {middle, port, {}});
        ports << port;
    }
    m_lab.addBridge(middle, QStringLiteral("br0"), ports);
}

Running TestDiscovery::announce(const QString& host)
{
    return m_lab.start(
        host, {QCoreApplication::applicationFilePath(), QStringLiteral("--announce"), host});
}

json TestDiscovery::discover(const QString& host, const QString& time)
{
    const CommandResult result =
        m_lab.run(host,
                  napkinCli({QStringLiteral("discover"), QStringLiteral("--json"),
                             QStringLiteral("--time"), time}),
                  15s);
    if (result.exitCode != 0)
        throw std::runtime_error(result.errors.toStdString());
    return documentOf(result);
}

void TestDiscovery::nobodyAnnounces()
{
    const json document = discover(QStringLiteral("a"), QStringLiteral("1 s"));
    QVERIFY(document.at("found").empty());
}

void TestDiscovery::findsOverIpv4AndIpv6()
{
    const Running b = announce(QStringLiteral("b"));
    const Running c = announce(QStringLiteral("c"));
    const json document = discover(QStringLiteral("a"), QStringLiteral("4 s"));
    const auto ofB = addressesOf(document, "b");
    const auto ofC = addressesOf(document, "c");
    QVERIFY2(ofB.contains("10.0.0.2") && hasIpv6(ofB), document.dump().c_str());
    QVERIFY2(ofC.contains("10.0.0.3") && hasIpv6(ofC), document.dump().c_str());
    QVERIFY(addressesOf(document, "a").empty());
}

void TestDiscovery::servesAndAnnounces()
{
    const QTemporaryDir folder;
    const auto serve = [&](const QString& host, const QStringList& more) {
        return m_lab.start(
            host, napkinCli(QStringList{QStringLiteral("serve"), QStringLiteral("--peer"),
                                        QStringLiteral("--peers"),
                                        folder.filePath(host + QStringLiteral("/p.json"))} +
                            more));
    };
    const Running b = serve(QStringLiteral("b"), {QStringLiteral("--announce")});
    const Running c = serve(QStringLiteral("c"), {}); // not told to
    m_lab.waitForListener(QStringLiteral("b"), 5201);
    m_lab.waitForListener(QStringLiteral("c"), 5201);
    const json document = discover(QStringLiteral("a"), QStringLiteral("3 s"));
    std::set<std::string> addresses;
    for (const json& one : document.at("found")) {
        addresses.insert(one.at("address").get<std::string>());
        QCOMPARE(one.at("says_peer_port").get<int>(), 5210);
        QCOMPARE(one.at("says_iperf3_port").get<int>(), 5201);
    }
    QVERIFY2(addresses.contains("10.0.0.2") && !addresses.contains("10.0.0.3"),
             document.dump().c_str());
}

void TestDiscovery::findsWithIpv6Alone()
{
    m_lab.command(QStringLiteral("a"),
                  {QStringLiteral("ip"), QStringLiteral("-4"), QStringLiteral("addr"),
                   QStringLiteral("flush"), QStringLiteral("dev"), QStringLiteral("eth0")});
    const Running b = announce(QStringLiteral("b"));
    const json document = discover(QStringLiteral("a"), QStringLiteral("3 s"));
    QVERIFY2(hasIpv6(addressesOf(document, "b")), document.dump().c_str());
}

int main(int argc, char** argv)
{
    if (argc == 3 && qstrcmp(argv[1], "--announce") == 0)
        return announceOnly(argc, argv);
    return networkMain<TestDiscovery>(argc, argv);
}

#include "tst_discovery.moc"
