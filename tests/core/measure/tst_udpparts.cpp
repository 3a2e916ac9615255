// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/datagrams.h"
#include "core/measure/udp/pacer.h"
#include "core/measure/udp/sequence.h"
#include "core/quantity/quantity.h"

#include <QTest>

#include <array>
#include <cmath>
#include <vector>

using namespace napkin;
using namespace std::chrono_literals;
using Arrival = SequenceTracker::Arrival;
using Numbers = std::vector<std::uint64_t>;

// The parts of a UDP run that need no socket.
class TestUdpParts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void orders_data();
    void orders();
    void arrivals();
    void shortNumbersWrap();
    void aLongWayBack();
    void jitterIsThatOfTheRfc();
    void headersOnTheWire();
    void pacerHoldsTheRate_data();
    void pacerHoldsTheRate();
    void pacerCatchesUp();
    void pacerGivesUpLongPauses();
};

void TestUdpParts::orders_data()
{
    QTest::addColumn<Numbers>("numbers");
    QTest::addColumn<qint64>("received");
    QTest::addColumn<qint64>("lost");
    QTest::addColumn<qint64>("outOfOrder");
    const auto row = [](const char* name, Numbers numbers, qint64 received, qint64 lost,
                        qint64 late) {
        QTest::newRow(name) << std::move(numbers) << received << lost << late;
    };
    row("nothing", {}, 0, 0, 0);
    row("in order", {1, 2, 3, 4}, 4, 0, 0);
    row("one lost", {1, 2, 4}, 3, 1, 0);
    row("the first lost", {3, 4}, 2, 2, 0);
    // Nobody can see from the numbers that 5 and 6 were sent as well.
    row("a lost tail", {1, 2, 3, 4}, 4, 0, 0);
    row("swapped", {1, 3, 2, 4}, 4, 0, 1);
    row("backwards", {5, 4, 3, 2, 1}, 5, 0, 4);
    row("late and lost", {1, 4, 2, 5}, 4, 1, 1);
    row("twice", {1, 2, 2, 3}, 3, 0, 0);
    row("the first twice", {1, 1, 2}, 2, 0, 0);
    row("late, twice", {1, 3, 2, 2}, 3, 0, 1);
    row("twice with a loss", {1, 2, 4, 4, 2, 1}, 3, 1, 0);
    row("number 0", {0, 1, 2}, 2, 0, 0);
    row("nonsense", {1, 2, 1ULL << 63, 3}, 3, 0, 0);
}

void TestUdpParts::orders()
{
    QFETCH(Numbers, numbers);
    QFETCH(qint64, received);
    QFETCH(qint64, lost);
    QFETCH(qint64, outOfOrder);
    SequenceTracker longOnes;
    SequenceTracker shortOnes;
    for (const std::uint64_t number : numbers) {
        (void)longOnes.arrived(number);
        if (number <= 0xffffffff)
            (void)shortOnes.arrivedShort(static_cast<std::uint32_t>(number));
    }
    for (const SequenceTracker* tracker : {&longOnes, &shortOnes}) {
        QCOMPARE(tracker->received(), received);
        QCOMPARE(tracker->lost(), lost);
        QCOMPARE(tracker->outOfOrder(), outOfOrder);
        QCOMPARE(tracker->highest(), received + lost);
    }
}

void TestUdpParts::arrivals()
{
    SequenceTracker tracker;
    QCOMPARE(tracker.arrived(2), Arrival::InOrder);
    QCOMPARE(tracker.arrived(1), Arrival::Late);
    QCOMPARE(tracker.arrived(1), Arrival::Duplicate);
    QCOMPARE(tracker.arrived(2), Arrival::Duplicate);
    QCOMPARE(tracker.arrived(0), Arrival::Garbage);
    QCOMPARE(tracker.arrived((1ULL << 31) + 3), Arrival::Garbage);
    QCOMPARE(tracker.arrived(3), Arrival::InOrder);
}

void TestUdpParts::shortNumbersWrap()
{
    SequenceTracker tracker;
    // In three jumps to the end of 32 bits.
    for (const std::uint32_t number : {0x7fffffffU, 0xfffffff0U, 0xfffffffeU})
        QCOMPARE(tracker.arrivedShort(number), Arrival::InOrder);
    const std::int64_t lost = tracker.lost();
    QCOMPARE(tracker.arrivedShort(0xffffffffU), Arrival::InOrder);
    QCOMPARE(tracker.arrivedShort(1), Arrival::InOrder); // 2^32 + 1
    QCOMPARE(tracker.arrivedShort(0), Arrival::Late);
    QCOMPARE(tracker.arrivedShort(0), Arrival::Duplicate);
    QCOMPARE(tracker.arrivedShort(0xffffffffU), Arrival::Duplicate);
    QCOMPARE(tracker.lost(), lost);
    QCOMPARE(tracker.highest(), (std::int64_t(1) << 32) + 1);
    QCOMPARE(tracker.outOfOrder(), std::int64_t(1));
}

void TestUdpParts::aLongWayBack()
{
    SequenceTracker tracker;
    for (std::uint64_t number = 1; number <= 200'000; ++number) {
        if (number != 7 && number != 150'000)
            (void)tracker.arrived(number);
    }
    QCOMPARE(tracker.lost(), std::int64_t(2));
    QCOMPARE(tracker.arrived(8), Arrival::Duplicate);
    QCOMPARE(tracker.arrived(150'001), Arrival::Duplicate);
    QCOMPARE(tracker.arrived(150'000), Arrival::Late);
    QCOMPARE(tracker.lost(), std::int64_t(1));
    // Over more than what is remembered: nothing of before may be taken for what comes.
    QCOMPARE(tracker.arrived(400'000), Arrival::InOrder);
    QCOMPARE(tracker.arrived(399'999), Arrival::Late);
    QCOMPARE(tracker.lost(), std::int64_t(1 + 200'000 - 2));
}

void TestUdpParts::jitterIsThatOfTheRfc()
{
    SequenceTracker tracker;
    tracker.transit(5ms);
    QVERIFY(!tracker.jitter().has_value());
    tracker.transit(5ms);
    QCOMPARE(tracker.jitter(), std::optional<Nanoseconds>(0ns));
    tracker.transit(21ms);
    QCOMPARE(tracker.jitter(), std::optional<Nanoseconds>(1ms));
    tracker.transit(5ms); // 1 + (16 - 1) / 16
    QCOMPARE(tracker.jitter(), std::optional<Nanoseconds>(1'937'500ns));
    tracker.transit(3'600s); // the clock was set
    QCOMPARE(tracker.jitter(), std::optional<Nanoseconds>(1'937'500ns));
    for (int i = 0; i < 200; ++i)
        tracker.transit(i % 2 == 0 ? 10ms : 12ms);
    QVERIFY(std::abs((*tracker.jitter() - 2ms).count()) < 1000);
}

void TestUdpParts::headersOnTheWire()
{
    std::array<char, 16> bytes{};
    iperf3::encodeHeader({258s + 66'051us + 999ns, 0x0102030405060708ULL}, true, bytes);
    QCOMPARE(QByteArray(bytes.data(), 16),
             QByteArray("\x00\x00\x01\x02\x00\x01\x02\x03\x01\x02\x03\x04\x05\x06\x07\x08", 16));
    const auto read = iperf3::decodeHeader(bytes, true);
    QCOMPARE(read.sent, Nanoseconds(258s + 66'051us));
    QCOMPARE(read.number, std::uint64_t(0x0102030405060708ULL));
    iperf3::encodeHeader({1s, 0xfffffffeU}, false, bytes);
    QCOMPARE(QByteArray(bytes.data(), 12),
             QByteArray("\x00\x00\x00\x01\x00\x00\x00\x00\xff\xff\xff\xfe", 12));
    QCOMPARE(iperf3::decodeHeader(bytes, false).number, std::uint64_t(0xfffffffeU));
}

void TestUdpParts::pacerHoldsTheRate_data()
{
    QTest::addColumn<quint64>("rate");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("oversleep"); // us
    QTest::newRow("10 kb/s") << quint64(10'000) << 1448 << 60;
    QTest::newRow("1 Mb/s") << quint64(1'000'000) << 1448 << 60;
    QTest::newRow("100 Mb/s") << quint64(100'000'000) << 1448 << 60;
    QTest::newRow("100 Mb/s, a slow clock") << quint64(100'000'000) << 1448 << 700;
    QTest::newRow("1 Gb/s, large") << quint64(1'000'000'000) << 65'507 << 60;
    QTest::newRow("5 Gb/s") << quint64(5'000'000'000) << 1448 << 100;
}

void TestUdpParts::pacerHoldsTheRate()
{
    QFETCH(quint64, rate);
    QFETCH(int, size);
    QFETCH(int, oversleep);
    const SteadyTime start{};
    Pacer pacer(rate, size, start);
    SteadyTime now = start;
    qint64 sent = 0;
    int largest = 0;
    const Nanoseconds whole = rate < 100'000 ? Nanoseconds(200s) : Nanoseconds(2s);
    while (now - start < whole) {
        const int allowed = std::min(64, pacer.allowance(now));
        if (allowed == 0) {
            QVERIFY(pacer.next() > now - 1us);
            now = pacer.maySleep(now)
                      ? std::max(now, pacer.next()) + std::chrono::microseconds(oversleep)
                      : now + 1us;
            continue;
        }
        pacer.sent(allowed, now);
        sent += allowed;
        largest = std::max(largest, allowed);
        now += 1us; // what the call takes
    }
    const double offered = static_cast<double>(rate) * inSeconds(whole) / 8 / size;
    QVERIFY2(std::abs(static_cast<double>(sent) - offered) <= 0.01 * offered + 1.5,
             QByteArray::number(static_cast<double>(sent) / offered));
    QVERIFY(largest <= std::max(1.0, static_cast<double>(rate) / 8 / size / 1000));
}

// After a pause the rest comes at four times the rate, not in one burst.
void TestUdpParts::pacerCatchesUp()
{
    const SteadyTime start{};
    Pacer pacer(100'000'000, 1250, start); // 100 us each
    SteadyTime now = start + 20ms;
    int sent = 0;
    while (now < start + 23ms) {
        const int allowed = pacer.allowance(now);
        QVERIFY(allowed <= 10);
        if (allowed > 0)
            pacer.sent(allowed, now);
        sent += allowed;
        now += 10us;
    }
    QVERIFY2(sent >= 110 && sent <= 135, QByteArray::number(sent));
}

void TestUdpParts::pacerGivesUpLongPauses()
{
    const SteadyTime start{};
    Pacer pacer(100'000'000, 1250, start);
    SteadyTime now = start + 10s;
    qint64 sent = 0;
    while (now < start + 11s) {
        const int allowed = pacer.allowance(now);
        if (allowed > 0)
            pacer.sent(allowed, now);
        sent += allowed;
        now += 50us;
    }
    QVERIFY2(sent >= 12'400 && sent <= 12'550, QByteArray::number(sent)); // a second and 250 ms
}

QTEST_APPLESS_MAIN(TestUdpParts)
#include "tst_udpparts.moc"
