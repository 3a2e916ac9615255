// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/statistics.h"
#include "core/results/summary.h"

#include <QTest>

#include <algorithm>

using namespace napkin;
using namespace std::chrono_literals;

namespace {

ThroughputSample sample(int tenth, std::int64_t bytes, Direction direction = Direction::Forward,
                        int stream = 0)
{
    ThroughputSample s;
    s.stream = stream;
    s.direction = direction;
    s.start = tenth * 100ms;
    s.length = 100ms;
    s.bytes = ByteCount::bytes(bytes);
    return s;
}

StreamTotal total(int stream, std::int64_t bytes, Duration duration,
                  Direction direction = Direction::Forward)
{
    StreamTotal t;
    t.stream = stream;
    t.direction = direction;
    t.received = ByteCount::bytes(bytes);
    t.duration = duration;
    return t;
}

bool has(const ProbeResult& result, QualityFlag flag)
{
    const auto notes = assessQuality(result);
    return std::any_of(notes.begin(), notes.end(),
                       [flag](const QualityNote& n) { return n.flag == flag; });
}

ProbeResult steadyRun(int tenths)
{
    ProbeResult result;
    result.conditions.near.address = QStringLiteral("10.0.0.1");
    result.conditions.far.address = QStringLiteral("10.0.0.2");
    ThroughputData data;
    for (int i = 0; i < tenths; ++i)
        data.samples.push_back(sample(i, 12'500'000));
    data.totals = {total(0, 12'500'000LL * tenths, tenths * 100ms)};
    result.data = data;
    return result;
}

} // namespace

class SummaryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void figureOfRecordIsTheReceiversCount()
    {
        ThroughputData data;
        data.samples = {sample(0, 999'999'999)}; // what the sender believed
        data.totals = {total(0, 1'250'000'000, 1s)};
        const auto summary = summarise(data);
        QVERIFY(summary.forward.has_value());
        QVERIFY(!summary.reverse.has_value());
        QVERIFY(summary.forward->fromTotals);
        QCOMPARE(summary.forward->throughput.gigabitsPerSecond(), 10.0);
    }
    void streamsAreSummedOverTheLongestTime()
    {
        ThroughputData data;
        data.totals = {total(0, 500'000'000, 1s), total(1, 500'000'000, 2s)};
        // iperf3 would divide 1 GB by the first stream's second: 8 Gb/s.
        QCOMPARE(summarise(data).forward->throughput.gigabitsPerSecond(), 4.0);
    }
    void directionsAreNeverAddedUp()
    {
        ThroughputData data;
        data.totals = {total(0, 1'000, 1s), total(0, 3'000, 1s, Direction::Reverse)};
        const auto summary = summarise(data);
        QCOMPARE(summary.forward->throughput.bitsPerSecond(), std::int64_t(8'000));
        QCOMPARE(summary.reverse->throughput.bitsPerSecond(), std::int64_t(24'000));
    }
    void partialRunsUseTheSamples()
    {
        ThroughputData data;
        auto warmUp = sample(0, 1'000'000);
        warmUp.omitted = true;
        data.samples = {warmUp, sample(1, 100), sample(2, 300)};
        const auto summary = summarise(data);
        QVERIFY(!summary.forward->fromTotals);
        QCOMPARE(summary.forward->received.bytes(), std::int64_t(400));
        QCOMPARE(summary.forward->duration, Duration(200ms));
        QCOMPARE(summary.forward->throughput.bitsPerSecond(), std::int64_t(16'000));
    }
    void unknownRetransmitsStayUnknown()
    {
        ThroughputData data;
        data.totals = {total(0, 1'000, 1s), total(1, 1'000, 1s)};
        data.totals[0].retransmits = 3;
        QVERIFY(!summarise(data).forward->retransmits.has_value());
        data.totals[1].retransmits = 0;
        QCOMPARE(summarise(data).forward->retransmits, std::optional<std::int64_t>(3));
    }
    void extremesAreWholeSeconds()
    {
        ThroughputData data;
        for (int i = 0; i < 30; ++i)
            data.samples.push_back(sample(i, i < 10 ? 1'000 : (i < 20 ? 5'000 : 2'000)));
        const auto summary = summarise(data);
        QCOMPARE(summary.forward->lowest->bitsPerSecond(), std::int64_t(80'000));
        QCOMPARE(summary.forward->highest->bitsPerSecond(), std::int64_t(400'000));
    }
    void nothingIsNoZero()
    {
        const auto summary = summarise(ThroughputData{});
        QVERIFY(!summary.forward && !summary.reverse);
        const auto connect = summarise(ConnectData{});
        QVERIFY(!connect.median.has_value());
        QCOMPARE(connect.attempts, 0);
    }
    void connectTimesOfTheConnectedOnly()
    {
        ConnectData data;
        for (int i = 1; i <= 5; ++i)
            data.samples.push_back({0s, i * 10us, ConnectSample::Outcome::Connected});
        data.samples.push_back({0s, 1us, ConnectSample::Outcome::Refused});
        data.samples.push_back({0s, 2s, ConnectSample::Outcome::TimedOut});
        const auto summary = summarise(data);
        QCOMPARE(summary.attempts, 7);
        QCOMPARE(summary.connected, 5);
        QCOMPARE(summary.refused, 1);
        QCOMPARE(summary.timedOut, 1);
        QCOMPARE(*summary.median, Duration(30us));
        QCOMPARE(*summary.p90, Duration(46us));
        QCOMPARE(*summary.least, Duration(10us));
        QCOMPARE(*summary.most, Duration(50us));
    }
    void quantileOfOneAndNone()
    {
        QVERIFY(!quantile({}, 0.5).has_value());
        QCOMPARE(*quantile({7ns}, 0.99), Duration(7ns));
        QCOMPARE(*quantile({4ns, 2ns}, 0.5), Duration(3ns));
    }
    void steadyRunHasNoFlags() { QVERIFY(assessQuality(steadyRun(100)).empty()); }
    void flagsAndTheirReasons()
    {
        auto shortRun = steadyRun(5);
        QVERIFY(has(shortRun, QualityFlag::TooShort));

        auto loop = steadyRun(20);
        loop.conditions.far.address = QStringLiteral("127.0.0.1");
        QVERIFY(has(loop, QualityFlag::Loopback));
        for (const char* own : {"127.0.0.53", "127.255.0.1", "::1", "::1%lo", "::ffff:127.0.0.1"}) {
            auto ours = steadyRun(20); // whatever its interface is called
            ours.conditions.near.address = QString::fromLatin1(own);
            ours.conditions.near.interfaceName = QStringLiteral("lo0");
            QVERIFY2(has(ours, QualityFlag::Loopback), own);
        }
        auto other = steadyRun(20);
        other.conditions.far.address = QStringLiteral("128.0.0.1");
        QVERIFY(!has(other, QualityFlag::Loopback));
        auto self = steadyRun(20);
        self.conditions.far.address = self.conditions.near.address;
        QVERIFY(has(self, QualityFlag::Loopback));
        auto ownAddresses = steadyRun(20); // two of one machine, neither of them 127.0.0.1
        ownAddresses.conditions.near.interfaceName = QStringLiteral("lo");
        QVERIFY(has(ownAddresses, QualityFlag::Loopback));

        auto partial = steadyRun(20);
        partial.completion = Completion::Partial;
        QVERIFY(has(partial, QualityFlag::Partial));

        auto uneven = steadyRun(20);
        std::get<ThroughputData>(uneven.data).totals = {total(0, 900, 2s), total(1, 100, 2s)};
        QVERIFY(has(uneven, QualityFlag::StreamsUnequal));

        auto ramp = steadyRun(20);
        for (auto& s : std::get<ThroughputData>(ramp.data).samples) {
            if (s.start < 1s)
                s.bytes = ByteCount::bytes(s.bytes.bytes() / 2);
        }
        QVERIFY(has(ramp, QualityFlag::NotSteady));
    }
    void everyFlagHasNameAndText()
    {
        for (int i = 0; i <= static_cast<int>(QualityFlag::NotSteady); ++i) {
            const auto flag = static_cast<QualityFlag>(i);
            QVERIFY(qualityFlagFromName(qualityFlagName(flag)) == flag);
            QVERIFY(!qualityFlagText(flag).isEmpty());
        }
    }
    void endpointsAsText()
    {
        QCOMPARE(endpointText(QStringLiteral("spark-b"), 5201), QStringLiteral("spark-b:5201"));
        QCOMPARE(endpointText(QStringLiteral(" 10.0.0.2 "), 22), QStringLiteral("10.0.0.2:22"));
        QCOMPARE(endpointText(QStringLiteral("fe80::1%eth0"), 5201),
                 QStringLiteral("[fe80::1%eth0]:5201"));
        QCOMPARE(endpointText(QStringLiteral("::1"), 0), QStringLiteral("::1"));
    }
    void optionsOutOfRangeAreRefused()
    {
        ProbeSpec spec;
        spec.far.host = QStringLiteral("box");
        spec.far.port = 5201;
        spec.options = ThroughputOptions{};
        QVERIFY(validate(spec).has_value());
        const auto refused = [&spec](auto change) {
            ThroughputOptions options;
            change(options);
            ProbeSpec copy = spec;
            copy.options = options;
            const auto verdict = validate(copy);
            return !verdict && verdict.error().code == ErrorCode::InvalidArgument &&
                   !verdict.error().detail.isEmpty();
        };
        QVERIFY(refused([](ThroughputOptions& o) { o.streams = 0; }));
        QVERIFY(refused([](ThroughputOptions& o) { o.streams = 129; }));
        QVERIFY(refused([](ThroughputOptions& o) { o.duration = 999ms; }));
        QVERIFY(refused([](ThroughputOptions& o) { o.duration = 1500ms; }));
        QVERIFY(refused([](ThroughputOptions& o) { o.omit = 601s; }));
        QVERIFY(refused([](ThroughputOptions& o) { o.blockSize = ByteCount::bytes(3); }));
        QVERIFY(refused([](ThroughputOptions& o) { o.blockSize = ByteCount::bytes(1'048'577); }));
        spec.far.port = 0;
        QVERIFY(!validate(spec).has_value());
        spec.far.port = 5201;
        spec.far.host = QStringLiteral(" ");
        QVERIFY(!validate(spec).has_value());
        spec.far.host = QStringLiteral("box");
        spec.options = ConnectOptions{0};
        QVERIFY(!validate(spec).has_value());
    }
};

QTEST_GUILESS_MAIN(SummaryTest)
#include "tst_summary.moc"
