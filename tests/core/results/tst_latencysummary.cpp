// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/latencysummary.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace napkin;
using namespace std::chrono_literals;
using Random = std::mt19937_64;
using Outcome = RoundTrip::Outcome;

namespace {

constexpr int roundCount = 30;

RoundTrip roundTrip(Duration start, Duration time, Outcome outcome = Outcome::Answered)
{
    return {start, time, outcome};
}

double normal(Random& random)
{
    return std::normal_distribution<double>()(random);
}

// Every power of two and what lies between, as a sweep has them.
std::vector<std::int64_t> sizesTo(std::int64_t most)
{
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1; size <= most; size *= 2) {
        if (size >= 4)
            sizes.push_back(size * 3 / 4 + (size * 3 / 4 % 2 == 0 ? 1 : 0));
        sizes.push_back(size);
    }
    std::ranges::sort(sizes);
    return sizes;
}

// Round 0 takes ten times as long; 2 % of the others twenty times.
SweepData sweep(const std::function<double(double)>& nanoseconds, double deviation = 0.05,
                double outliers = 0.02, std::uint64_t seed = 1)
{
    Random random(seed);
    SweepData data;
    std::vector<std::int64_t> sizes = sizesTo(4 << 20);
    for (int round = 0; round <= roundCount; ++round) {
        std::ranges::shuffle(sizes, random);
        for (const std::int64_t size : sizes) {
            double time =
                nanoseconds(static_cast<double>(size)) * (1 + std::abs(deviation * normal(random)));
            if (round == 0)
                time *= 10;
            else if (std::uniform_real_distribution<double>()(random) < outliers)
                time *= 20;
            data.samples.push_back(
                {round, ByteCount::bytes(size), Duration(), Duration(std::llround(time))});
        }
    }
    return data;
}

// RTT in nanoseconds, alpha in microseconds and beta in gigabytes a second.
std::function<double(double)> line(double alpha, double beta)
{
    return [=](double size) { return 2 * (alpha * 1e3 + size / beta); };
}

bool isWithin(double value, double truth, double share)
{
    return std::abs(value - truth) <= share * truth;
}

} // namespace

class LatencySummaryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing();
    void countsAndPercentiles();
    void percentilesNeedTheirNumber();
    void onlyLosses();
    void theWarmUpIsCut();
    void anUnsteadyLink();
    void alphaAndBeta_data();
    void alphaAndBeta();
    void intervalsHoldTheTruth();
    void aBreakInTheLine();
    void aJumpInTheLine();
    void oneOddSizeIsNoBreakOfTheRest();
    void fewSizesBeyondTheBreak();
    void alphaThatIsNotThere();
    void tooLittleForAFit();
    void noLineAtAll();
    void theSameDataTheSameFit();
    void underLoad();
    void loadWithoutIdle();
};

void LatencySummaryTest::nothing()
{
    const LatencySummary summary = summarise(LatencyData());
    QCOMPARE(summary.sent, 0);
    QVERIFY(!summary.p50 && !summary.least && !summary.most && !summary.certainty);
    QCOMPARE(summary.lossRatio().value(), 0.0);
    QVERIFY(summarise(SweepData()).points.empty());
    QVERIFY(!summarise(SweepData()).fit);
    QVERIFY(summarise(LoadedLatencyData()).empty());
}

void LatencySummaryTest::countsAndPercentiles()
{
    LatencyData data;
    for (int i = 1; i <= 10; ++i)
        data.samples.push_back(roundTrip(i * 1ms, i * 100us));
    data.samples.push_back(roundTrip(11ms, 1s, Outcome::Lost));
    data.samples.push_back(roundTrip(12ms, 1s, Outcome::Lost));
    data.duplicates = 3;
    data.reordered = 4;
    const LatencySummary summary = summarise(data);
    QCOMPARE(summary.sent, 12);
    QCOMPARE(summary.answered, 10);
    QCOMPARE(summary.lost, 2);
    QCOMPARE(summary.warmUp, 0);
    QCOMPARE(summary.duplicates, 3);
    QCOMPARE(summary.reordered, 4);
    QVERIFY(isWithin(summary.lossRatio().value(), 2.0 / 12, 1e-9));
    QVERIFY(*summary.least == 100us);
    QVERIFY(*summary.p50 == 550us);
    QVERIFY(*summary.p90 == 910us);
    QVERIFY(*summary.most == 1ms);
    QVERIFY(!summary.p99 && !summary.p999);
}

void LatencySummaryTest::percentilesNeedTheirNumber()
{
    LatencyData data;
    const auto addUpTo = [&data](int count) {
        while (data.samples.size() < static_cast<size_t>(count))
            data.samples.push_back(roundTrip(0ns, 100us));
        return summarise(data);
    };
    QVERIFY(!addUpTo(99).p99);
    QVERIFY(addUpTo(100).p99);
    QVERIFY(!addUpTo(999).p999);
    QVERIFY(addUpTo(1'000).p999);
}

void LatencySummaryTest::onlyLosses()
{
    LatencyData data;
    for (int i = 0; i < 50; ++i)
        data.samples.push_back(roundTrip(i * 1s, 1s, Outcome::Lost));
    const LatencySummary summary = summarise(data);
    QCOMPARE(summary.lost, 50);
    QCOMPARE(summary.lossRatio().value(), 1.0);
    QVERIFY(!summary.p50 && !summary.certainty);
}

void LatencySummaryTest::theWarmUpIsCut()
{
    Random random(3);
    LatencyData data;
    for (int i = 0; i < 2'000; ++i) {
        const auto start = i * 2ms; // 4 s
        const double time = 1e5 * (1 + 0.05 * std::abs(normal(random))) * (start < 500ms ? 3 : 1);
        data.samples.push_back(roundTrip(start, Duration(std::llround(time))));
    }
    const LatencySummary summary = summarise(data);
    QCOMPARE(summary.warmUp, 250);
    QVERIFY(isWithin(summary.warmUpShare.value(), 0.125, 0.01));
    QCOMPARE(summary.sent, 1'750);
    QVERIFY(*summary.most < 150us);
    QVERIFY(summary.certainty);
    QCOMPARE(summary.certainty->verdict, Certainty::Verdict::Sure);
    QVERIFY(isWithin(summary.certainty->mean, static_cast<double>(summary.p50->count()), 0.02));
}

void LatencySummaryTest::anUnsteadyLink()
{
    LatencyData data;
    for (int i = 0; i < 2'000; ++i)
        data.samples.push_back(roundTrip(i * 2ms, i / 250 % 2 == 0 ? 100us : 300us));
    const LatencySummary summary = summarise(data);
    QCOMPARE(summary.certainty->verdict, Certainty::Verdict::NotSteady);
    QVERIFY(summary.p50);
    QCOMPARE(summary.certainty->lowest, 1e5);
    QCOMPARE(summary.certainty->highest, 3e5);
}

void LatencySummaryTest::alphaAndBeta_data()
{
    QTest::addColumn<double>("alpha"); // microseconds
    QTest::addColumn<double>("beta");  // GB/s
    QTest::newRow("1 Gbit/s") << 40.0 << 0.1177;
    QTest::newRow("10 Gbit/s") << 15.0 << 1.2;
    QTest::newRow("100 Gbit/s") << 2.0 << 11.0;
    QTest::newRow("far away") << 20'000.0 << 0.01;
}

void LatencySummaryTest::alphaAndBeta()
{
    QFETCH(double, alpha);
    QFETCH(double, beta);
    const SweepSummary summary = summarise(sweep(line(alpha, beta)));
    QVERIFY(summary.fit);
    const SweepFit& fit = *summary.fit;
    qInfo("%s: alpha %.3f us (%.3f to %.3f), beta %.4f GB/s (%.4f to %.4f), residual %.1f %%",
          QTest::currentDataTag(), 1e6 * inSeconds(*fit.alpha), 1e6 * inSeconds(fit.alphaLow),
          1e6 * inSeconds(fit.alphaHigh), fit.beta.gigabytesPerSecond(),
          fit.betaLow.gigabytesPerSecond(), fit.betaHigh.gigabytesPerSecond(),
          100 * fit.largestResidual);
    // The noise is one-sided: its median is 3.4 % above the line.
    QVERIFY(isWithin(1e6 * inSeconds(*fit.alpha), 1.034 * alpha, 0.02));
    QVERIFY(isWithin(fit.beta.gigabytesPerSecond(), beta / 1.034, 0.02));
    QVERIFY(fit.alphaLow <= fit.alpha && fit.alpha <= fit.alphaHigh);
    QVERIFY(fit.betaLow <= fit.beta && fit.beta <= fit.betaHigh);
    QVERIFY(fit.largestResidual < 0.05);
    QVERIFY(fit.breaks.empty() && !fit.upTo() && !fit.tail);
    for (const SweepPoint& point : summary.points) {
        QCOMPARE(point.count, roundCount);
        QVERIFY(point.residual && std::abs(*point.residual) < fit.largestResidual + 1e-4);
        QVERIFY(point.least <= point.median && point.median <= point.p90);
    }
}

void LatencySummaryTest::intervalsHoldTheTruth()
{
    int alphas = 0;
    int betas = 0;
    constexpr int runs = 40;
    for (int i = 0; i < runs; ++i) {
        const auto summary =
            summarise(sweep(line(15, 1.2), 0.05, 0.02, static_cast<std::uint64_t>(100 + i)));
        // The median of the noise is 3.37 % above the line, and the outliers lift it a little.
        const auto alpha = Duration(std::llround(1.0345 * 15'000));
        const auto beta = ByteRate::bytesPerSecond(std::llround(1.2e9 / 1.0345));
        const SweepFit& fit = summary.fit.value();
        alphas += fit.alphaLow <= alpha && alpha <= fit.alphaHigh ? 1 : 0;
        betas += fit.betaLow <= beta && beta <= fit.betaHigh ? 1 : 0;
    }
    qInfo("of %d intervals %d hold alpha, %d beta", runs, alphas, betas);
    QVERIFY(alphas >= 34);
    QVERIFY(betas >= 34);
}

// From 64 KiB on each byte takes three times as long.
void LatencySummaryTest::aBreakInTheLine()
{
    const auto bent = [](double size) {
        const double knee = 65'536;
        const double base = line(10, 1)(std::min(size, knee));
        return base + (size > knee ? 6 * (size - knee) : 0);
    };
    const SweepSummary summary = summarise(sweep(bent));
    QVERIFY(summary.fit);
    QVERIFY(isWithin(1e6 * inSeconds(*summary.fit->alpha), 10.34, 0.1));
    QVERIFY(isWithin(summary.fit->beta.gigabytesPerSecond(), 0.967, 0.15));
    QVERIFY(!summary.fit->breaks.empty());
    const std::int64_t first = summary.fit->breaks.front().bytes();
    QVERIFY(first > 65'536 && first <= 131'072);
    QCOMPARE(summary.fit->upTo()->bytes(), first);
    // What large messages go by is three times (and more) slower.
    QVERIFY(summary.fit->tail);
    QCOMPARE(summary.fit->tail->from.bytes(), summary.fit->breaks.back().bytes());
    QVERIFY(isWithin(summary.fit->tail->beta.gigabytesPerSecond(), 1.0 / 3 / 1.034, 0.1));
    QVERIFY(summary.fit->tail->betaLow <= summary.fit->tail->beta &&
            summary.fit->tail->beta <= summary.fit->tail->betaHigh);
    QVERIFY(summary.fit->largestResidual <= 0.20);
    for (const SweepPoint& point : summary.points)
        QCOMPARE(point.residual.has_value(), point.size.bytes() < first);
}

// From 16 KiB on there is another way of sending, with a start of its own.
void LatencySummaryTest::aJumpInTheLine()
{
    const auto jump = [](double size) {
        return size < 16'384 ? line(5, 2)(size) : line(40, 2)(size);
    };
    const SweepSummary summary = summarise(sweep(jump));
    QVERIFY(summary.fit);
    QCOMPARE(summary.fit->breaks.size(), size_t(1));
    QCOMPARE(summary.fit->breaks.front().bytes(), 16'384);
    QVERIFY(isWithin(1e6 * inSeconds(*summary.fit->alpha), 5.17, 0.03));
}

void LatencySummaryTest::oneOddSizeIsNoBreakOfTheRest()
{
    const auto odd = [](double size) { return line(10, 1)(size) * (size == 4 << 20 ? 1.15 : 1); };
    const SweepSummary summary = summarise(sweep(odd));
    QVERIFY(summary.fit);
    QVERIFY(summary.fit->breaks.empty());
    QVERIFY(summary.fit->largestResidual > 0.05);
}

// Beyond the break are only a few sizes: of large messages nothing can be said.
void LatencySummaryTest::fewSizesBeyondTheBreak()
{
    const auto bent = [](double size) {
        const double knee = 1'000'000;
        return line(10, 1)(std::min(size, knee)) + (size > knee ? 10 * (size - knee) : 0);
    };
    const SweepSummary summary = summarise(sweep(bent));
    QVERIFY(summary.fit && summary.fit->upTo());
    QVERIFY(!summary.fit->tail);
}

// Large messages alone: the line meets a negative time at no length, which is no alpha of zero.
void LatencySummaryTest::alphaThatIsNotThere()
{
    SweepData data = sweep([](double size) { return 2 * (size - 50'000); });
    std::erase_if(data.samples,
                  [](const SweepSample& sample) { return sample.size.bytes() < 200'000; });
    const SweepSummary summary = summarise(data);
    QVERIFY(summary.fit);
    QVERIFY(!summary.fit->alpha);
    QVERIFY(isWithin(summary.fit->beta.gigabytesPerSecond(), 0.967, 0.05));
}

void LatencySummaryTest::tooLittleForAFit()
{
    SweepData data = sweep(line(10, 1));
    std::erase_if(data.samples, [](const SweepSample& sample) { return sample.round > 4; });
    SweepSummary summary = summarise(data);
    QVERIFY(!summary.points.empty() && !summary.fit);
    QCOMPARE(summary.points.front().count, 4);
    data = sweep(line(10, 1));
    std::erase_if(data.samples, [](const SweepSample& sample) { return sample.size.bytes() > 4; });
    summary = summarise(data);
    QCOMPARE(summary.points.size(), size_t(4));
    QVERIFY(!summary.fit);
}

void LatencySummaryTest::noLineAtAll()
{
    // The larger the faster: nothing that alpha and beta could say.
    QVERIFY(!summarise(sweep([](double size) { return 1e6 / std::sqrt(size); })).fit);
    // Nothing at all, and times that are none.
    QVERIFY(!summarise(sweep([](double) { return 0; })).fit);
}

void LatencySummaryTest::theSameDataTheSameFit()
{
    const SweepData data = sweep(line(10, 1));
    const SweepFit first = *summarise(data).fit;
    const SweepFit second = *summarise(data).fit;
    QCOMPARE(first.alphaLow.count(), second.alphaLow.count());
    QCOMPARE(first.betaHigh.bytesPerSecond(), second.betaHigh.bytesPerSecond());
}

void LatencySummaryTest::underLoad()
{
    LoadedLatencyData data;
    for (const auto& [load, time] :
         {std::pair(Load::Idle, 100us), std::pair(Load::Sending, 2'500us),
          std::pair(Load::Both, 5'000us)}) {
        LoadPhase phase;
        phase.load = load;
        for (int i = 0; i < 100; ++i)
            phase.samples.push_back(roundTrip(i * 5ms, time));
        phase.samples.push_back(roundTrip(1s, 2s, Outcome::Lost));
        if (load != Load::Idle)
            phase.forward = BitRate::bitsPerSecond(95'000'000);
        data.phases.push_back(phase);
    }
    const auto phases = summarise(data);
    QCOMPARE(phases.size(), size_t(3));
    QVERIFY(!phases[0].ratio && !phases[0].forward);
    QVERIFY(*phases[0].p50 == 100us);
    QCOMPARE(phases[0].sent, 101);
    QCOMPARE(phases[0].lost, 1);
    QVERIFY(phases[0].p99);
    QCOMPARE(*phases[1].ratio, 25.0);
    QCOMPARE(*phases[2].ratio, 50.0);
    QCOMPARE(phases[2].load, Load::Both);
    QVERIFY(phases[1].forward && !phases[1].reverse);
}

void LatencySummaryTest::loadWithoutIdle()
{
    LoadedLatencyData data;
    data.phases.push_back({Load::Sending, {roundTrip(0s, 1ms)}, std::nullopt, std::nullopt, 0, 0});
    data.phases.push_back({Load::Both, {}, std::nullopt, std::nullopt, 0, 0});
    const auto phases = summarise(data);
    QVERIFY(!phases[0].ratio && phases[0].p50 && !phases[0].p99);
    QVERIFY(!phases[1].ratio && !phases[1].p50);
}

QTEST_APPLESS_MAIN(LatencySummaryTest)
#include "tst_latencysummary.moc"
