// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/data.h"
#include "core/results/soaksummary.h"

#include <QTest>

#include <random>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

// A span a minute, with noise of a share of the rate, and a drift over all of it.
std::vector<SoakSpan> minutes(int count, double drift, double noise,
                              Direction direction = Direction::Forward)
{
    std::mt19937 random(20261202);
    std::normal_distribution<double> spread(0, noise);
    std::vector<SoakSpan> spans;
    for (int i = 0; i < count; ++i) {
        const double rate =
            1e8 * (1 + drift * (static_cast<double>(i) / (count - 1) - 0.5) + spread(random));
        SoakSpan span;
        span.direction = direction;
        span.start = i * 60s;
        span.length = 60s;
        span.bytes = ByteCount::bytes(std::llround(rate * 60 / 8));
        span.median = BitRate::bitsPerSecond(std::llround(rate));
        span.least = BitRate::bitsPerSecond(std::llround(rate * 0.9));
        span.most = BitRate::bitsPerSecond(std::llround(rate * 1.1));
        spans.push_back(span);
    }
    return spans;
}

SoakTotal totalOf(Direction direction, std::int64_t bytes)
{
    SoakTotal total;
    total.direction = direction;
    total.received = ByteCount::bytes(bytes);
    total.checked = total.received;
    total.blocks = bytes / 1'000;
    return total;
}

SoakEvent eventAt(SoakEvent::Kind kind, Duration start, Duration length)
{
    SoakEvent event;
    event.kind = kind;
    event.start = start;
    event.length = length;
    return event;
}

} // namespace

class TestSoakSummary : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void drift_data();
    void drift();
    void shortRunsHaveNoDrift();
    void oneBadMinuteIsNoDrift();
    void driftKeepsItsPromise();
    void figures();
    void goingOn();
    void manyEventsAreBounded();
    void progressGrowsTheNewestSpan();
    void spanLengths();
};

void TestSoakSummary::drift_data()
{
    QTest::addColumn<double>("drift");
    QTest::addColumn<double>("noise");
    QTest::addColumn<bool>("isSeen");
    QTest::newRow("none") << 0.0 << 0.002 << false;
    QTest::newRow("falls by 10 %") << -0.1 << 0.01 << true;
    QTest::newRow("rises by 5 %") << 0.05 << 0.005 << true;
    QTest::newRow("too small to matter") << 0.004 << 0.0001 << false;
    QTest::newRow("hidden in noise") << 0.02 << 0.2 << false;
}

void TestSoakSummary::drift()
{
    QFETCH(double, drift);
    QFETCH(double, noise);
    QFETCH(bool, isSeen);
    const auto found = driftOf(minutes(60, drift, noise), Direction::Forward);
    QVERIFY(found.has_value());
    QCOMPARE(found->isSeen, isSeen);
    QVERIFY(found->low <= found->change && found->change <= found->high);
    if (isSeen) {
        QVERIFY(std::abs(found->change - drift) < 0.2 * std::abs(drift));
        QVERIFY(found->low <= drift && drift <= found->high);
    } else {
        QVERIFY(found->ruledOut() >= std::abs(drift));
    }
    QVERIFY(!driftOf(minutes(60, drift, noise), Direction::Reverse));
}

void TestSoakSummary::shortRunsHaveNoDrift()
{
    QVERIFY(!driftOf(minutes(4, -0.5, 0), Direction::Forward));
    QVERIFY(driftOf(minutes(6, -0.5, 0.001), Direction::Forward));
    QVERIFY(!driftOf({}, Direction::Forward));
}

void TestSoakSummary::oneBadMinuteIsNoDrift()
{
    auto spans = minutes(30, 0, 0.002);
    spans.back().bytes = ByteCount::bytes(0);
    spans[28].bytes = ByteCount::bytes(0);
    const auto found = driftOf(spans, Direction::Forward);
    QVERIFY(found && !found->isSeen);
}

// Of a hundred runs that do not drift, about five leave zero out of the interval.
void TestSoakSummary::driftKeepsItsPromise()
{
    std::mt19937 random(7);
    std::normal_distribution<double> spread(0, 0.05);
    int outside = 0;
    for (int run = 0; run < 200; ++run) {
        auto spans = minutes(40, 0, 0);
        for (SoakSpan& span : spans)
            span.bytes = ByteCount::bytes(
                std::llround(static_cast<double>(span.bytes.bytes()) * (1 + spread(random))));
        const auto found = driftOf(spans, Direction::Forward);
        outside += found->low > 0 || found->high < 0 ? 1 : 0;
    }
    QVERIFY2(outside <= 22, qPrintable(QString::number(outside)));
}

void TestSoakSummary::figures()
{
    SoakData data;
    data.spans = minutes(10, 0, 0);
    data.spans[3].least = BitRate::bitsPerSecond(0);
    data.totals = {totalOf(Direction::Forward, 7'500'000'000)};
    data.totals[0].corrupted = 2;
    data.totals[0].lost = 1;
    data.stalls = 1;
    data.dropOuts = 1;
    data.events = {eventAt(SoakEvent::Kind::Stall, 10s, 3s),
                   eventAt(SoakEvent::Kind::DropOut, 60s, 12s)};
    const SoakSummary summary = summarise(data);
    QVERIFY(summary.forward && !summary.reverse);
    QCOMPARE(summary.faults, 5);
    QCOMPARE(summary.forward->mean, BitRate::bitsPerSecond(100'000'000));
    QCOMPARE(summary.forward->least, BitRate::bitsPerSecond(0));
    QCOMPARE(summary.forward->most, BitRate::bitsPerSecond(110'000'000));
    QCOMPARE(summary.longestStall, std::optional<Duration>(3s));
    QCOMPARE(summary.longestDropOut, std::optional<Duration>(12s));
}

void TestSoakSummary::goingOn()
{
    SoakData before;
    before.elapsed = 100s;
    before.stalls = 2;
    before.totals = {totalOf(Direction::Forward, 1'000)};
    before.totals[0].retransmits = 3;
    before.spans = {SoakSpan{Direction::Forward, 0s, 60s, ByteCount::bytes(1), {}, {}, {}, {}, {}}};
    const SoakData gap = interrupted(before, 1h);
    QCOMPARE(gap.programGaps, 1);
    QCOMPARE(gap.programGap, Duration(1h));
    QCOMPARE(gap.elapsed, Duration(100s)); // it is no part of the run
    QCOMPARE(gap.events.back().kind, SoakEvent::Kind::ProgramGap);
    QCOMPARE(gap.events.back().start, Duration(100s));
    QCOMPARE(gap.events.back().length, Duration(1h));
    SoakData fresh;
    fresh.elapsed = 50s;
    fresh.stalls = 1;
    fresh.totals = {totalOf(Direction::Forward, 500), totalOf(Direction::Reverse, 7)};
    fresh.totals[0].retransmits = 4;
    fresh.spans = {SoakSpan{Direction::Forward, 0s, 10s, ByteCount::bytes(2), {}, {}, {}, {}, {}}};
    fresh.events = {eventAt(SoakEvent::Kind::Stall, 5s, 1s)};
    ProbeData all = gap;
    append(all, continuing(gap, fresh));
    const auto& whole = std::get<SoakData>(all);
    QCOMPARE(whole.elapsed, Duration(150s));
    QCOMPARE(whole.stalls, 3);
    QCOMPARE(whole.programGaps, 1);
    QCOMPARE(whole.totals[0].received, ByteCount::bytes(1'500));
    QCOMPARE(whole.totals[0].retransmits, std::optional<std::int64_t>(7));
    QCOMPARE(whole.totals[1].received, ByteCount::bytes(7));
    QCOMPARE(whole.spans.size(), 2U);
    QCOMPARE(whole.spans[1].start, Duration(100s));
    QCOMPARE(whole.events.size(), 2U);
    QCOMPARE(whole.events[1].start, Duration(105s));
}

void TestSoakSummary::manyEventsAreBounded()
{
    SoakData before;
    before.events.assign(mostSoakEvents - 1, eventAt(SoakEvent::Kind::Stall, 1s, 1s));
    before = interrupted(before, 1s);
    QCOMPARE(before.events.size(), mostSoakEvents);
    before = interrupted(before, 1s);
    QCOMPARE(before.events.size(), mostSoakEvents);
    QCOMPARE(before.eventsLeftOut, 1);
    SoakData fresh;
    fresh.events.assign(10, eventAt(SoakEvent::Kind::Stall, 1s, 1s));
    const SoakData more = continuing(before, fresh);
    QVERIFY(more.events.empty());
    QCOMPARE(more.eventsLeftOut, 11);
}

void TestSoakSummary::progressGrowsTheNewestSpan()
{
    ProbeData all = SoakData();
    SoakData fresh;
    const auto span = [](Direction direction, Duration start, Duration length) {
        SoakSpan one;
        one.direction = direction;
        one.start = start;
        one.length = length;
        return one;
    };
    fresh.spans = {span(Direction::Forward, 0s, 1s), span(Direction::Reverse, 0s, 1s)};
    append(all, fresh);
    fresh.spans = {span(Direction::Forward, 0s, 2s)};
    fresh.elapsed = 2s;
    append(all, fresh);
    fresh.spans = {span(Direction::Forward, 10s, 1s)};
    append(all, fresh);
    const auto& data = std::get<SoakData>(all);
    QCOMPARE(data.spans.size(), 3U);
    QCOMPARE(data.spans[0].length, Duration(2s));
    QCOMPARE(data.elapsed, Duration(2s));
}

// However long, the spans stay few.
void TestSoakSummary::spanLengths()
{
    for (const auto duration : {10s, 900s, 901s, 10'800s, 10'801s, 86'400s})
        QVERIFY(duration / soakSpanLength(duration) <= 1'440);
    QCOMPARE(soakSpanLength(600s), Duration(1s));
}

QTEST_GUILESS_MAIN(TestSoakSummary)
#include "tst_soaksummary.moc"
