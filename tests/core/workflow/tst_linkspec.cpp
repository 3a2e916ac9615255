// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/linkspec.h"

#include <QTest>

using namespace napkin;

namespace {

const LocalHost laptop{
    QStringLiteral("laptop"),
    {QStringLiteral("192.168.1.10"), QStringLiteral("10.0.0.1"), QStringLiteral("fe80::1")},
    {QStringLiteral("eth0"), QStringLiteral("eth1")}};

struct Drawn
{
    Drawing drawing;
    LinkId link;
};

Drawn cable(const QString& addressA, const QString& addressB,
            const QString& nameA = QStringLiteral("box-a"), const QString& portA = {})
{
    Drawn d;
    d.drawing.id = DrawingId::create();
    d.drawing.machines = {
        {MachineId::create(), nameA, {}, {{PortId::create(), portA, addressA}}},
        {MachineId::create(), QStringLiteral("box-b"), {}, {{PortId::create(), {}, addressB}}}};
    d.link = LinkId::create();
    d.drawing.links = {{d.link,
                        LinkPeriodId::create(),
                        {},
                        QStringLiteral("ethernet-10g"),
                        d.drawing.machines[0].ports[0].id,
                        d.drawing.machines[1].ports[0].id}};
    return d;
}

} // namespace

class LinkSpecTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void farEndIsTheOneThatIsNotHere_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("far");
        QTest::addColumn<QString>("source");
        const auto row = [](const char* a, const char* b, const char* far, const char* source) {
            QTest::addRow("%s - %s", a, b)
                << QString::fromLatin1(a) << QString::fromLatin1(b) << QString::fromLatin1(far)
                << QString::fromLatin1(source);
        };
        row("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.1");
        row("10.0.0.2", "10.0.0.1", "10.0.0.2", "10.0.0.1");
        row("", "10.0.0.2", "10.0.0.2", "");
        row("10.0.0.2", "", "10.0.0.2", "");
        row("", "spark-b.local", "spark-b.local", "");
        row("laptop", "spark-b", "spark-b", "");
        row("fe80::1", "fe80::2%eth0", "fe80::2%eth0", "fe80::1%eth0");
        row("fe80::1%eth0", "fe80::2", "fe80::2%eth0", "fe80::1%eth0");
        row("", "127.0.0.1", "127.0.0.1", "");
        row("10.0.0.1", "192.168.1.10", "192.168.1.10", "10.0.0.1");
    }
    void farEndIsTheOneThatIsNotHere()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, far);
        QFETCH(QString, source);
        const Drawn d = cable(a, b);
        const auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, laptop);
        QVERIFY2(spec.has_value(), qPrintable(spec ? QString() : spec.error().detail));
        QCOMPARE(spec->far.host, far);
        QCOMPARE(spec->far.port, defaultThroughputPort);
        QCOMPARE(spec->sourceAddress, source);
        QVERIFY(spec->link == d.link);
        QVERIFY(spec->linkPeriod == d.drawing.links[0].period);
        QVERIFY(spec->near.machine != spec->far.machine);
        QVERIFY(validate(*spec).has_value());
    }
    void linkLocalAddressesGetTheInterface_data()
    {
        QTest::addColumn<QString>("port");
        QTest::addColumn<QStringList>("having"); // interfaces with fe80::1
        QTest::addColumn<QString>("scope");
        const QString eth0 = QStringLiteral("eth0");
        const QString eth1 = QStringLiteral("eth1");
        QTest::newRow("the port's name") << eth1 << QStringList{eth0, eth1} << eth1;
        QTest::newRow("the only one") << QString() << QStringList{eth0} << eth0;
        QTest::newRow("two") << QString() << QStringList{eth0, eth1} << QString();
    }
    void linkLocalAddressesGetTheInterface()
    {
        QFETCH(QString, port);
        QFETCH(QStringList, having);
        QFETCH(QString, scope);
        LocalHost local = laptop;
        for (const QString& name : having)
            local.interfacesOf.insert(QStringLiteral("fe80::1"), name);
        const Drawn d = cable(QStringLiteral("fe80::1"), QStringLiteral("fe80::2"),
                              QStringLiteral("box-a"), port);
        const auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, local);
        if (scope.isEmpty()) {
            QVERIFY(!spec.has_value());
            QCOMPARE(spec.error().code, ErrorCode::InvalidArgument);
            QVERIFY2(spec.error().detail.contains(QStringLiteral("fe80::1%eth0")),
                     qPrintable(spec.error().detail));
            return;
        }
        QVERIFY2(spec.has_value(), qPrintable(spec ? QString() : spec.error().detail));
        QCOMPARE(spec->sourceAddress, QStringLiteral("fe80::1%") + scope);
        QCOMPARE(spec->far.host, QStringLiteral("fe80::2%") + scope);
    }
    void refusalsSayWhichPortWantsAnAddress_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << QString() << QString()
                              << QStringLiteral("neither end has an address");
        QTest::newRow("only ours")
            << QStringLiteral("10.0.0.1") << QString() << QStringLiteral("give box-b the address");
        QTest::newRow("two strangers") << QStringLiteral("10.9.0.1") << QStringLiteral("10.9.0.2")
                                       << QStringLiteral("both ends");
    }
    void refusalsSayWhichPortWantsAnAddress()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, why);
        const Drawn d = cable(a, b);
        const auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, laptop);
        QVERIFY(!spec.has_value());
        QCOMPARE(spec.error().code, ErrorCode::InvalidArgument);
        QVERIFY2(spec.error().detail.contains(why), qPrintable(spec.error().detail));
    }
    void machineNameDecidesBetweenTwoStrangers()
    {
        const Drawn d =
            cable(QStringLiteral("10.9.0.1"), QStringLiteral("10.9.0.2"), QStringLiteral("Laptop"));
        const auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, laptop);
        QVERIFY(spec.has_value());
        QCOMPARE(spec->far.host, QStringLiteral("10.9.0.2"));
        QVERIFY(
            spec->sourceAddress.isEmpty()); // not an address of this machine: nothing to bind to
    }
    void interfaceOfThePortIsUsed()
    {
        const Drawn d =
            cable({}, QStringLiteral("10.0.0.2"), QStringLiteral("box-a"), QStringLiteral("eth1"));
        QCOMPARE(specForLink(d.drawing, d.link, ConnectOptions{}, laptop)->interfaceName,
                 QStringLiteral("eth1"));
        const Drawn other =
            cable({}, QStringLiteral("10.0.0.2"), QStringLiteral("box-a"), QStringLiteral("qsfp0"));
        QVERIFY(specForLink(other.drawing, other.link, ConnectOptions{}, laptop)
                    ->interfaceName.isEmpty());
    }
    void betweenTwoPeersTheNearOneMeasures()
    {
        Drawn d = cable(QStringLiteral("10.0.9.1"), QStringLiteral("10.0.9.2"),
                        QStringLiteral("box-a"), QStringLiteral("eth1"));
        LocalHost local = laptop;
        local.peers = {PeerId::create(), PeerId::create()};
        d.drawing.machines[0].peer = local.peers[0];
        d.drawing.machines[1].peer = local.peers[1];
        const auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, local);
        QVERIFY2(spec.has_value(), qPrintable(spec ? QString() : spec.error().detail));
        QCOMPARE(spec->near.peer, std::optional(local.peers[0]));
        QCOMPARE(spec->far.peer, std::optional(local.peers[1]));
        QCOMPARE(spec->far.host, QStringLiteral("10.0.9.2"));
        QCOMPARE(spec->near.interfaceName, QStringLiteral("eth1"));
        QCOMPARE(spec->near.address, QStringLiteral("10.0.9.1"));
        // Its own interfaces and addresses are none of this machine's.
        QVERIFY(spec->interfaceName.isEmpty() && spec->sourceAddress.isEmpty());
        const auto back = specForLink(d.drawing, d.link, ThroughputOptions{}, local, NearEnd::B);
        QCOMPARE(back->near.peer, std::optional(local.peers[1]));
        QCOMPARE(back->far.host, QStringLiteral("10.0.9.1"));
        // The near end needs no address, the far end does.
        d.drawing.machines[1].ports[0].address.clear();
        QCOMPARE(specForLink(d.drawing, d.link, ThroughputOptions{}, local)->far.host,
                 QStringLiteral("10.0.9.1"));
        QVERIFY(!specForLink(d.drawing, d.link, ThroughputOptions{}, local, NearEnd::A));
    }
    void fromThisMachineToAPeer()
    {
        Drawn d = cable(QStringLiteral("10.0.0.1"), QStringLiteral("10.0.0.2"));
        LocalHost local = laptop;
        local.peers = {PeerId::create()};
        local.self = PeerId::create();
        d.drawing.machines[1].peer = local.peers[0];
        auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, local);
        QVERIFY(spec.has_value());
        QVERIFY(!spec->near.peer);
        QCOMPARE(spec->far.peer, std::optional(local.peers[0]));
        QCOMPARE(spec->sourceAddress, QStringLiteral("10.0.0.1"));
        // The peer can not measure towards this machine.
        QVERIFY(!specForLink(d.drawing, d.link, ThroughputOptions{}, local, NearEnd::B));
        // A machine that this one is not paired with is a stock far end.
        d.drawing.machines[1].peer = PeerId::create();
        spec = specForLink(d.drawing, d.link, ThroughputOptions{}, local);
        QVERIFY(spec.has_value() && !spec->far.peer);
        // This machine is the one that the drawing says it is, whatever the addresses.
        d.drawing.machines[1].peer = local.self;
        spec = specForLink(d.drawing, d.link, ThroughputOptions{}, local);
        QCOMPARE(spec->far.host, QStringLiteral("10.0.0.1"));
    }
    void aPeerAndAStranger()
    {
        Drawn d = cable(QStringLiteral("10.0.9.1"), QStringLiteral("10.0.9.2"));
        LocalHost local = laptop;
        local.peers = {PeerId::create()};
        d.drawing.machines[0].peer = local.peers[0];
        const auto spec = specForLink(d.drawing, d.link, ThroughputOptions{}, local);
        QVERIFY(!spec.has_value());
        QVERIFY2(spec.error().detail.contains(QStringLiteral("pair it")),
                 qPrintable(spec.error().detail));
    }
    void unknownCable()
    {
        const Drawn d = cable({}, QStringLiteral("10.0.0.2"));
        QCOMPARE(specForLink(d.drawing, LinkId::create(), ConnectOptions{}, laptop).error().code,
                 ErrorCode::NotFound);
    }
    void whichDrawnMachineItIs()
    {
        Drawn d = cable({}, {}, QStringLiteral("laptop"));
        LocalHost local = laptop;
        local.self = PeerId::create();
        const PeerId other = PeerId::create();
        // By its name, where nothing better is said.
        QCOMPARE(drawnMachine(d.drawing, {}, local), d.drawing.machines[0].id);
        QVERIFY(!drawnMachine(d.drawing, other, local));
        d.drawing.machines[0].peer = other; // so that is not this machine
        QVERIFY(!drawnMachine(d.drawing, {}, local));
        QCOMPARE(drawnMachine(d.drawing, other, local), d.drawing.machines[0].id);
        d.drawing.machines[1].peer = local.self;
        QCOMPARE(drawnMachine(d.drawing, {}, local), d.drawing.machines[1].id);
        d.drawing.machines[0].peer.reset();
        d.drawing.machines[1].peer.reset();
        d.drawing.machines[1].name = QStringLiteral("laptop"); // two of them: neither
        QVERIFY(!drawnMachine(d.drawing, {}, local));
    }
    void currentHostHasLoopback()
    {
        const LocalHost local = LocalHost::current();
        QVERIFY(!local.name.isEmpty());
        QVERIFY(local.addresses.contains(QStringLiteral("127.0.0.1")));
    }
};

QTEST_GUILESS_MAIN(LinkSpecTest)
#include "tst_linkspec.moc"
