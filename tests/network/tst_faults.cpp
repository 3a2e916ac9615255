// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/network/runs.h"

using namespace napkin::test;
using namespace std::chrono_literals;

// What goes wrong on a wire: every run ends by itself, says what happened, and nothing is recorded
// as complete that was not.
class TestFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blackHole_data();
    void blackHole();
    void cableCut_data();
    void cableCut();
    void aClientBehindACutCableKeepsNobodyOut();
    void serverKilled();
    void nobodyListens();
    void nobodyThere();
    void aNameServerThatIsSilent();

private:
    static QStringList completions(NetworkLab& lab, const Lane& lane);
};

namespace {

enum Exit { Complete = 0, NothingRecorded = 3, EndedEarly = 4 };

// Ends with large frames, joined through two bridges whose trunk silently drops what is longer than
// `trunkMtu` + 4: a bridge leaves room for a VLAN tag. The narrow cable has to be behind a bridge:
// a narrow peer would be noticed by the sender.
void buildTrunk(NetworkLab& lab, int trunkMtu)
{
    const QString a = QStringLiteral("a");
    const QString b = QStringLiteral("b");
    const QString middle = QStringLiteral("middle");
    for (const QString& host : {a, b, middle})
        lab.addHost(host);
    const QString eth0 = QStringLiteral("eth0");
    lab.addCable({a, eth0, {QStringLiteral("10.77.0.1/24")}}, {middle, QStringLiteral("toa"), {}},
                 9000);
    lab.addCable({b, eth0, {QStringLiteral("10.77.0.2/24")}}, {middle, QStringLiteral("tob"), {}},
                 9000);
    lab.addCable({middle, QStringLiteral("trunk1"), {}}, {middle, QStringLiteral("trunk2"), {}},
                 trunkMtu);
    lab.addBridge(middle, QStringLiteral("br1"), {QStringLiteral("toa"), QStringLiteral("trunk1")});
    lab.addBridge(middle, QStringLiteral("br2"), {QStringLiteral("tob"), QStringLiteral("trunk2")});
    for (const QString& host : {a, b}) {
        // Super-packets would pass the narrow port whole; and TCP must not find its way round.
        lab.command(host, {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                           eth0, QStringLiteral("gso_max_segs"), QStringLiteral("1")});
        lab.command(host, {QStringLiteral("sh"), QStringLiteral("-c"),
                           QStringLiteral("echo 0 >/proc/sys/net/ipv4/tcp_mtu_probing")});
    }
}

std::string faultCode(const CommandResult& result)
{
    return documentOf(result).at("error").at("code").get<std::string>();
}

} // namespace

// "complete" or "partial" for every record of the lane's notebook.
QStringList TestFaults::completions(NetworkLab& lab, const Lane& lane)
{
    const CommandResult result =
        lab.run(lane.near(), napkinCli({QStringLiteral("list"), QStringLiteral("--json"),
                                        QStringLiteral("--notebook"), lane.notebook()}));
    QStringList words;
    const nlohmann::json document = documentOf(result);
    for (const auto& record : document.at("records"))
        words += QString::fromStdString(record.at("completion").get<std::string>());
    return words;
}

void TestFaults::blackHole_data()
{
    QTest::addColumn<int>("trunkMtu");
    QTest::addColumn<bool>("passes");
    QTest::newRow("whole") << 9000 << true;
    QTest::newRow("black hole") << 1496 << false;
}

void TestFaults::blackHole()
{
    QFETCH(int, trunkMtu);
    QFETCH(bool, passes);
    NetworkLab lab;
    buildTrunk(lab, trunkMtu);
    Running server =
        lab.start(QStringLiteral("b"), {QStringLiteral("iperf3"), QStringLiteral("-s")});
    lab.waitForListener(QStringLiteral("b"), 5201);
    const QTemporaryDir folder;
    const CommandResult result =
        lab.run(QStringLiteral("a"),
                napkinCli({QStringLiteral("measure"), QStringLiteral("throughput"),
                           QStringLiteral("10.77.0.2"), QStringLiteral("-t"), QStringLiteral("3"),
                           QStringLiteral("--json"), QStringLiteral("--notebook"),
                           folder.filePath(QStringLiteral("hole.napkin"))}),
                40s);
    if (passes) {
        QVERIFY2(result.exitCode == Complete, result.output + result.errors);
        return;
    }
    QVERIFY2(result.exitCode == NothingRecorded, result.output + result.errors);
    QCOMPARE(faultCode(result), std::string("nothing-measured"));
    QVERIFY(result.took < 30s);
    qInfo("ended after %lld ms with exit code %d, %s", static_cast<long long>(result.took.count()),
          result.exitCode, faultCode(result).c_str());
}

void TestFaults::cableCut_data()
{
    QTest::addColumn<int>("flow");
    QTest::newRow("forward") << static_cast<int>(Flow::Forward);
    QTest::newRow("reverse") << static_cast<int>(Flow::Reverse);
    QTest::newRow("bidirectional") << static_cast<int>(Flow::Bidirectional);
}

void TestFaults::cableCut()
{
    QFETCH(int, flow);
    NetworkLab lab;
    Lane lane(lab, 10 + flow, 100'000'000);
    Running server = lane.iperf3Server();
    Running client = lane.napkinClient({static_cast<Flow>(flow), 2, Ip::V4, 20, 0, {}});
    QTest::qSleep(2500);
    lab.command(lane.far(), {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                             QStringLiteral("eth0"), QStringLiteral("down")});
    const CommandResult result = client.finish(40s);
    QVERIFY2(result.exitCode == EndedEarly, result.output + result.errors);
    QVERIFY2(result.took < 20s, QByteArray::number(static_cast<qint64>(result.took.count())));
    qInfo("ended %lld ms after the cut, %s", static_cast<long long>(result.took.count()) - 2500,
          faultCode(result).c_str());
    QCOMPARE(completions(lab, lane), QStringList{QStringLiteral("partial")});
    // The seconds of waiting for a dead cable are no part of what it had carried before.
    const auto summary = documentOf(result).at("record").at("summary");
    for (const char* direction : {"forward", "reverse"}) {
        if (summary.at(direction).is_null())
            continue;
        const auto rate = summary.at(direction).at("throughput_bits_per_second").get<double>();
        QVERIFY2(rate > lane.goodput(Ip::V4) * 0.7 && rate < lane.goodput(Ip::V4) * 1.05,
                 QByteArray::number(rate));
    }
}

void TestFaults::aClientBehindACutCableKeepsNobodyOut()
{
    NetworkLab lab;
    Lane lane(lab, 24, 100'000'000);
    Running server = lane.napkinServer();
    Running client = lane.iperf3Client({Flow::Reverse, 1, Ip::V4, 60, 0, {}});
    QTest::qSleep(2000);
    lab.command(lane.far(), {QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("set"),
                             QStringLiteral("eth0"), QStringLiteral("down")});
    const auto isFree = [&] {
        return lab.run(lane.far(),
                       {QStringLiteral("iperf3"), QStringLiteral("-c"), QStringLiteral("127.0.0.1"),
                        QStringLiteral("-t"), QStringLiteral("1")},
                       10s)
                   .exitCode == 0;
    };
    QVERIFY(!isFree());
    QTRY_VERIFY_WITH_TIMEOUT(isFree(), 25'000);
}

void TestFaults::serverKilled()
{
    NetworkLab lab;
    Lane lane(lab, 20, 100'000'000);
    Running server = lane.iperf3Server();
    Running client = lane.napkinClient({Flow::Forward, 2, Ip::V4, 20, 0, {}});
    QTest::qSleep(2000);
    server.process().kill();
    const CommandResult result = client.finish(40s);
    QVERIFY2(result.exitCode == EndedEarly, result.output + result.errors);
    QVERIFY(result.took < 15s);
    QCOMPARE(completions(lab, lane), QStringList{QStringLiteral("partial")});
}

void TestFaults::nobodyListens()
{
    NetworkLab lab;
    Lane lane(lab, 21, 0);
    const CommandResult result = lane.napkinClient({}).finish(40s);
    QVERIFY2(result.exitCode == NothingRecorded, result.output + result.errors);
    QVERIFY(result.took < 5s);
    QCOMPARE(faultCode(result), std::string("connection-refused"));
    QCOMPARE(completions(lab, lane), QStringList());
}

// An address of the cable's own network that nobody has.
void TestFaults::nobodyThere()
{
    NetworkLab lab;
    Lane lane(lab, 22, 0);
    const CommandResult result =
        lab.run(lane.near(),
                napkinCli({QStringLiteral("measure"), QStringLiteral("throughput"),
                           QStringLiteral("10.22.0.77"), QStringLiteral("--json"),
                           QStringLiteral("--notebook"), lane.notebook()}),
                40s);
    QVERIFY2(result.exitCode == NothingRecorded, result.output + result.errors);
    QVERIFY(result.took < 15s);
    QCOMPARE(completions(lab, lane), QStringList());
}

// The system's resolver goes on trying for 20 s, which is no reason to wait for it.
void TestFaults::aNameServerThatIsSilent()
{
    NetworkLab lab;
    Lane lane(lab, 23, 0);
    lab.command(lane.near(),
                {QStringLiteral("ip"), QStringLiteral("neigh"), QStringLiteral("add"),
                 QStringLiteral("10.23.0.77"), QStringLiteral("lladdr"),
                 QStringLiteral("02:00:00:00:00:77"), QStringLiteral("dev"), lane.nearInterface()});
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("resolv.conf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("nameserver 10.23.0.77\noptions timeout:10 attempts:2\n");
    file.close();
    const QStringList inPlace{QStringLiteral("sh"), QStringLiteral("-c"),
                              QStringLiteral("mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""),
                              file.fileName()};
    const CommandResult result =
        lab.run(lane.near(),
                inPlace + napkinCli({QStringLiteral("measure"), QStringLiteral("throughput"),
                                     QStringLiteral("somewhere.example"), QStringLiteral("--json"),
                                     QStringLiteral("--notebook"), lane.notebook()}),
                40s);
    QVERIFY2(result.exitCode == NothingRecorded, result.output + result.errors);
    QCOMPARE(faultCode(result), std::string("name-not-resolved"));
    QVERIFY2(result.took < 8s, QByteArray::number(static_cast<qint64>(result.took.count())));
}

int main(int argc, char** argv)
{
    return networkMain<TestFaults>(argc, argv);
}

#include "tst_faults.moc"
