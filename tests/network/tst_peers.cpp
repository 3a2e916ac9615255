// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

#include <QDir>
#include <QRegularExpression>

using namespace napkin::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr qint64 houseRate = 100'000'000;
constexpr qint64 directRate = 1'000'000'000;
const QString directCable = QStringLiteral("direct");

} // namespace

// A laptop and two machines in a slow house network; the two have a fast cable between them, which
// the laptop is not on.
class TestPeers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void factsOfAPeer();
    void theCableBetweenTwoOthers_data();
    void theCableBetweenTwoOthers();
    void otherTrafficOnTheCable();
    void twoInterfacesOnOneSubnet_data();
    void twoInterfacesOnOneSubnet();
    void theRouteIsBentOverTheSlowNetwork_data();
    void theRouteIsBentOverTheSlowNetwork();
    void aRevokedMachineIsRefused();

private:
    QStringList cli(const QString& host, const QStringList& words) const;
    CommandResult measure(const QStringList& words);
    CommandResult measureDirect(const QStringList& more);
    void pair(const QString& host, const QString& address);
    QString macOf(const QString& host, const QString& interfaceName);

    NetworkLab m_lab;
    QTemporaryDir m_folder;
    std::vector<Running> m_serving;
    const QString m_laptop = QStringLiteral("laptop");
    const QString m_a = QStringLiteral("a");
    const QString m_b = QStringLiteral("b");
};

namespace {

bool hasFlag(const json& result, const char* flag)
{
    for (const json& note : result.at("quality")) {
        if (note.at("flag") == flag)
            return true;
    }
    return false;
}

QString evidenceOf(const json& result, const char* flag)
{
    for (const json& note : result.at("quality")) {
        if (note.at("flag") == flag)
            return QString::fromStdString(note.at("evidence").get<std::string>());
    }
    return {};
}

json resultOf(const CommandResult& run)
{
    const json document = documentOf(run);
    if (!document.contains("record") || document.at("record").is_null())
        throw std::runtime_error((run.output + run.errors).toStdString());
    return document.at("record").at("result");
}

} // namespace

QStringList TestPeers::cli(const QString& host, const QStringList& words) const
{
    return QStringList{QStringLiteral("env"),
                       QStringLiteral("NAPKIN_PEERS=%1/%2/peers.json").arg(m_folder.path(), host)} +
           napkinCli(words);
}

CommandResult TestPeers::measure(const QStringList& words)
{
    const QStringList common{QStringLiteral("measure"), QStringLiteral("throughput")};
    const QStringList into{QStringLiteral("--notebook"), m_folder.filePath(QStringLiteral("n")),
                           QStringLiteral("-t"), QStringLiteral("2")};
    return m_lab.run(m_laptop, cli(m_laptop, common + words + into), 40s);
}

CommandResult TestPeers::measureDirect(const QStringList& more)
{
    return measure(QStringList{QStringLiteral("10.0.1.2"), QStringLiteral("--near"), m_a,
                               QStringLiteral("--far"), m_b, QStringLiteral("--link"), directCable,
                               QStringLiteral("--class"), QStringLiteral("ethernet-1g")} +
                   more);
}

void TestPeers::pair(const QString& host, const QString& address)
{
    m_serving.push_back(
        m_lab.start(host, cli(host, {QStringLiteral("serve"), QStringLiteral("--peer"),
                                     QStringLiteral("--no-iperf3"), QStringLiteral("--json")})));
    m_lab.waitForListener(host, 5210);
    const json invited =
        documentOf(m_lab.run(host, cli(host, {QStringLiteral("peers"), QStringLiteral("invite"),
                                              QStringLiteral("--json")})));
    const QString code = QString::fromStdString(invited.at("code").get<std::string>());
    const CommandResult paired =
        m_lab.run(m_laptop, cli(m_laptop, {QStringLiteral("peers"), QStringLiteral("pair"), address,
                                           code, QStringLiteral("--name"), host}));
    if (paired.exitCode != 0)
        throw std::runtime_error((paired.output + paired.errors).toStdString());
}

QString TestPeers::macOf(const QString& host, const QString& interfaceName)
{
    return QString::fromLatin1(
        m_lab
            .command(host, {QStringLiteral("cat"),
                            QStringLiteral("/sys/class/net/%1/address").arg(interfaceName)})
            .trimmed());
}

void TestPeers::initTestCase()
{
    const QString house = QStringLiteral("house");
    m_lab.addHost(house);
    QStringList ports;
    int number = 0;
    for (const QString& host : {m_laptop, m_a, m_b}) {
        ++number;
        m_lab.addHost(host);
        QDir(m_folder.path()).mkdir(host);
        QFile::setPermissions(m_folder.filePath(host), QFileDevice::ReadOwner |
                                                           QFileDevice::WriteOwner |
                                                           QFileDevice::ExeOwner);
        ports << QStringLiteral("p%1").arg(number);
        m_lab.addCable({host, QStringLiteral("eth0"), {QStringLiteral("10.0.0.%1/24").arg(number)}},
                       {house, ports.back(), {}});
        m_lab.shape(host, QStringLiteral("eth0"), houseRate);
    }
    m_lab.addBridge(house, QStringLiteral("br0"), ports);
    const QString direct = QStringLiteral("eth1");
    m_lab.addCable({m_a, direct, {QStringLiteral("10.0.1.1/24")}},
                   {m_b, direct, {QStringLiteral("10.0.1.2/24")}});
    for (const QString& host : {m_a, m_b})
        m_lab.shape(host, direct, directRate);
    pair(m_a, QStringLiteral("10.0.0.2"));
    pair(m_b, QStringLiteral("10.0.0.3"));
}

void TestPeers::factsOfAPeer()
{
    const json document = documentOf(m_lab.run(
        m_laptop, cli(m_laptop, {QStringLiteral("facts"), m_a, QStringLiteral("--json")})));
    QStringList names;
    for (const json& interface : document.at("facts").at("interfaces"))
        names << QString::fromStdString(interface.at("name").get<std::string>());
    QVERIFY(names.contains(QStringLiteral("eth1"))); // which the laptop does not have
}

void TestPeers::theCableBetweenTwoOthers_data()
{
    QTest::addColumn<QStringList>("flow");
    QTest::newRow("forward") << QStringList();
    QTest::newRow("reverse") << QStringList{QStringLiteral("--reverse")};
    QTest::newRow("both ways") << QStringList{QStringLiteral("--bidirectional")};
}

void TestPeers::theCableBetweenTwoOthers()
{
    QFETCH(QStringList, flow);
    const CommandResult run = measureDirect(flow + QStringList{QStringLiteral("--json")});
    const Figures figures = napkinFigures(run);
    for (const auto& rate : {figures.forward, figures.reverse}) {
        if (rate)
            QVERIFY2(*rate > 2 * houseRate && *rate < directRate, run.output);
    }
    const json result = resultOf(run);
    const json& spec = result.at("spec");
    QVERIFY(!spec.at("controller").contains("peer"));
    QVERIFY(!spec.at("controller").at("name").get<std::string>().empty());
    QCOMPARE(spec.at("near").at("name").get<std::string>(), std::string("a"));
    QCOMPARE(spec.at("far").at("name").get<std::string>(), std::string("b"));
    QVERIFY(spec.at("near").at("peer") != spec.at("far").at("peer"));
    QVERIFY(spec.at("link").is_string());
    for (const char* end : {"near", "far"}) {
        const json& host = result.at("conditions").at(end);
        QCOMPARE(host.at("interface").get<std::string>(), std::string("eth1"));
        QVERIFY(host.at("facts").is_object() && host.at("activity").is_object());
    }
    QVERIFY(!hasFlag(result, "wrong-interface"));
    QVERIFY2(!hasFlag(result, "background-traffic"),
             qPrintable(evidenceOf(result, "background-traffic")));
}

void TestPeers::otherTrafficOnTheCable()
{
    const Running server =
        m_lab.start(m_b, {QStringLiteral("iperf3"), QStringLiteral("-s"), QStringLiteral("-1")});
    m_lab.waitForListener(m_b, 5201);
    const Running client =
        m_lab.start(m_a, {QStringLiteral("iperf3"), QStringLiteral("-c"),
                          QStringLiteral("10.0.1.2"), QStringLiteral("-b"), QStringLiteral("200M"),
                          QStringLiteral("-t"), QStringLiteral("30")});
    QTest::qWait(500);
    const json result = resultOf(measureDirect({QStringLiteral("--json")}));
    const QString evidence = evidenceOf(result, "background-traffic");
    static const QRegularExpression rate(QStringLiteral("\\(([0-9.]+)[^0-9A-Za-z]+Mb/s\\)"));
    const auto told = rate.match(evidence);
    QVERIFY2(told.hasMatch(), qPrintable(evidence));
    const double megabits = told.captured(1).toDouble();
    QVERIFY2(megabits > 100 && megabits < 400, qPrintable(evidence));
    QVERIFY(result.at("spec").at("link").is_string()); // it was the right wire
}

void TestPeers::twoInterfacesOnOneSubnet_data()
{
    QTest::addColumn<QString>("answering");
    QTest::newRow("its own") << QStringLiteral("eth2");
    QTest::newRow("the other one") << QStringLiteral("eth0");
}

// The kernel answers for an address on whichever interface the question comes in.
void TestPeers::twoInterfacesOnOneSubnet()
{
    QFETCH(QString, answering);
    const QString house = QStringLiteral("house");
    const QString second = QStringLiteral("eth2");
    if (m_lab
            .run(m_b,
                 {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("show"), second})
            .exitCode != 0) {
        m_lab.addCable({m_b, second, {QStringLiteral("10.0.0.4/24")}},
                       {house, QStringLiteral("p4"), {}});
        m_lab.command(house,
                      {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                       QStringLiteral("p4"), QStringLiteral("master"), QStringLiteral("br0")});
    }
    m_lab.command(m_laptop,
                  {QStringLiteral("ip"), QStringLiteral("neigh"), QStringLiteral("replace"),
                   QStringLiteral("10.0.0.4"), QStringLiteral("lladdr"), macOf(m_b, answering),
                   QStringLiteral("dev"), QStringLiteral("eth0")});
    const json result = resultOf(measure(
        {QStringLiteral("10.0.0.4"), QStringLiteral("--far"), m_b, QStringLiteral("--json")}));
    QCOMPARE(hasFlag(result, "wrong-interface"), answering != second);
    if (answering != second)
        QVERIFY(evidenceOf(result, "wrong-interface").contains(QStringLiteral("eth0 carried")));
}

void TestPeers::theRouteIsBentOverTheSlowNetwork_data()
{
    theCableBetweenTwoOthers_data();
}

void TestPeers::theRouteIsBentOverTheSlowNetwork()
{
    QFETCH(QStringList, flow);
    const auto bend = [this](const QString& host, const QString& to, const QString& via) {
        m_lab.command(host,
                      {QStringLiteral("ip"), QStringLiteral("route"), QStringLiteral("replace"), to,
                       QStringLiteral("via"), via, QStringLiteral("dev"), QStringLiteral("eth0")});
    };
    // What another test added could answer for the slow network, too.
    m_lab.run(m_b, {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("delete"),
                    QStringLiteral("eth2")});
    m_lab.command(m_a, {QStringLiteral("ip"), QStringLiteral("neigh"), QStringLiteral("flush"),
                        QStringLiteral("all")});
    bend(m_a, QStringLiteral("10.0.1.2/32"), QStringLiteral("10.0.0.3"));
    bend(m_b, QStringLiteral("10.0.1.1/32"), QStringLiteral("10.0.0.2"));
    const CommandResult run = measureDirect(flow + QStringList{QStringLiteral("--json")});
    const json result = resultOf(run);
    QVERIFY2(hasFlag(result, "wrong-interface"), run.output);
    QVERIFY(result.at("spec").at("link").is_null());
    QVERIFY(result.at("spec").at("intended_link").is_string());
    if (!flow.isEmpty())
        return;
    const QByteArray text = measureDirect({}).output.simplified();
    QVERIFY2(text.contains("Not filed under") && text.contains("went through eth0"), text);
    const QByteArray listed =
        m_lab
            .run(m_laptop, cli(m_laptop, {QStringLiteral("worksheet"), QStringLiteral("--json"),
                                          QStringLiteral("--notebook"),
                                          m_folder.filePath(QStringLiteral("n"))}))
            .output;
    QVERIFY(!listed.isEmpty());
}

void TestPeers::aRevokedMachineIsRefused()
{
    const json peers =
        documentOf(m_lab.run(m_a, cli(m_a, {QStringLiteral("peers"), QStringLiteral("list"),
                                            QStringLiteral("--json")})));
    const auto id = peers.at("peers").at(0).at("id").get<std::string>();
    m_lab.command(m_a, cli(m_a, {QStringLiteral("peers"), QStringLiteral("revoke"),
                                 QString::fromStdString(id)}));
    const CommandResult run = measureDirect({QStringLiteral("--json")});
    QVERIFY(run.exitCode != 0);
    QCOMPARE(documentOf(run).at("error").at("code").get<std::string>(),
             std::string("peer-refused"));
}

int main(int argc, char** argv)
{
    return networkMain<TestPeers>(argc, argv);
}

#include "tst_peers.moc"
