// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

using namespace napkin::test;
using namespace std::chrono_literals;

// Two cables to the same machine: a run bound to one of them goes over that one, whatever the
// routes say.
class TestBinding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theRouteDecidesByItself();
    void theInterfaceNamedCarriesTheData_data();
    void theInterfaceNamedCarriesTheData();
    void theSourceAddressIsUsed();
    void anInterfaceThatIsNotThere();
    void anAddressOfSomebodyElse();

private:
    CommandResult measure(const QStringList& more);
    qint64 carried(const QString& interfaceName, const QString& counter)
    {
        return m_lab.counter(m_near, interfaceName, counter);
    }

    NetworkLab m_lab;
    QTemporaryDir m_folder;
    std::unique_ptr<Running> m_server;
    const QString m_near = QStringLiteral("near");
    const QString m_far = QStringLiteral("far");
};

namespace {

// Much more than a conversation takes, much less than a second of data.
constexpr qint64 someData = 2'000'000;

} // namespace

void TestBinding::initTestCase()
{
    m_lab.addHost(m_near);
    m_lab.addHost(m_far);
    for (int i = 0; i < 2; ++i) {
        const QString name = QStringLiteral("eth%1").arg(i);
        const QString address = QStringLiteral("10.%1.0.%2/24").arg(i + 1);
        m_lab.addCable({m_near, name, {address.arg(1)}}, {m_far, name, {address.arg(2)}});
        m_lab.shape(m_near, name, 200'000'000);
        m_lab.shape(m_far, name, 200'000'000);
    }
    // One address that both cables lead to; the first is the better way.
    m_lab.command(m_far,
                  {QStringLiteral("ip"), QStringLiteral("addr"), QStringLiteral("add"),
                   QStringLiteral("10.9.9.9/32"), QStringLiteral("dev"), QStringLiteral("lo")});
    m_lab.command(m_near, {QStringLiteral("sh"), QStringLiteral("-c"),
                           QStringLiteral("ip route add 10.9.9.9 via 10.1.0.2 metric 10 && "
                                          "ip route add 10.9.9.9 via 10.2.0.2 metric 20")});
    m_server = std::make_unique<Running>(
        m_lab.start(m_far, {QStringLiteral("iperf3"), QStringLiteral("-s")}));
    m_lab.waitForListener(m_far, 5201);
}

CommandResult TestBinding::measure(const QStringList& more)
{
    const QStringList words{
        QStringLiteral("measure"),    QStringLiteral("throughput"),
        QStringLiteral("10.9.9.9"),   QStringLiteral("-t"),
        QStringLiteral("1"),          QStringLiteral("--json"),
        QStringLiteral("--notebook"), m_folder.filePath(QStringLiteral("b.napkin"))};
    return m_lab.run(m_near, napkinCli(words + more), 20s);
}

void TestBinding::theRouteDecidesByItself()
{
    const qint64 first = carried(QStringLiteral("eth0"), QStringLiteral("tx_bytes"));
    const qint64 second = carried(QStringLiteral("eth1"), QStringLiteral("tx_bytes"));
    const Figures figures = napkinFigures(measure({}));
    QVERIFY(carried(QStringLiteral("eth0"), QStringLiteral("tx_bytes")) - first >=
            figures.forwardBytes);
    QVERIFY(carried(QStringLiteral("eth1"), QStringLiteral("tx_bytes")) - second < someData);
}

void TestBinding::theInterfaceNamedCarriesTheData_data()
{
    QTest::addColumn<QStringList>("flow");
    QTest::addColumn<QString>("counter");
    QTest::newRow("forward") << QStringList() << QStringLiteral("tx_bytes");
    QTest::newRow("reverse") << QStringList{QStringLiteral("--reverse")}
                             << QStringLiteral("rx_bytes");
}

void TestBinding::theInterfaceNamedCarriesTheData()
{
    QFETCH(QStringList, flow);
    QFETCH(QString, counter);
    const qint64 first = carried(QStringLiteral("eth0"), counter);
    const qint64 second = carried(QStringLiteral("eth1"), counter);
    const CommandResult result =
        measure(flow + QStringList{QStringLiteral("--interface"), QStringLiteral("eth1")});
    const Figures figures = napkinFigures(result);
    QVERIFY(carried(QStringLiteral("eth1"), counter) - second >=
            (flow.isEmpty() ? figures.forwardBytes : figures.reverseBytes));
    QVERIFY(carried(QStringLiteral("eth0"), counter) - first < someData);
    // And the record says so.
    const auto near = documentOf(result).at("record").at("result").at("conditions").at("near");
    QCOMPARE(near.at("interface").get<std::string>(), std::string("eth1"));
}

void TestBinding::theSourceAddressIsUsed()
{
    const qint64 first = carried(QStringLiteral("eth0"), QStringLiteral("tx_bytes"));
    const CommandResult result = measure({QStringLiteral("--source"), QStringLiteral("10.2.0.1")});
    QCOMPARE(result.exitCode, 0);
    const auto near = documentOf(result).at("record").at("result").at("conditions").at("near");
    QCOMPARE(near.at("address").get<std::string>(), std::string("10.2.0.1"));
    // The address belongs to the second cable, and the route still takes the first: the record says
    // which one was measured.
    QVERIFY(carried(QStringLiteral("eth0"), QStringLiteral("tx_bytes")) - first >=
            napkinFigures(result).forwardBytes);
    QCOMPARE(near.at("interface").get<std::string>(), std::string("eth0"));
}

void TestBinding::anInterfaceThatIsNotThere()
{
    const CommandResult result = measure({QStringLiteral("--interface"), QStringLiteral("eth7")});
    QVERIFY2(result.exitCode == 2 || result.exitCode == 3, result.output + result.errors);
    QCOMPARE(documentOf(result).at("error").at("code").get<std::string>(),
             std::string("no-such-interface"));
    QVERIFY(result.took < 5s);
}

void TestBinding::anAddressOfSomebodyElse()
{
    const CommandResult result = measure({QStringLiteral("--source"), QStringLiteral("10.2.0.2")});
    QVERIFY2(result.exitCode == 2 || result.exitCode == 3, result.output + result.errors);
    QCOMPARE(documentOf(result).at("error").at("code").get<std::string>(),
             std::string("address-not-available"));
    QVERIFY(result.took < 5s);
}

int main(int argc, char** argv)
{
    return networkMain<TestBinding>(argc, argv);
}

#include "tst_binding.moc"
