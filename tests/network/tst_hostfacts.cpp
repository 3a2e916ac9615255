// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/host/activitywatch.h"
#include "core/measure/host/counters.h"
#include "core/measure/host/hostfacts.h"
#include "core/measure/host/route.h"
#include "tests/support/networklab.h"

#include <QFile>

#include <arpa/inet.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

QString run(const QString& line)
{
    Running running(QStringLiteral("sh"), {QStringLiteral("-c"), line});
    const CommandResult result = running.finish(10s);
    if (result.exitCode != 0)
        throw std::runtime_error((line.toUtf8() + ": " + result.errors).toStdString());
    return QString::fromUtf8(result.output);
}

bool works(const QString& line)
{
    Running running(QStringLiteral("sh"), {QStringLiteral("-c"), line});
    return running.finish(10s).exitCode == 0;
}

Json tell(const QString& line)
{
    return Json::parse(run(line).toStdString());
}

QString textIn(const Json& json, const char* key)
{
    return json.contains(key) ? QString::fromStdString(json[key].get<std::string>()) : QString();
}

bool hasFlag(const Json& link, const char* flag)
{
    const Json& flags = link["flags"];
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

QString kindOf(const Json& link)
{
    return link.contains("linkinfo") ? textIn(link["linkinfo"], "info_kind") : QString();
}

} // namespace

// What is read of this machine against what `ip`, `ethtool` and /proc say, in a namespace with one
// interface of each kind that the kernel can make.
class TestHostFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void interfacesAreAsIpSays();
    void kindsAreTold();
    void membersAndCarriers();
    void offloadsAreAsEthtoolSays();
    void reasonsAreGiven();
    void countersAreAsTheKernelHasThem();
    void routesAreAsIpSays_data();
    void routesAreAsIpSays();
    void noWayIsSaidSo();
    void defaultRoutesAreAsIpSays();
    void activityIsSeen();

private:
    [[nodiscard]] const InterfaceFacts& fact(const QString& name) const
    {
        const auto found = std::ranges::find(m_facts.interfaces, name, &InterfaceFacts::name);
        if (found == m_facts.interfaces.end())
            throw std::runtime_error("not told of: " + name.toStdString());
        return *found;
    }

    std::map<QString, InterfaceKind> m_made; // beyond those that every kernel has
    HostFacts m_facts;
};

void TestHostFacts::initTestCase()
{
    run(QStringLiteral(
        "ip link set lo up && ip link add v0 mtu 1400 type veth peer name v1 mtu 1400 && "
        "ip link add x0 type veth peer name x1 && ip link add name b0 type bridge && "
        "ip link set v1 master b0 && ip link set v0 up && ip link set v1 up && ip link set b0 up "
        "&& "
        "ip link set x0 up && ip link set x1 up && ip link add off0 type veth peer name off1 && "
        "ip addr add 10.1.0.1/24 dev v0 && ip addr add 10.1.0.3/24 dev x0 && "
        "ip addr add fd00:1::1/64 dev v0 nodad && ip addr add 10.9.0.1 peer 10.9.0.2/32 dev x1"));
    const std::vector<std::tuple<QString, QString, InterfaceKind>> perhaps{
        {QStringLiteral("d0"), QStringLiteral("ip link add d0 type dummy"), InterfaceKind::Virtual},
        {QStringLiteral("vl7"), QStringLiteral("ip link add link v0 name vl7 type vlan id 7"),
         InterfaceKind::Vlan},
        {QStringLiteral("mv0"), QStringLiteral("ip link add link x1 name mv0 type macvlan"),
         InterfaceKind::Virtual},
        {QStringLiteral("bo0"), QStringLiteral("ip link add bo0 type bond"), InterfaceKind::Bond},
        {QStringLiteral("tun7"), QStringLiteral("ip tuntap add tun7 mode tun"),
         InterfaceKind::Tunnel},
        {QStringLiteral("tap7"), QStringLiteral("ip tuntap add tap7 mode tap"),
         InterfaceKind::Virtual},
        {QStringLiteral("vx7"), QStringLiteral("ip link add vx7 type vxlan id 7 dstport 4789"),
         InterfaceKind::Tunnel},
        {QStringLiteral("ipip7"),
         QStringLiteral("ip link add ipip7 type ipip local 10.1.0.1 remote 10.1.0.7"),
         InterfaceKind::Tunnel},
        {QStringLiteral("gre7"),
         QStringLiteral("ip link add gre7 type gre local 10.1.0.1 remote 10.1.0.7"),
         InterfaceKind::Tunnel},
        {QStringLiteral("wg7"), QStringLiteral("ip link add wg7 type wireguard"),
         InterfaceKind::Tunnel}};
    QStringList missing;
    for (const auto& [name, line, kind] : perhaps) {
        if (works(line))
            m_made[name] = kind;
        else
            missing << name;
    }
    if (!missing.isEmpty())
        qInfo("This kernel cannot make: %s", qPrintable(missing.join(u' ')));
    m_facts = readHostFacts();
    QVERIFY(m_facts.readAt.isValid());
}

void TestHostFacts::interfacesAreAsIpSays()
{
    const Json links = tell(QStringLiteral("ip -j -d addr show"));
    QCOMPARE(m_facts.interfaces.size(), links.size());
    for (const Json& link : links) {
        const InterfaceFacts& facts = fact(textIn(link, "ifname"));
        QCOMPARE(facts.mtu, link["mtu"].get<int>());
        QCOMPARE(facts.up, hasFlag(link, "UP"));
        QCOMPARE(facts.carrier, hasFlag(link, "LOWER_UP"));
        QCOMPARE(facts.partOf, textIn(link, "master"));
        QStringList addresses;
        for (const Json& address : link["addr_info"])
            addresses << QStringLiteral("%1/%2")
                             .arg(textIn(address, "local"))
                             .arg(address["prefixlen"].get<int>());
        QStringList told = facts.addresses;
        addresses.sort();
        told.sort();
        QCOMPARE(told, addresses);
    }
}

void TestHostFacts::kindsAreTold()
{
    QCOMPARE(fact(QStringLiteral("lo")).kind, InterfaceKind::Loopback);
    QCOMPARE(fact(QStringLiteral("v0")).kind, InterfaceKind::Virtual);
    QCOMPARE(fact(QStringLiteral("v0")).driver, QStringLiteral("veth"));
    QCOMPARE(fact(QStringLiteral("b0")).kind, InterfaceKind::Bridge);
    for (const auto& [name, kind] : m_made)
        QCOMPARE(fact(name).kind, kind);
}

void TestHostFacts::membersAndCarriers()
{
    QCOMPARE(fact(QStringLiteral("v1")).partOf, QStringLiteral("b0"));
    QCOMPARE(fact(QStringLiteral("v0")).carriedBy, QString()); // its other end is no carrier
    for (const Json& link : tell(QStringLiteral("ip -j -d link show"))) {
        if (kindOf(link) == QStringLiteral("vlan") || kindOf(link) == QStringLiteral("macvlan"))
            QCOMPARE(fact(textIn(link, "ifname")).carriedBy, textIn(link, "link"));
    }
}

void TestHostFacts::offloadsAreAsEthtoolSays()
{
    // ethtool has older names for some of the kernel's.
    const std::map<QString, QString> older{
        {QStringLiteral("rx-checksum"), QStringLiteral("rx-checksumming")},
        {QStringLiteral("rx-gro"), QStringLiteral("generic-receive-offload")},
        {QStringLiteral("rx-lro"), QStringLiteral("large-receive-offload")},
        {QStringLiteral("rx-hashing"), QStringLiteral("receive-hashing")},
        {QStringLiteral("tx-generic-segmentation"),
         QStringLiteral("generic-segmentation-offload")}};
    for (const QString& name : {QStringLiteral("v0"), QStringLiteral("b0"), QStringLiteral("lo")}) {
        std::map<QString, bool> told;
        for (const QString& line : run(QStringLiteral("ethtool -k ") + name).split(u'\n'))
            told[line.section(u':', 0, 0).trimmed()] =
                line.section(u':', 1).trimmed().startsWith(QStringLiteral("on"));
        const auto& offloads = fact(name).offloads;
        QVERIFY2(offloads.value, qPrintable(offloads.whyNot));
        QVERIFY(offloads.value->size() > 5);
        for (const Offload& offload : *offloads.value) {
            const auto other = older.find(offload.name);
            const QString known = other == older.end() ? offload.name : other->second;
            QVERIFY2(told.contains(known), qPrintable(known));
            QVERIFY2(told[known] == offload.on, qPrintable(name + u' ' + known));
        }
    }
    run(QStringLiteral("ethtool -K v0 gro off tso off"));
    const HostFacts again = readHostFacts();
    const auto v0 =
        std::ranges::find(again.interfaces, QStringLiteral("v0"), &InterfaceFacts::name);
    for (const Offload& offload : *v0->offloads.value) {
        if (offload.name == QStringLiteral("rx-gro") ||
            offload.name == QStringLiteral("tx-tcp-segmentation"))
            QVERIFY2(!offload.on, qPrintable(offload.name));
    }
}

void TestHostFacts::reasonsAreGiven()
{
    for (const InterfaceFacts& facts : m_facts.interfaces) {
        QVERIFY2(facts.speed.value.has_value() != !facts.speed.whyNot.isEmpty(),
                 qPrintable(facts.name));
        QVERIFY(facts.duplex.value.has_value() != !facts.duplex.whyNot.isEmpty());
        QVERIFY(facts.pcie.value.has_value() != !facts.pcie.whyNot.isEmpty());
        QVERIFY(facts.coalescing.value.has_value() != !facts.coalescing.whyNot.isEmpty());
        QVERIFY(facts.pause.value.has_value() != !facts.pause.whyNot.isEmpty());
        QVERIFY(facts.offloads.value.has_value() != !facts.offloads.whyNot.isEmpty());
        QVERIFY(!facts.wifi);
    }
    // The kernel calls a veth 10 Gb/s: nobody negotiated that.
    QVERIFY(!fact(QStringLiteral("v0")).speed.value);
}

void TestHostFacts::countersAreAsTheKernelHasThem()
{
    const auto counters = readCounters();
    QFile file(QStringLiteral("/proc/net/dev"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    qsizetype compared = 0;
    for (const QByteArray& line : lines.mid(2)) {
        if (line.trimmed().isEmpty())
            continue;
        const QString name = QString::fromUtf8(line.left(line.indexOf(':')).trimmed());
        const auto found = std::ranges::find(counters, name, &InterfaceCounters::name);
        QVERIFY2(found != counters.end(), qPrintable(name));
        const QList<QByteArray> f = line.mid(line.indexOf(':') + 1).simplified().split(' ');
        const auto at = [&f](int i) { return f[i].toULongLong(); };
        const InterfaceCounters kernel{name,  at(0),  at(8), at(1), at(9),
                                       at(2), at(10), at(3), at(11)};
        // Neighbour discovery may go on in between.
        if (name == QStringLiteral("lo"))
            QVERIFY(*found == kernel);
        QVERIFY(kernel.receivedBytes >= found->receivedBytes &&
                kernel.receivedBytes <= found->receivedBytes + 10'000);
        QVERIFY(kernel.sentPackets >= found->sentPackets &&
                kernel.sentPackets <= found->sentPackets + 100);
        QCOMPARE(found->receiveErrors, kernel.receiveErrors);
        QCOMPARE(found->sendErrors, kernel.sendErrors);
        ++compared;
    }
    QCOMPARE(static_cast<size_t>(compared), counters.size());
}

void TestHostFacts::routesAreAsIpSays_data()
{
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("question"); // to `ip route get`
    const auto row = [](const char* to, const char* from, const char* question) {
        QTest::addRow("%s from %s", to, from)
            << QString::fromLatin1(to) << QString::fromLatin1(from)
            << QString::fromLatin1(question);
    };
    // Two interfaces hold addresses of one subnet: the kernel may leave by either.
    row("10.1.0.9", "", "10.1.0.9");
    row("10.1.0.9", "10.1.0.1", "10.1.0.9 from 10.1.0.1");
    row("10.1.0.9", "10.1.0.3", "10.1.0.9 from 10.1.0.3");
    row("10.9.0.2", "", "10.9.0.2");
    row("10.1.0.1", "", "10.1.0.1");
    row("127.0.0.1", "", "127.0.0.1");
    row("fd00:1::9", "", "fd00:1::9");
    row("fd00:1::9", "fd00:1::1", "fd00:1::9 from fd00:1::1");
    row("fe80::9%v0", "", "fe80::9 dev v0");
    row("fe80::9%x0", "", "fe80::9 dev x0");
}

void TestHostFacts::routesAreAsIpSays()
{
    QFETCH(QString, to);
    QFETCH(QString, from);
    QFETCH(QString, question);
    const Json told = tell(QStringLiteral("ip -j route get ") + question).at(0);
    const auto route = routeTo(to, from);
    QVERIFY2(route.has_value(), qPrintable(route ? QString() : route.error().detail));
    QCOMPARE(route->interfaceName, textIn(told, "dev"));
    QCOMPARE(route->gateway, textIn(told, "gateway"));
    QCOMPARE(route->source, from.isEmpty() ? textIn(told, "prefsrc") : from);
    QCOMPARE(route->destination, to);
}

void TestHostFacts::noWayIsSaidSo()
{
    const auto code = [](const char* to, const char* from = "") {
        const auto route = routeTo(QString::fromLatin1(to), QString::fromLatin1(from));
        return route ? QStringLiteral("a way") : errorCodeName(route.error().code);
    };
    QCOMPARE(code("203.0.113.1"), errorCodeName(ErrorCode::HostUnreachable));
    QCOMPARE(code("2001:db8::1"), errorCodeName(ErrorCode::HostUnreachable));
    QCOMPARE(code("spark-b"), errorCodeName(ErrorCode::NameNotResolved));
    QCOMPARE(code("10.1.0.9", "fd00:1::1"), errorCodeName(ErrorCode::InvalidArgument));
    QCOMPARE(code("10.1.0.9", "192.0.2.1"), errorCodeName(ErrorCode::AddressNotAvailable));
}

void TestHostFacts::defaultRoutesAreAsIpSays()
{
    QVERIFY(readHostFacts().routes.empty());
    run(QStringLiteral("ip route add default via 10.1.0.254 dev x0 metric 90 src 10.1.0.3 && "
                       "ip route add default via 10.1.0.253 dev v0 metric 20 && "
                       "ip -6 route add default via fd00:1::fe dev v0 metric 5"));
    std::vector<RouteFacts> wanted;
    for (const char* family : {"-4", "-6"}) {
        for (const Json& route :
             tell(QStringLiteral("ip %1 -j route show default").arg(QLatin1StringView(family))))
            wanted.push_back({QStringLiteral("default"), textIn(route, "dev"),
                              textIn(route, "gateway"), textIn(route, "prefsrc")});
    }
    QCOMPARE(wanted.size(), size_t{3});
    QVERIFY(readHostFacts().routes == wanted);
    const auto route = routeTo(QStringLiteral("203.0.113.1"));
    QVERIFY(route.has_value());
    QCOMPARE(route->gateway, QStringLiteral("10.1.0.253"));
}

void TestHostFacts::activityIsSeen()
{
    ActivityWatch watch;
    constexpr int packets = 100;
    const std::array<char, 1'000> payload{};
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(9);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < packets; ++i)
        ::sendto(socket, payload.data(), payload.size(), 0, reinterpret_cast<sockaddr*>(&to),
                 sizeof to);
    ::close(socket);
    std::atomic<unsigned> spun = 0;
    for (const auto end = std::chrono::steady_clock::now() + 1'300ms;
         std::chrono::steady_clock::now() < end;)
        ++spun;
    const HostActivity activity = watch.stop();
    const auto traffic = trafficOf(activity, QStringLiteral("lo"));
    QVERIFY(traffic);
    QVERIFY2(traffic->sentBytes >= packets * payload.size(),
             QByteArray::number(traffic->sentBytes));
    QCOMPARE(traffic->sentBytes, traffic->receivedBytes);
    QVERIFY(activity.length >= 1'300ms);
    QVERIFY(activity.loadBefore);
    QVERIFY(activity.busiestCore && activity.busiestCore->value() > 0.3 &&
            activity.busiestCore->value() <= 1);
    QVERIFY(watch.stop() == activity);
    ActivityWatch moved = std::move(watch);
    QVERIFY(moved.stop() == activity);
}

int main(int argc, char** argv)
{
    return networkMain<TestHostFacts>(argc, argv);
}

#include "tst_hostfacts.moc"
