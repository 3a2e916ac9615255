// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/pathsummary.h"
#include "core/results/spec.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace napkin;
using namespace std::chrono_literals;
using Fate = SizeProbe::Fate;
using Verdict = PathMtuSide::Verdict;
using Cause = UdpDirectionSummary::Cause;

namespace {

constexpr std::int64_t payload = 1'448;

SizeProbe sized(int size, Fate fate, Direction direction = Direction::Forward)
{
    SizeProbe probe;
    probe.direction = direction;
    probe.size = size;
    probe.fate = fate;
    return probe;
}

UdpTotal total(std::int64_t sent, std::int64_t received, std::int64_t gaps)
{
    UdpTotal total;
    total.received = ByteCount::bytes(received * payload);
    total.sent = ByteCount::bytes(sent * payload);
    total.packetsReceived = received;
    total.packetsSent = sent;
    total.lost = gaps;
    total.outOfOrder = 2;
    total.jitter = 30us;
    total.duration = 10s;
    total.sentOver = 10s;
    return total;
}

UdpDirectionSummary forward(const UdpTotal& total, std::optional<std::int64_t> drops = 0)
{
    UdpData data;
    data.totals = {total};
    data.farBufferDrops = drops;
    return summarise(data).forward.value();
}

// The clock that looks is never quite on time.
std::vector<UdpArrival> evenArrivals(int windows, std::int64_t packets)
{
    std::vector<UdpArrival> all;
    Duration at{};
    for (int i = 0; i < windows; ++i) {
        const Duration length = i % 2 == 0 ? 103ms : 97ms;
        const std::int64_t came = packets * length / 100ms;
        all.push_back({at, length, came, ByteCount::bytes(came * payload)});
        at += length;
    }
    return all;
}

void addSamples(UdpData& data, bool atReceiver, std::int64_t packets, int tenths)
{
    for (int i = 0; i < tenths; ++i) {
        UdpSample sample;
        sample.start = i * 100ms;
        sample.length = 100ms;
        sample.packets = packets;
        sample.bytes = ByteCount::bytes(packets * payload);
        sample.atReceiver = atReceiver;
        if (atReceiver)
            sample.lost = packets;
        data.samples.push_back(sample);
    }
}

} // namespace

class PathSummaryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing();
    void payloadsAndCommands();
    void aBlackHole();
    void aRouterThatTells();
    void asLargeAsTheInterface();
    void endedInTheMiddle();
    void nothingComesBack();
    void onlyATransfer();
    void bothDirections();
    void aCleanRun();
    void offeredOverTheSendersTime();
    void aLostTail();
    void offeredTooMuch();
    void whatSwingsIsNotOfferedTooMuch();
    void randomLossIsNotOfferedTooMuch_data();
    void randomLossIsNotOfferedTooMuch();
    void theReceiversBuffer();
    void bufferExplainsOnlyAPart();
    void unknownLosses();
    void contradictions_data();
    void contradictions();
    void onlyTheReceiverTold();
    void aPartialRun();
    void omittedSamplesDoNotCount();
};

void PathSummaryTest::nothing()
{
    QVERIFY(!summarise(PathMtuData()).forward && !summarise(PathMtuData()).reverse);
    QVERIFY(!summarise(UdpData()).forward && !summarise(UdpData()).reverse);
}

void PathSummaryTest::payloadsAndCommands()
{
    QCOMPARE(echoPayload(9'000, 4), 8'972);
    QCOMPARE(echoPayload(1'500, 4), 1'472);
    QCOMPARE(echoPayload(9'000, 6), 8'952);
    QCOMPARE(echoPayload(1'500, 6), 1'452);
    QCOMPARE(pingCommand(1'500, 4, QStringLiteral("192.168.1.7")),
             QStringLiteral("ping -4 -M do -s 1472 -c 3 192.168.1.7"));
    QCOMPARE(pingCommand(9'000, 6, QStringLiteral("fe80::1%eth0")),
             QStringLiteral("ping -6 -M do -s 8952 -c 3 fe80::1%eth0"));
    QCOMPARE(pingCommand(9'000, 6, QStringLiteral("fe80::1%1")),
             QStringLiteral("ping -6 -M do -s 8952 -c 3 fe80::1%1"));
}

void PathSummaryTest::aBlackHole()
{
    PathMtuData data;
    data.probes = {sized(9'000, Fate::Silent), sized(576, Fate::Passed), sized(1'501, Fate::Silent),
                   sized(1'500, Fate::Passed)};
    BulkTransfer bulk;
    bulk.outcome = BulkTransfer::Outcome::Stalled;
    data.bulk = {bulk};
    const auto side = summarise(data).forward;
    QVERIFY(side);
    QCOMPARE(side->verdict, Verdict::Known);
    QCOMPARE(side->mtu, 1'500);
    QCOMPARE(side->isSilent, true);
    QVERIFY(side->toldBy.isEmpty());
    QVERIFY(side->bulk && side->bulk->outcome == BulkTransfer::Outcome::Stalled);
    QVERIFY(!summarise(data).reverse);
}

void PathSummaryTest::aRouterThatTells()
{
    PathMtuData data;
    SizeProbe told = sized(9'000, Fate::TooBigOnWay);
    told.told = 1'400;
    told.by = QStringLiteral("10.0.0.1");
    data.probes = {told, sized(1'401, Fate::Silent), sized(1'400, Fate::Passed)};
    const auto side = summarise(data).forward;
    QCOMPARE(side->verdict, Verdict::Known);
    QCOMPARE(side->mtu, 1'400);
    QCOMPARE(side->isSilent, false);
    QCOMPARE(side->toldBy, QStringLiteral("10.0.0.1"));
}

void PathSummaryTest::asLargeAsTheInterface()
{
    PathMtuData data;
    data.probes = {sized(9'000, Fate::Passed), sized(9'001, Fate::TooBigHere)};
    const auto side = summarise(data).forward;
    QCOMPARE(side->verdict, Verdict::Interface);
    QCOMPARE(side->mtu, 9'000);
    QVERIFY(!side->isSilent);
    // A size that was lost once and passed in the end says nothing.
    data.probes.push_back(sized(1'500, Fate::Silent));
    QCOMPARE(summarise(data).forward->verdict, Verdict::Interface);
}

// Half of a search knows half.
void PathSummaryTest::endedInTheMiddle()
{
    PathMtuData data;
    data.nearInterfaceMtu = 9'000;
    data.probes = {sized(576, Fate::Passed)};
    QCOMPARE(summarise(data).forward->verdict, Verdict::AtLeast);
    data.probes.push_back(sized(9'000, Fate::Silent));
    QCOMPARE(summarise(data).forward->verdict, Verdict::AtLeast);
    QVERIFY(!summarise(data).forward->isSilent);
    data.probes.push_back(sized(8'999, Fate::Passed));
    QCOMPARE(summarise(data).forward->verdict, Verdict::Known);
    // The loopback interface allows one byte more than IPv4 does.
    data.nearInterfaceMtu = 65'536;
    data.probes = {sized(65'535, Fate::Passed)};
    QCOMPARE(summarise(data).forward->verdict, Verdict::Interface);
}

void PathSummaryTest::nothingComesBack()
{
    PathMtuData data;
    data.probes = {sized(1'500, Fate::Silent), sized(576, Fate::Silent)};
    const auto side = summarise(data).forward;
    QCOMPARE(side->verdict, Verdict::Unanswered);
    QVERIFY(!side->mtu && !side->isSilent);
}

// A transfer alone says nothing of packet sizes, and not that they were not answered.
void PathSummaryTest::onlyATransfer()
{
    PathMtuData data;
    data.probes = {sized(1'500, Fate::Passed)};
    BulkTransfer bulk;
    bulk.direction = Direction::Reverse;
    data.bulk = {bulk};
    const auto side = summarise(data).reverse;
    QVERIFY(side && side->bulk);
    QCOMPARE(side->verdict, Verdict::NotTried);
}

void PathSummaryTest::bothDirections()
{
    PathMtuData data;
    data.probes = {sized(1'500, Fate::Passed), sized(9'000, Fate::Passed, Direction::Reverse)};
    QCOMPARE(summarise(data).forward->mtu, 1'500);
    QCOMPARE(summarise(data).reverse->mtu, 9'000);
}

void PathSummaryTest::aCleanRun()
{
    const auto summary = forward(total(100'000, 100'000, 0));
    QVERIFY(summary.fromTotals && !summary.isContradictory);
    QCOMPARE(summary.lost, 0);
    QCOMPARE(summary.lostTail, 0);
    QCOMPARE(summary.lossRatio->value(), 0.0);
    QCOMPARE(summary.cause, Cause::None);
    QCOMPARE(summary.arrived->bitsPerSecond(), 100'000 * payload * 8 / 10);
    QCOMPARE(summary.offered->bitsPerSecond(), 100'000 * payload * 8 / 10);
    QCOMPARE(summary.outOfOrder, 2);
    QVERIFY(*summary.jitter == 30us);
}

// A full queue delivers for a second after the sender has ended: that makes no slower offer.
void PathSummaryTest::offeredOverTheSendersTime()
{
    UdpTotal one = total(100'000, 100'000, 0);
    one.duration = 11s;
    QCOMPARE(forward(one).offered->bitsPerSecond(), 100'000 * payload * 8 / 10);
    QVERIFY(!forward(one).isOfferedNominal);
    QVERIFY(std::abs(forward(one).arrived->megabitsPerSecond() - 105.309) < 0.001);
    // It did not tell: then its samples do, and without them what was asked for.
    one.sentOver.reset();
    UdpData data;
    data.totals = {one};
    QVERIFY(!summarise(data).forward->offered);
    QCOMPARE(summarise(data, 10s).forward->offered->bitsPerSecond(), 100'000 * payload * 8 / 10);
    QVERIFY(summarise(data, 10s).forward->isOfferedNominal);
    addSamples(data, false, 1'250, 80); // 8 s
    QCOMPARE(summarise(data, 10s).forward->offered->bitsPerSecond(), 100'000 * payload * 8 / 8);
    QVERIFY(!summarise(data, 10s).forward->isOfferedNominal);
    // Both ways each has its own.
    UdpTotal back = total(50'000, 50'000, 0);
    back.direction = Direction::Reverse;
    back.duration = 13s;
    back.sentOver = 5s;
    data.totals.push_back(back);
    QCOMPARE(summarise(data).reverse->offered->bitsPerSecond(), 50'000 * payload * 8 / 5);
}

void PathSummaryTest::aLostTail()
{
    const auto summary = forward(total(100'000, 98'500, 1'000));
    QVERIFY(!summary.isContradictory);
    QCOMPARE(summary.lost, 1'500);
    QCOMPARE(summary.lostTail, 500);
    QCOMPARE(summary.lossRatio->value(), 0.015);
    QCOMPARE(summary.cause, Cause::Unknown);
}

// 300 Mbit/s into 100.
void PathSummaryTest::offeredTooMuch()
{
    UdpData data;
    data.totals = {total(259'000, 83'000, 175'800)};
    data.farBufferDrops = 0;
    // The totals alone do not tell a full link from one that loses two of three.
    QCOMPARE(summarise(data).forward->cause, Cause::Unknown);
    data.farArrivals = evenArrivals(100, 830);
    const auto summary = *summarise(data).forward;
    QVERIFY(!summary.isContradictory);
    QCOMPARE(summary.lost, 176'000);
    QVERIFY(summary.lossRatio->value() > 0.67 && summary.lossRatio->value() < 0.69);
    QCOMPARE(summary.cause, Cause::OfferedTooMuch);
    // Two seconds are enough, nine windows are not.
    data.farArrivals.resize(20);
    QCOMPARE(summarise(data).forward->cause, Cause::OfferedTooMuch);
    data.farArrivals.resize(9);
    QCOMPARE(summarise(data).forward->cause, Cause::Unknown);
}

void PathSummaryTest::randomLossIsNotOfferedTooMuch_data()
{
    QTest::addColumn<double>("loss");
    for (const double loss : {0.03, 0.1, 0.5, 0.9})
        QTest::addRow("%g", loss) << loss;
}

// Each datagram has its own luck: of 500 such runs next to none may look like a full link.
void PathSummaryTest::randomLossIsNotOfferedTooMuch()
{
    QFETCH(double, loss);
    std::mt19937 random(4);
    constexpr int perWindow = 1'000;
    std::binomial_distribution<std::int64_t> luck(perWindow, 1 - loss);
    int wrong = 0;
    for (int run = 0; run < 500; ++run) {
        UdpData data;
        data.farBufferDrops = 0;
        data.farArrivals = evenArrivals(100, 0);
        std::int64_t came = 0;
        for (UdpArrival& window : data.farArrivals)
            came += window.packets = luck(random);
        data.totals = {total(100 * perWindow, came, 100 * perWindow - came)};
        wrong += summarise(data).forward->cause == Cause::OfferedTooMuch ? 1 : 0;
    }
    QVERIFY2(wrong <= 5, qPrintable(QString::number(wrong)));
}

void PathSummaryTest::whatSwingsIsNotOfferedTooMuch()
{
    UdpData data;
    data.totals = {total(100'000, 60'000, 40'000)};
    addSamples(data, true, 1'000, 50);
    for (size_t i = 25; i < 50; ++i)
        data.samples[i].packets = 100;
    QCOMPARE(summarise(data).forward->cause, Cause::Unknown);
}

void PathSummaryTest::theReceiversBuffer()
{
    const auto summary = forward(total(100'000, 90'000, 10'000), 6'000);
    QCOMPARE(summary.cause, Cause::ReceiverBuffer);
    QCOMPARE(summary.bufferDrops, 6'000);
}

void PathSummaryTest::bufferExplainsOnlyAPart()
{
    QCOMPARE(forward(total(100'000, 90'000, 10'000), 4'000).cause, Cause::Unknown);
    QCOMPARE(forward(total(100'000, 90'000, 10'000), 5'000).cause, Cause::ReceiverBuffer);
}

void PathSummaryTest::unknownLosses()
{
    QCOMPARE(forward(total(100'000, 99'000, 1'000)).cause, Cause::Unknown);
}

void PathSummaryTest::contradictions_data()
{
    QTest::addColumn<qint64>("sent");
    QTest::addColumn<qint64>("received");
    QTest::addColumn<qint64>("gaps");
    QTest::newRow("more received than sent") << qint64(1'000) << qint64(1'001) << qint64(0);
    QTest::newRow("more lost than sent") << qint64(1'000) << qint64(500) << qint64(1'200);
    QTest::newRow("negative received") << qint64(1'000) << qint64(-5) << qint64(0);
    QTest::newRow("negative lost") << qint64(1'000) << qint64(1'000) << qint64(-3);
    QTest::newRow("negative sent") << qint64(-1'000) << qint64(0) << qint64(0);
    QTest::newRow("more gaps than missing") << qint64(100'000) << qint64(99'000) << qint64(9'000);
    QTest::newRow("missing without gaps") << qint64(100'000) << qint64(60'000) << qint64(100);
}

void PathSummaryTest::contradictions()
{
    QFETCH(qint64, sent);
    QFETCH(qint64, received);
    QFETCH(qint64, gaps);
    const auto summary = forward(total(sent, received, gaps));
    QVERIFY(summary.isContradictory);
    QVERIFY(!summary.lost && !summary.lossRatio && !summary.lostTail);
    // As told, never clamped.
    QCOMPARE(summary.received, received);
    QCOMPARE(summary.sent, sent);
}

void PathSummaryTest::onlyTheReceiverTold()
{
    UdpTotal one = total(0, 90'000, 10'000);
    one.sent.reset();
    one.packetsSent.reset();
    one.outOfOrder.reset();
    const auto summary = forward(one, std::nullopt);
    QVERIFY(!summary.sent && !summary.offered && !summary.lostTail && !summary.outOfOrder);
    QVERIFY(!summary.bufferDrops);
    QCOMPARE(summary.lost, 10'000);
    QCOMPARE(summary.lossRatio->value(), 0.1);
    QCOMPARE(summary.cause, Cause::Unknown);
}

void PathSummaryTest::aPartialRun()
{
    UdpData data;
    addSamples(data, true, 100, 20);
    const auto summary = summarise(data).forward;
    QVERIFY(summary && !summary->fromTotals && !summary->sent);
    QCOMPARE(summary->received, 2'000);
    QCOMPARE(summary->lost, 2'000);
    QCOMPARE(summary->lossRatio->value(), 0.5);
    QCOMPARE(summary->arrived->bitsPerSecond(), 2'000 * payload * 8 / 2);
    // Of a sender alone: nothing of what arrived is known.
    UdpData sender;
    addSamples(sender, false, 100, 20);
    const auto sent = summarise(sender).forward;
    QVERIFY(sent && !sent->lost && !sent->lossRatio && !sent->arrived);
    QCOMPARE(sent->sent, 2'000);
    QVERIFY(sent->offered);
}

void PathSummaryTest::omittedSamplesDoNotCount()
{
    UdpData data;
    addSamples(data, true, 100, 20);
    for (size_t i = 0; i < 10; ++i)
        data.samples[i].omitted = true;
    QCOMPARE(summarise(data).forward->received, 1'000);
}

QTEST_APPLESS_MAIN(PathSummaryTest)
#include "tst_pathsummary.moc"
