// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

#include <QDir>

using namespace napkin::test;
using namespace std::chrono_literals;
using nlohmann::json;

// A soak over a cable of known rate that is cut, and mended.
class TestNetworkSoak : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void clean();
    void cutAndMended_data();
    void cutAndMended();

private:
    QStringList cli(const QString& host, const QStringList& words) const;
    QStringList soak(const QStringList& more) const;
    void setLink(const char* state);

    static constexpr qint64 rate = 100'000'000;
    NetworkLab m_lab;
    QTemporaryDir m_folder;
    std::vector<Running> m_serving;
    const QString m_near = QStringLiteral("near");
    const QString m_far = QStringLiteral("far");
    const QString m_port = QStringLiteral("eth0");
};

QStringList TestNetworkSoak::cli(const QString& host, const QStringList& words) const
{
    return QStringList{QStringLiteral("env"),
                       QStringLiteral("NAPKIN_PEERS=%1/%2/peers.json").arg(m_folder.path(), host)} +
           napkinCli(words);
}

QStringList TestNetworkSoak::soak(const QStringList& more) const
{
    return cli(m_near,
               QStringList{QStringLiteral("measure"), QStringLiteral("soak"),
                           QStringLiteral("--far"), m_far, QStringLiteral("--json"),
                           QStringLiteral("--notebook"), m_folder.filePath(QStringLiteral("n"))} +
                   more);
}

// Of the far machine's port: the near one loses its carrier, too.
void TestNetworkSoak::setLink(const char* state)
{
    m_lab.command(m_far, {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                          m_port, QString::fromLatin1(state)});
}

void TestNetworkSoak::initTestCase()
{
    for (const QString& host : {m_near, m_far}) {
        m_lab.addHost(host);
        QDir(m_folder.path()).mkdir(host);
        QFile::setPermissions(m_folder.filePath(host), QFileDevice::ReadOwner |
                                                           QFileDevice::WriteOwner |
                                                           QFileDevice::ExeOwner);
    }
    m_lab.addCable({m_near, m_port, {QStringLiteral("10.0.0.1/24")}},
                   {m_far, m_port, {QStringLiteral("10.0.0.2/24")}});
    for (const QString& host : {m_near, m_far})
        m_lab.shape(host, m_port, rate);
    m_serving.push_back(
        m_lab.start(m_far, cli(m_far, {QStringLiteral("serve"), QStringLiteral("--peer"),
                                       QStringLiteral("--no-iperf3"), QStringLiteral("--json")})));
    m_lab.waitForListener(m_far, 5210);
    const json invited =
        documentOf(m_lab.run(m_far, cli(m_far, {QStringLiteral("peers"), QStringLiteral("invite"),
                                                QStringLiteral("--json")})));
    const QString code = QString::fromStdString(invited.at("code").get<std::string>());
    const CommandResult paired = m_lab.run(
        m_near, cli(m_near, {QStringLiteral("peers"), QStringLiteral("pair"),
                             QStringLiteral("10.0.0.2"), code, QStringLiteral("--name"), m_far}));
    QVERIFY2(paired.exitCode == 0, paired.output + paired.errors);
}

// What a cable of known rate carries is what was checked, both ways.
void TestNetworkSoak::clean()
{
    const CommandResult result =
        m_lab.run(m_near, soak({QStringLiteral("--time"), QStringLiteral("10")}), 40s);
    QVERIFY2(result.exitCode == 0, result.output + result.errors);
    const json summary = documentOf(result).at("record").at("summary");
    QCOMPARE(summary.at("faults").get<int>(), 0);
    for (const char* way : {"forward", "reverse"}) {
        const auto mean = summary.at(way).at("mean_bits_per_second").get<double>();
        // Acknowledgements of the other direction take a share.
        QVERIFY2(mean > 0.85 * rate && mean < 0.97 * rate, result.output);
    }
}

void TestNetworkSoak::cutAndMended_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<bool>("isLost");
    QTest::newRow("a moment: a stall") << 2 << false;
    QTest::newRow("longer: a drop-out") << 7 << true;
}

void TestNetworkSoak::cutAndMended()
{
    QFETCH(int, seconds);
    QFETCH(bool, isLost);
    Running client =
        m_lab.start(m_near, soak({QStringLiteral("--time"), QStringLiteral("25"),
                                  QStringLiteral("--lost-after"),
                                  isLost ? QStringLiteral("4 s") : QStringLiteral("20 s")}));
    QTest::qSleep(5'000);
    setLink("down");
    QTest::qSleep(seconds * 1'000);
    setLink("up");
    const CommandResult result = client.finish(60s);
    QVERIFY2(result.exitCode == 0, result.output + result.errors);
    const json record = documentOf(result).at("record");
    const json summary = record.at("summary");
    QCOMPARE(summary.at("drop_outs").get<int>(), isLost ? 1 : 0);
    QCOMPARE(summary.at("stalls").get<int>(), isLost ? 0 : 2);
    const auto longest =
        summary.at(isLost ? "longest_drop_out_ns" : "longest_stall_ns").get<double>() / 1e9;
    // TCP tries again at intervals that double, and a lost connection is tried every few seconds.
    QVERIFY2(longest > seconds - 0.5 && longest < 2.2 * seconds + 4, result.output);
    for (const char* way : {"forward", "reverse"}) {
        QCOMPARE(summary.at(way).at("corrupted").get<int>(), 0);
        QCOMPARE(summary.at(way).at("lost").get<int>(), 0);
        const auto mean = summary.at(way).at("checked_bytes").get<double>() * 8 / 25;
        QVERIFY2(mean > 0.3 * rate, result.output); // it went on
    }
    for (const json& event : record.at("result").at("data").at("events"))
        QVERIFY2(!event.at("open").get<bool>(), result.output);
}

int main(int argc, char** argv)
{
    return networkMain<TestNetworkSoak>(argc, argv);
}
#include "tst_soak.moc"
