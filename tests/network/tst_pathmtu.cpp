// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/echosizes.h"
#include "core/measure/pathmtu/pathmturun.h"
#include "core/measure/pathmtu/pathmtuserver.h"
#include "tests/support/networklab.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Fate = SizeProbe::Fate;

// Path MTUs of a known truth: black holes, routers that speak, and paths that are whole.
class TestNetworkPathMtu : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBlackHole_data();
    void aBlackHole();
    void bulkAgainstStockIperf3_data();
    void bulkAgainstStockIperf3();
    void aHoleInOneDirectionOnly();
    void aRouterThatSpeaks_data();
    void aRouterThatSpeaks();
    void everyMeansSeesTheSame_data();
    void everyMeansSeesTheSame();
    void nobodyThere();
    void theCableIsCut();
};

namespace {

const QString a = QStringLiteral("a");
const QString b = QStringLiteral("b");
const QString middle = QStringLiteral("middle");
const QString eth0 = QStringLiteral("eth0");

QStringList words(const QString& line)
{
    return line.split(u' ', Qt::SkipEmptyParts);
}

// Runs in the network of a host, on a thread of its own: so do the threads that it starts.
void inHost(const QString& host, const std::function<void()>& what)
{
    std::exception_ptr thrown;
    std::thread([&] {
        try {
            const int fd = ::open(("/run/netns/" + host.toStdString()).c_str(), O_RDONLY);
            if (fd < 0 || ::setns(fd, CLONE_NEWNET) != 0)
                throw std::runtime_error("no such host");
            ::close(fd);
            what();
        } catch (...) {
            thrown = std::current_exception();
        }
    }).join();
    if (thrown)
        std::rethrow_exception(thrown);
}

// Ends with large frames, joined through two bridges whose trunk silently drops what is longer than
// its MTU and four bytes, which a bridge leaves for a VLAN tag.
void buildTrunk(NetworkLab& lab, int trunkMtu)
{
    for (const QString& host : {a, b, middle})
        lab.addHost(host);
    lab.addCable({a, eth0, {QStringLiteral("10.77.0.1/24"), QStringLiteral("fd77::1/64")}},
                 {middle, QStringLiteral("toa"), {}}, 9000);
    lab.addCable({b, eth0, {QStringLiteral("10.77.0.2/24"), QStringLiteral("fd77::2/64")}},
                 {middle, QStringLiteral("tob"), {}}, 9000);
    lab.addCable({middle, QStringLiteral("trunk1"), {}}, {middle, QStringLiteral("trunk2"), {}},
                 trunkMtu);
    lab.addBridge(middle, QStringLiteral("br1"), {QStringLiteral("toa"), QStringLiteral("trunk1")});
    lab.addBridge(middle, QStringLiteral("br2"), {QStringLiteral("tob"), QStringLiteral("trunk2")});
    for (const QString& host : {a, b}) {
        // Super-packets would pass the narrow port whole; and TCP must not find its way round.
        lab.command(host, words(QStringLiteral("ip link set eth0 gso_max_segs 1")));
        lab.command(host, {QStringLiteral("sh"), QStringLiteral("-c"),
                           QStringLiteral("echo 0 >/proc/sys/net/ipv4/tcp_mtu_probing")});
    }
}

ProbeSpec mtuSpec(const QString& to, int port, PathMtuOptions options)
{
    ProbeSpec spec;
    spec.far.host = to;
    spec.far.port = port;
    spec.options = options;
    return spec;
}

// Of host a.
Result<ProbeResult> measure(const QString& to, PathMtuOptions options, int port = 0,
                            const std::optional<DataTicket>& ticket = {})
{
    Result<ProbeResult> result = fail(ErrorCode::Internal);
    inHost(a, [&] {
        const ProbeSpec spec = mtuSpec(to, port, options);
        Route route;
        route.peer = to;
        route.addresses.push_back(*addressFromText(to, port));
        result = PathMtuRun(spec, route, {}, [](const Progress&) {}, ticket).run();
    });
    return result;
}

struct Found
{
    int passed = 0;
    int failed = 0; // the smallest; 0: none
    Fate fate = Fate::Passed;
    std::optional<int> told;
    QString by;
};

Found foundIn(const PathMtuData& data, Direction direction)
{
    Found found;
    for (const SizeProbe& probe : data.probes) {
        if (probe.direction != direction)
            continue;
        if (probe.fate == Fate::Passed) {
            found.passed = std::max(found.passed, probe.size);
        } else if (found.failed == 0 || probe.size < found.failed) {
            found.failed = probe.size;
            found.fate = probe.fate;
            found.told = probe.told;
            found.by = probe.by;
        }
    }
    return found;
}

const PathMtuData& dataOf(const Result<ProbeResult>& result)
{
    if (!result)
        throw std::runtime_error(
            (errorCodeName(result.error().code) + QLatin1Char(' ') + result.error().detail)
                .toStdString());
    return std::get<PathMtuData>(result->data);
}

// What iputils says: the payload passes, and one byte more does not.
bool pingPasses(NetworkLab& lab, const QString& to, int size)
{
    const int headers = to.contains(u':') ? 48 : 28;
    return lab.run(a, words(QStringLiteral("ping -n -M do -c 1 -W 1 -s %1 %2")
                                .arg(size - headers)
                                .arg(to)))
               .exitCode == 0;
}

const PathMtuOptions quick{.timeout = 200ms, .attempts = 3, .bulkCheck = false};

} // namespace

void TestNetworkPathMtu::aBlackHole_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("trunk");
    QTest::addColumn<int>("mtu");
    for (const char* to : {"10.77.0.2", "fd77::2"}) {
        QTest::addRow("%s hole", to) << QString::fromLatin1(to) << 1496 << 1500;
        QTest::addRow("%s whole", to) << QString::fromLatin1(to) << 9000 << 9000;
    }
}

void TestNetworkPathMtu::aBlackHole()
{
    QFETCH(QString, to);
    QFETCH(int, trunk);
    QFETCH(int, mtu);
    NetworkLab lab;
    buildTrunk(lab, trunk);
    const bool isWhole = mtu == 9000;
    const auto check = [&](const PathMtuData& data, Direction direction) {
        const Found found = foundIn(data, direction);
        QCOMPARE(found.passed, mtu);
        QCOMPARE(found.failed, isWhole ? 0 : mtu + 1);
        QCOMPARE(found.fate, isWhole ? Fate::Passed : Fate::Silent);
        QCOMPARE(data.nearInterfaceMtu, std::optional(9000));
        QCOMPARE(data.ipVersion, to.contains(u':') ? 6 : 4);
    };
    const Result<ProbeResult> echoes = measure(to, quick);
    check(dataOf(echoes), Direction::Forward);
    QVERIFY(pingPasses(lab, to, mtu));
    QVERIFY(!pingPasses(lab, to, mtu + 1));

    const DataTicket ticket = DataTicket::create();
    std::unique_ptr<PathMtuServer> server;
    inHost(b, [&] {
        auto started = PathMtuServer::start({QString(), 0, ticket, {}});
        if (!started)
            throw std::runtime_error("no server");
        server = std::move(*started);
    });
    PathMtuOptions withBulk = quick;
    withBulk.bulkCheck = true;
    const auto begin = std::chrono::steady_clock::now();
    const Result<ProbeResult> peer = measure(to, withBulk, server->port(), ticket);
    QVERIFY(std::chrono::steady_clock::now() - begin < 60s);
    const PathMtuData& data = dataOf(peer);
    check(data, Direction::Forward);
    check(data, Direction::Reverse);
    QCOMPARE(peer->completion, Completion::Complete);
    QCOMPARE(data.farInterfaceMtu, std::optional(9000));
    QCOMPARE(data.bulk.size(), size_t(2));
    for (const BulkTransfer& transfer : data.bulk)
        QCOMPARE(transfer.outcome,
                 isWhole ? BulkTransfer::Outcome::Finished : BulkTransfer::Outcome::Stalled);
}

void TestNetworkPathMtu::bulkAgainstStockIperf3_data()
{
    QTest::addColumn<int>("trunk");
    QTest::newRow("hole") << 1496;
    QTest::newRow("whole") << 9000;
}

void TestNetworkPathMtu::bulkAgainstStockIperf3()
{
    QFETCH(int, trunk);
    NetworkLab lab;
    buildTrunk(lab, trunk);
    const Running server = lab.start(b, words(QStringLiteral("iperf3 -s")));
    lab.waitForListener(b, 5201);
    PathMtuOptions withBulk = quick;
    withBulk.bulkCheck = true;
    const auto begin = std::chrono::steady_clock::now();
    const Result<ProbeResult> result = measure(QStringLiteral("10.77.0.2"), withBulk, 5201);
    QVERIFY(std::chrono::steady_clock::now() - begin < 45s);
    const PathMtuData& data = dataOf(result);
    QCOMPARE(data.bulk.size(), size_t(2));
    for (const BulkTransfer& transfer : data.bulk) {
        if (transfer.whyNot)
            qInfo("%s, not made: %s %s", qPrintable(directionName(transfer.direction)),
                  qPrintable(errorCodeName(*transfer.whyNot)), qPrintable(transfer.whyNotDetail));
        QCOMPARE(transfer.outcome,
                 trunk == 9000 ? BulkTransfer::Outcome::Finished : BulkTransfer::Outcome::Stalled);
    }
    if (trunk == 9000) { // a stock server goes on until it is told that it is enough
        QVERIFY(data.bulk[0].arrived.bytes() < 4'000'000);
        QVERIFY2(data.bulk[1].arrived.bytes() < 200'000'000,
                 QByteArray::number(qlonglong(data.bulk[1].arrived.bytes())));
    }
    QCOMPARE(foundIn(data, Direction::Forward).passed, trunk == 9000 ? 9000 : 1500);
}

void TestNetworkPathMtu::aHoleInOneDirectionOnly()
{
    NetworkLab lab;
    buildTrunk(lab, 9000);
    // A token bucket drops what is larger than itself: only what leaves towards a.
    lab.command(middle, words(QStringLiteral(
                            "tc qdisc add dev toa root tbf rate 1gbit burst 1514 limit 1000000")));
    const DataTicket ticket = DataTicket::create();
    std::unique_ptr<PathMtuServer> server;
    inHost(b, [&] { server = std::move(*PathMtuServer::start({QString(), 0, ticket, {}})); });
    PathMtuOptions withBulk = quick;
    withBulk.bulkCheck = true;
    const Result<ProbeResult> peer =
        measure(QStringLiteral("10.77.0.2"), withBulk, server->port(), ticket);
    const PathMtuData& data = dataOf(peer);
    const Found forward = foundIn(data, Direction::Forward);
    const Found reverse = foundIn(data, Direction::Reverse);
    QCOMPARE(forward.passed, 9000);
    QCOMPARE(forward.failed, 0);
    // The bucket is rounded to whole ticks of the kernel's clock.
    QVERIFY2(reverse.passed >= 1480 && reverse.passed <= 1520, QByteArray::number(reverse.passed));
    QCOMPARE(reverse.failed, reverse.passed + 1);
    QCOMPARE(reverse.fate, Fate::Silent);
    QCOMPARE(data.bulk.size(), size_t(2));
    QCOMPARE(data.bulk[0].outcome, BulkTransfer::Outcome::Finished);
    QCOMPARE(data.bulk[1].outcome, BulkTransfer::Outcome::Stalled);
}

namespace {

// a (1,500) - router (1,400) - b: the router says what is too big.
void buildRouter(NetworkLab& lab)
{
    for (const QString& host : {a, b, middle})
        lab.addHost(host);
    lab.addCable({a, eth0, {QStringLiteral("10.1.0.1/24"), QStringLiteral("fd01::1/64")}},
                 {middle,
                  QStringLiteral("toa"),
                  {QStringLiteral("10.1.0.254/24"), QStringLiteral("fd01::fe/64")}});
    lab.addCable({b, eth0, {QStringLiteral("10.2.0.1/24"), QStringLiteral("fd02::1/64")}},
                 {middle,
                  QStringLiteral("tob"),
                  {QStringLiteral("10.2.0.254/24"), QStringLiteral("fd02::fe/64")}},
                 1400);
    lab.command(middle, {QStringLiteral("sh"), QStringLiteral("-c"),
                         QStringLiteral("echo 1 >/proc/sys/net/ipv4/ip_forward; "
                                        "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding")});
    lab.command(a, words(QStringLiteral("ip route add default via 10.1.0.254")));
    lab.command(a, words(QStringLiteral("ip -6 route add default via fd01::fe")));
    lab.command(b, words(QStringLiteral("ip route add default via 10.2.0.254")));
    lab.command(b, words(QStringLiteral("ip -6 route add default via fd02::fe")));
}

} // namespace

void TestNetworkPathMtu::aRouterThatSpeaks_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("router");
    QTest::newRow("IPv4") << QStringLiteral("10.2.0.1") << QStringLiteral("10.1.0.254");
    QTest::newRow("IPv6") << QStringLiteral("fd02::1") << QStringLiteral("fd01::fe");
}

void TestNetworkPathMtu::aRouterThatSpeaks()
{
    QFETCH(QString, to);
    QFETCH(QString, router);
    NetworkLab lab;
    buildRouter(lab);
    QTRY_VERIFY(pingPasses(lab, to, 1300));
    // Once more with what the kernel has learned meanwhile, which must change nothing.
    for (int round = 0; round < 2; ++round) {
        const Result<ProbeResult> result = measure(to, quick);
        const PathMtuData& data = dataOf(result);
        const Found found = foundIn(data, Direction::Forward);
        QCOMPARE(found.passed, 1400);
        QCOMPARE(found.failed, 1401);
        QCOMPARE(found.fate, Fate::TooBigOnWay);
        QCOMPARE(found.told, std::optional(1400));
        QCOMPARE(found.by, router);
        QCOMPARE(data.nearInterfaceMtu, std::optional(1500));
        QVERIFY(pingPasses(lab, to, 1400));
        QVERIFY(!pingPasses(lab, to, 1401));
    }
    const DataTicket ticket = DataTicket::create();
    std::unique_ptr<PathMtuServer> server;
    inHost(b, [&] { server = std::move(*PathMtuServer::start({QString(), 0, ticket, {}})); });
    const Result<ProbeResult> peer = measure(to, quick, server->port(), ticket);
    const PathMtuData& data = dataOf(peer);
    const Found forward = foundIn(data, Direction::Forward);
    QCOMPARE(forward.passed, 1400);
    QCOMPARE(forward.fate, Fate::TooBigOnWay);
    QCOMPARE(forward.by, router);
    const Found reverse = foundIn(data, Direction::Reverse); // limited by b's own interface
    QCOMPARE(reverse.passed, 1400);
    QCOMPARE(data.farInterfaceMtu, std::optional(1400));
}

void TestNetworkPathMtu::everyMeansSeesTheSame_data()
{
    QTest::addColumn<int>("means");
    QTest::newRow("datagram") << int(EchoMeans::Datagram);
    QTest::newRow("raw") << int(EchoMeans::Raw);
    QTest::newRow("ping") << int(EchoMeans::SystemPing);
}

void TestNetworkPathMtu::everyMeansSeesTheSame()
{
    QFETCH(int, means);
    NetworkLab lab;
    buildRouter(lab);
    lab.command(a, {QStringLiteral("sh"), QStringLiteral("-c"),
                    QStringLiteral("echo '0 0' > /proc/sys/net/ipv4/ping_group_range")});
    for (const char* to : {"10.2.0.1", "fd02::1"}) {
        QTRY_VERIFY(pingPasses(lab, QString::fromLatin1(to), 1300));
        std::vector<SizeProbe> seen;
        inHost(a, [&] {
            const Interrupt interrupt;
            auto sizes = EchoSizes::open(*addressFromText(QString::fromLatin1(to), 0), {},
                                         {quick, 1500, {static_cast<EchoMeans>(means)}}, interrupt);
            if (!sizes)
                throw std::runtime_error("no means");
            for (const int size : {1400, 1401, 1500, 1501}) {
                const auto probe = sizes->trySize(size);
                if (!probe)
                    throw std::runtime_error(probe.error().detail.toStdString());
                seen.push_back(*probe);
            }
        });
        QCOMPARE(seen[0].fate, Fate::Passed);
        QCOMPARE(seen[1].fate, Fate::TooBigOnWay);
        QCOMPARE(seen[1].told, std::optional(1400));
        QCOMPARE(seen[2].fate, Fate::TooBigOnWay);
        QCOMPARE(seen[3].fate, Fate::TooBigHere);
    }
}

void TestNetworkPathMtu::nobodyThere()
{
    NetworkLab lab;
    buildTrunk(lab, 9000);
    // Nobody has this address: the kernel says so.
    const Result<ProbeResult> none = measure(QStringLiteral("10.77.0.9"), quick);
    QVERIFY(!none.has_value());
    QCOMPARE(none.error().code, ErrorCode::HostUnreachable);
    // Frames for this one go out and nobody takes them: no hole, but nothing at all.
    lab.command(a,
                words(QStringLiteral("ip neigh add 10.77.0.8 lladdr 02:00:00:00:00:99 dev eth0")));
    const Result<ProbeResult> silent = measure(QStringLiteral("10.77.0.8"), quick);
    const PathMtuData& data = dataOf(silent);
    QCOMPARE(data.probes.size(), size_t(1));
    QCOMPARE(data.probes[0].size, 576);
    QCOMPARE(data.probes[0].fate, Fate::Silent);
}

// A cable that is cut is no black hole.
void TestNetworkPathMtu::theCableIsCut()
{
    NetworkLab lab;
    buildTrunk(lab, 1496);
    PathMtuOptions slow = quick;
    slow.timeout = 1s;
    std::thread cutter([&lab] {
        std::this_thread::sleep_for(1'500ms); // in the middle of 9,000
        lab.command(middle, words(QStringLiteral("ip link set trunk1 down")));
    });
    const auto begin = std::chrono::steady_clock::now();
    const Result<ProbeResult> result = measure(QStringLiteral("10.77.0.2"), slow);
    cutter.join();
    QVERIFY(std::chrono::steady_clock::now() - begin < 14s);
    const PathMtuData& data = dataOf(result);
    QCOMPARE(result->completion, Completion::Partial);
    QVERIFY(result->fault && (result->fault->code == ErrorCode::PeerSilent ||
                              result->fault->code == ErrorCode::HostUnreachable));
    const Found found = foundIn(data, Direction::Forward);
    QCOMPARE(found.passed, 576);
    QCOMPARE(found.failed, 0);
}

int main(int argc, char** argv)
{
    return networkMain<TestNetworkPathMtu>(argc, argv);
}

#include "tst_pathmtu.moc"
