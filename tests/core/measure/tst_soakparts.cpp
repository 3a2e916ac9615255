// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakchecker.h"
#include "core/measure/soak/soakspans.h"
#include "core/measure/soak/soakwatch.h"

#include <QTest>

using namespace napkin;
using namespace std::chrono_literals;
using Kind = SoakEvent::Kind;

// The parts of a soak that need no connection.
class TestSoakParts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void headersAndReports();
    void payloadsFollowFromTheirPlace();
    void checkerSeesSequence();
    void spansGatherSeconds();
    void stallsAreSeenOnce();
    void hours();
};

void TestSoakParts::headersAndReports()
{
    const soak::Header header{soak::FrameKind::Block, 7, 1ULL << 33, 65'536, 0xdeadbeef};
    const soak::HeaderBytes bytes = soak::encode(header);
    QCOMPARE(soak::decode(bytes), std::optional(header));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        soak::HeaderBytes damaged = bytes;
        damaged[i] ^= 0x10;
        QVERIFY(!soak::decode(damaged));
    }
    soak::Report report;
    report.instance = ~0ULL;
    report.time = 12s;
    report.receivedHere = 5;
    report.counts = {1, 2, 3, 4, 5, 6};
    report.rtt = 80us;
    report.events = 9;
    SoakEvent event;
    event.kind = Kind::Corrupted;
    event.part = SoakEvent::Part::Header;
    event.start = 3s;
    event.connection = 2;
    event.block = 99;
    event.offset = 31;
    event.expected = 255;
    event.got = 254;
    event.wrongBytes = 1;
    event.isSenders = true;
    report.newest.assign(soak::mostToldEvents, event);
    const QByteArray text = soak::encode(report);
    QCOMPARE(text.size(), qsizetype(soak::reportSize));
    const auto span = [](const QByteArray& of) {
        return std::span(reinterpret_cast<const unsigned char*>(of.constData()),
                         static_cast<std::size_t>(of.size()));
    };
    const auto back = soak::decodeReport(span(text));
    QVERIFY(back && *back == report);
    QVERIFY(!soak::decodeReport(span(text.chopped(1))));
    for (const qsizetype place : {qsizetype(8), qsizetype(16), qsizetype(24)}) { // negative counts
        QByteArray hostile = text;
        hostile[place] = '\xff';
        QVERIFY(!soak::decodeReport(span(hostile)));
    }
    QByteArray manyEvents = text;
    manyEvents[11 * 8 + 4] = '\x7f';
    QVERIFY(!soak::decodeReport(span(manyEvents)));
}

void TestSoakParts::payloadsFollowFromTheirPlace()
{
    const soak::BlockPlace place{42, Direction::Forward, 1, 5};
    std::vector<unsigned char> a(4'096);
    std::vector<unsigned char> b(4'096);
    soak::fillPayload(place, a);
    soak::fillPayload(place, b);
    QVERIFY(a == b);
    std::vector<soak::BlockPlace> others(4, place);
    others[0].seed = 43;
    others[1].direction = Direction::Reverse;
    others[2].connection = 2;
    others[3].sequence = 6;
    for (const soak::BlockPlace& other : others) {
        soak::fillPayload(other, b);
        std::size_t same = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            same += a[i] == b[i] ? 1 : 0;
        QVERIFY(same < 50); // 16 by chance
    }
}

// TCP does not lose or repeat blocks; a broken program or adapter may.
void TestSoakParts::checkerSeesSequence()
{
    const soak::BlockPlace first{42, Direction::Reverse, 3, 0};
    constexpr std::size_t size = 4'096;
    soak::Checker checker(first, size);
    const auto feed = [&](std::span<const unsigned char> bytes) {
        auto last = soak::Checker::Frame::None;
        while (!bytes.empty()) {
            const auto room = checker.room();
            const std::size_t count = std::min(room.size(), bytes.size());
            std::copy_n(bytes.begin(), count, room.begin());
            bytes = bytes.subspan(count);
            last = checker.took(count, 1s);
        }
        return last;
    };
    const auto blockOf = [&](std::uint64_t sequence) {
        soak::BlockPlace place = first;
        place.sequence = sequence;
        std::vector<unsigned char> bytes(soak::headerSize + size);
        const auto payload = std::span(bytes).subspan(soak::headerSize);
        soak::fillPayload(place, payload);
        std::ranges::copy(
            soak::encode({soak::FrameKind::Block, 3, sequence, size, soak::checkOf(payload)}),
            bytes.begin());
        return bytes;
    };
    for (const std::uint64_t sequence : {0, 1, 1, 4, 5})
        QCOMPARE(feed(blockOf(sequence)), soak::Checker::Frame::Block);
    const soak::Counts counts = checker.counts();
    QCOMPARE(counts.blocks, 5);
    QCOMPARE(counts.duplicated, 1);
    QCOMPARE(counts.lost, 2);
    QCOMPARE(counts.corrupted, 0);
    const auto events = checker.takeEvents();
    QCOMPARE(events.size(), 2U);
    QCOMPARE(events[1].block, 4);
    QCOMPARE(events[1].wantedBlock, 2);
    // Changed before its check was made: the sender's fault.
    auto senders = blockOf(6);
    senders[soak::headerSize + 100] ^= 4;
    const auto payload = std::span(senders).subspan(soak::headerSize);
    std::ranges::copy(soak::encode({soak::FrameKind::Block, 3, 6, size, soak::checkOf(payload)}),
                      senders.begin());
    QCOMPARE(feed(senders), soak::Checker::Frame::Block);
    const auto wrong = checker.takeEvents();
    QCOMPARE(wrong.size(), 1U);
    QVERIFY(wrong[0].isSenders);
    QCOMPARE(wrong[0].offset, 100);
    // A header of noise: no way on. So is one that leaps.
    QCOMPARE(feed(std::vector<unsigned char>(soak::headerSize, 0x55)),
             soak::Checker::Frame::Broken);
    soak::Checker another(first, size);
    std::ranges::copy(soak::encode({soak::FrameKind::Block, 3, 1ULL << 60, size, 0}),
                      another.room().begin());
    QCOMPARE(another.took(soak::headerSize, 1s), soak::Checker::Frame::Broken);
}

void TestSoakParts::spansGatherSeconds()
{
    soak::SpanBuilder builder(Direction::Forward, 10s);
    SoakSpan span;
    for (int i = 0; i < 10; ++i)
        span = builder.add({i * 1s, 1s, (i + 1) * 1'000, 1, Duration(i)});
    QCOMPARE(span.start, Duration(0));
    QCOMPARE(span.length, Duration(10s));
    QCOMPARE(span.bytes, ByteCount::bytes(55'000));
    QCOMPARE(span.least, BitRate::bitsPerSecond(8'000));
    QCOMPARE(span.most, BitRate::bitsPerSecond(80'000));
    QCOMPARE(span.median, BitRate::bitsPerSecond(48'000));
    QCOMPARE(span.retransmits, std::optional<std::int64_t>(10));
    span = builder.add({10s, 1s, 5'000, {}, {}});
    QCOMPARE(span.start, Duration(10s));
    QVERIFY(!span.retransmits);
    span = builder.add({15s, 1s, 5'000, {}, {}}); // after a time without a connection
    QCOMPARE(span.start, Duration(15s));
    QCOMPARE(span.length, Duration(1s));
}

// On a clock that is wound by hand.
void TestSoakParts::stallsAreSeenOnce()
{
    soak::StallWatch watch({Direction::Forward, Direction::Reverse}, 1s, 10s);
    watch.restart(0s);
    watch.saw(Direction::Forward, 100, 100ms);
    watch.saw(Direction::Forward, 100, 1'050ms);
    QCOMPARE(watch.begun(), 0);
    watch.saw(Direction::Forward, 100, 1'100ms);
    watch.saw(Direction::Forward, 100, 2s);
    QCOMPARE(watch.begun(), 1);
    QVERIFY(watch.takeEnded().empty()); // it goes on
    watch.saw(Direction::Forward, 101, 3s);
    const auto ended = watch.takeEnded();
    QCOMPARE(ended.size(), 1U);
    QCOMPARE(ended[0].start, Duration(100ms));
    QCOMPARE(ended[0].length, Duration(2'900ms));
    QCOMPARE(ended[0].direction, std::optional(Direction::Forward));
    // The program was held up: nobody knows what moved.
    watch.forgive(60s);
    watch.saw(Direction::Forward, 101, 60'500ms);
    QCOMPARE(watch.begun(), 1);
    QVERIFY(!watch.isSilent(69s));
    QVERIFY(watch.isSilent(70s));
    // A stall that ends in a lost connection is part of that.
    watch.saw(Direction::Reverse, 0, 65s);
    QCOMPARE(watch.begun(), 2);
    QCOMPARE(watch.withdraw(), std::optional<Duration>(60s));
    QCOMPARE(watch.begun(), 1);
    watch.restart(100s);
    watch.saw(Direction::Forward, 0, 102s);
    const auto open = watch.close(103s);
    QCOMPARE(open.size(), 1U);
    QVERIFY(open[0].isOpen);
    QCOMPARE(open[0].length, Duration(3s));
}

// A day's seconds make a few spans.
void TestSoakParts::hours()
{
    soak::SpanBuilder builder(Direction::Reverse, 60s);
    int spans = 0;
    Duration last{-1};
    for (int i = 0; i < 86'400; ++i) {
        const SoakSpan span = builder.add({i * 1'001ms, 1'001ms, 1'000, {}, {}});
        spans += span.start != last ? 1 : 0;
        last = span.start;
        QVERIFY(span.length < 62s);
    }
    QVERIFY2(spans >= 1'430 && spans <= 1'450, qPrintable(QString::number(spans)));
}

QTEST_GUILESS_MAIN(TestSoakParts)
#include "tst_soakparts.moc"
