// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/conditionrows.h"

#include <QTest>

#include <algorithm>

using namespace napkin;

namespace {

HostConditions host(const QString& name, const QString& interfaceName, int mtu)
{
    HostConditions conditions;
    conditions.hostName = name;
    conditions.operatingSystem = QStringLiteral("Debian GNU/Linux 12 (bookworm)");
    conditions.kernel = QStringLiteral("Linux 6.1.0-18-amd64");
    conditions.interfaceName = interfaceName;
    conditions.address = QStringLiteral("10.0.0.") + QString::number(mtu % 200);
    HostFacts facts;
    facts.hostName = name;
    facts.logicalCores = 8;
    facts.load = {0.4, {}};
    facts.governor = {{}, QStringLiteral("the kernel has no governor")};
    InterfaceFacts one;
    one.name = interfaceName;
    one.kind = InterfaceKind::Ethernet;
    one.driver = QStringLiteral("ixgbe");
    one.up = one.carrier = true;
    one.speed = {BitRate::gigabitsPerSecond(10), {}};
    one.duplex = {Duplex::Full, {}};
    one.mtu = mtu;
    one.pause.whyNot = QStringLiteral("the driver does not tell");
    facts.interfaces = {one};
    conditions.facts = facts;
    return conditions;
}

ProbeResult run(int mtu = 1'500)
{
    ProbeResult result;
    result.tool = QStringLiteral("napkin");
    result.toolVersion = QStringLiteral("0.1.0");
    result.spec.far.peer = PeerId::create();
    result.conditions.near = host(QStringLiteral("spark-a"), QStringLiteral("eth0"), mtu);
    result.conditions.far = host(QStringLiteral("spark-b"), QStringLiteral("eth1"), 1'500);
    result.data = ThroughputData{};
    return result;
}

const ConditionRow* row(const std::vector<ConditionRow>& rows, QLatin1StringView name)
{
    const auto at = std::ranges::find(rows, QString(name), &ConditionRow::name);
    return at == rows.end() ? nullptr : &*at;
}

int changes(const std::vector<ConditionRow>& rows)
{
    int count = 0;
    for (const ConditionRow& one : rows)
        count += (one.near.changed ? 1 : 0) + (one.far.changed ? 1 : 0);
    return count;
}

} // namespace

class TestConditionRows : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aMachineByItselfHasNoFarEndAndNoInterface()
    {
        ProbeResult result = run();
        result.spec.options = MemoryOptions();
        result.data = MemoryData();
        result.conditions.far = {};
        const auto rows = compareConditions(result, nullptr);
        QVERIFY(!rows.empty());
        for (const ConditionRow& one : rows) {
            QCOMPARE(one.group, ConditionGroup::Machine);
            QVERIFY2(one.far == ConditionCell(), qPrintable(one.name));
        }
        QCOMPARE(row(rows, QLatin1StringView("Host name"))->near.text, QStringLiteral("spark-a"));
        QVERIFY(!row(rows, QLatin1StringView("Clock offset")));
    }
    void sayWhatIsKnownAndWhyNot();
    void nothingChangedWithoutAnEarlierRun();
    void aChangedMtuIsMarked();
    void whatMovesAnywayIsNot();
    void theOtherWayRoundComparesMachines();
    void anotherMachineIsNotCompared();
    void wifiOnlyWhereThereIsSome();
    void aStockFarEndSaysWhy();
    void trafficCameFromTheCounters();
};

void TestConditionRows::sayWhatIsKnownAndWhyNot()
{
    const auto rows = compareConditions(run(), nullptr);
    QCOMPARE(row(rows, QLatin1StringView("Kernel"))->near.text,
             QStringLiteral("Linux 6.1.0-18-amd64"));
    QCOMPARE(row(rows, QLatin1StringView("Negotiated speed"))->near.text,
             QStringLiteral("10\u00a0Gb/s, full duplex"));
    const ConditionRow* governor = row(rows, QLatin1StringView("Governor"));
    QVERIFY(!governor->near.isKnown());
    QCOMPARE(governor->near.whyNot, QStringLiteral("the kernel has no governor"));
    QCOMPARE(row(rows, QLatin1StringView("Pause frames"))->far.whyNot,
             QStringLiteral("the driver does not tell"));
}

void TestConditionRows::nothingChangedWithoutAnEarlierRun()
{
    QCOMPARE(changes(compareConditions(run(), nullptr)), 0);
    const ProbeResult same = run();
    QCOMPARE(changes(compareConditions(same, &same)), 0);
}

void TestConditionRows::aChangedMtuIsMarked()
{
    const ProbeResult before = run(1'500);
    ProbeResult now = run(9'000);
    now.conditions.near.address = before.conditions.near.address;
    const auto rows = compareConditions(now, &before);
    const ConditionRow* mtu = row(rows, QLatin1StringView("MTU"));
    QVERIFY(mtu->near.changed);
    QCOMPARE(mtu->near.text, QStringLiteral("9,000 B"));
    QCOMPARE(mtu->near.before, QStringLiteral("1,500 B"));
    QVERIFY(!mtu->far.changed);
    QCOMPARE(changes(rows), 1);
}

void TestConditionRows::whatMovesAnywayIsNot()
{
    const ProbeResult before = run();
    ProbeResult now = run();
    now.conditions.near.facts->load = {0.9, {}};
    QCOMPARE(changes(compareConditions(now, &before)), 0);
    now.conditions.near.facts->load = {6.0, {}};
    QVERIFY(row(compareConditions(now, &before), QLatin1StringView("Load before"))->near.changed);

    ProbeResult a = run();
    ProbeResult b = run();
    a.conditions.farClock =
        ClockOffset{std::chrono::microseconds(100), std::chrono::microseconds(80)};
    b.conditions.farClock =
        ClockOffset{std::chrono::microseconds(220), std::chrono::microseconds(80)};
    QCOMPARE(changes(compareConditions(b, &a)), 0);
    b.conditions.farClock->offset = std::chrono::milliseconds(-20);
    const auto rows = compareConditions(b, &a);
    QVERIFY(row(rows, QLatin1StringView("Clock offset"))->far.changed);
    QCOMPARE(row(rows, QLatin1StringView("Clock offset"))->far.text,
             QStringLiteral("−20.0\u00a0ms ± 80.0\u00a0µs"));
}

void TestConditionRows::theOtherWayRoundComparesMachines()
{
    const ProbeResult before = run();
    ProbeResult now = run();
    std::swap(now.conditions.near, now.conditions.far);
    now.conditions.far.facts->interfaces.front().mtu = 9'000; // spark-a
    const auto rows = compareConditions(now, &before);
    QVERIFY(row(rows, QLatin1StringView("MTU"))->far.changed);
    QCOMPARE(row(rows, QLatin1StringView("Interface"))->near.before, QStringLiteral("eth1"));
    QVERIFY(!row(rows, QLatin1StringView("Interface"))->near.changed);
}

void TestConditionRows::anotherMachineIsNotCompared()
{
    const ProbeResult before = run();
    ProbeResult now = run(9'000);
    now.conditions.near.hostName = QStringLiteral("spark-z");
    const auto rows = compareConditions(now, &before);
    QCOMPARE(changes(rows), 0);
    QVERIFY(row(rows, QLatin1StringView("MTU"))->near.before.isEmpty());
    QCOMPARE(row(rows, QLatin1StringView("MTU"))->far.before, QStringLiteral("1,500 B"));
}

void TestConditionRows::wifiOnlyWhereThereIsSome()
{
    ProbeResult result = run();
    QVERIFY(!row(compareConditions(result, nullptr), QLatin1StringView("Wi-Fi channel")));
    WifiFacts wifi;
    wifi.frequency = 5'180;
    wifi.channel = 36;
    wifi.width = 80;
    wifi.signal = -48;
    wifi.sendRate = BitRate::megabitsPerSecond(866);
    InterfaceFacts& one = result.conditions.near.facts->interfaces.front();
    one.kind = InterfaceKind::WiFi;
    one.wifi = Reading<WifiFacts>{wifi, {}};
    const auto rows = compareConditions(result, nullptr);
    QCOMPARE(row(rows, QLatin1StringView("Wi-Fi channel"))->near.text,
             QStringLiteral("5 GHz, channel 36, 80 MHz wide"));
    QVERIFY(!row(rows, QLatin1StringView("Wi-Fi network"))); // nobody asked for the name
    ProbeResult weaker = result;
    weaker.conditions.near.facts->interfaces.front().wifi->value->signal = -61;
    QVERIFY(
        row(compareConditions(weaker, &result), QLatin1StringView("Wi-Fi signal"))->near.changed);
}

void TestConditionRows::aStockFarEndSaysWhy()
{
    ProbeResult result = run();
    result.spec.far.peer.reset();
    result.conditions.far = {};
    result.conditions.far.address = QStringLiteral("10.0.0.2");
    const auto rows = compareConditions(result, nullptr);
    QCOMPARE(row(rows, QLatin1StringView("Kernel"))->far.whyNot,
             QStringLiteral("not a paired machine"));
    QCOMPARE(row(rows, QLatin1StringView("Address"))->far.text, QStringLiteral("10.0.0.2"));
}

void TestConditionRows::trafficCameFromTheCounters()
{
    ProbeResult result = run();
    HostActivity activity;
    InterfaceCounters counters;
    counters.name = QStringLiteral("eth0");
    activity.before = {counters};
    counters.receivedBytes = 2'500'000;
    counters.sendDropped = 3;
    activity.after = {counters};
    result.conditions.near.activity = activity;
    const auto rows = compareConditions(result, nullptr);
    QCOMPARE(row(rows, QLatin1StringView("Received"))->near.text, QStringLiteral("2.50\u00a0MB"));
    QCOMPARE(row(rows, QLatin1StringView("Lost on the interface"))->near.text,
             QStringLiteral("0 errors, 3 dropped"));
    QVERIFY(!row(rows, QLatin1StringView("Sent"))->far.isKnown());
}

QTEST_GUILESS_MAIN(TestConditionRows)
#include "tst_conditionrows.moc"
