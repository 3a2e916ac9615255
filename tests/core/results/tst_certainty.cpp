// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/certainty.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace napkin;
using Verdict = Certainty::Verdict;

namespace {

using Series = std::vector<double>;
using Random = std::mt19937_64;

constexpr double level = 100;
constexpr int seriesCount = 300;    // of each kind
constexpr std::size_t aSecond = 20; // values
constexpr std::size_t whole = 200;  // 10 s
constexpr double pi = 3.14159265358979;

double normal(Random& random)
{
    return std::normal_distribution<double>()(random);
}

double uniform(Random& random)
{
    return std::uniform_real_distribution<double>()(random);
}

// Around 100, with a relative deviation; each value remembers `rho` of the one before.
Series noise(Random& random, double deviation, double rho = 0)
{
    Series values;
    double state = normal(random);
    for (std::size_t i = 0; i < whole; ++i) {
        values.push_back(level * (1 + deviation * state));
        state = rho * state + std::sqrt(1 - rho * rho) * normal(random);
    }
    return values;
}

// As `factor` has it over the seconds.
Series shaped(Series values, const std::function<double(double)>& factor)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= factor(static_cast<double>(i) / aSecond);
    return values;
}

// A steady rate that is counted in acknowledgements of 64 KiB.
Series grains(Random& random, double megabits)
{
    const double each = 65'536 / (megabits * 1e6 / 8 / aSecond); // of what an interval carries
    Series values;
    double sent = uniform(random) * each;
    double counted = 0;
    for (std::size_t i = 0; i < whole; ++i) {
        sent += 1 + 0.003 * normal(random);
        const double now = std::floor(sent / each) * each;
        values.push_back(level * (now - counted));
        counted = now;
    }
    return values;
}

double meanOf(const Series& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// What a caller does: asks at each value from 2 s on, and stops after five Sure in a row.
struct Run
{
    Certainty last;
    std::size_t values = 0;
    bool isSure = false;
};

Run runOf(const Series& values)
{
    Run run;
    int inARow = 0;
    for (run.values = 2 * aSecond; run.values <= values.size(); ++run.values) {
        run.last = certaintyOf(std::span(values).first(run.values));
        inARow = run.last.verdict == Verdict::Sure ? inARow + 1 : 0;
        if (inARow == 5) {
            run.isSure = true;
            return run;
        }
    }
    run.values = values.size();
    return run;
}

struct Shares
{
    double sure = 0;
    double within3s = 0;
    double covered = 0;     // of the sure ones
    double wronglySure = 0; // of all
    double notSteady = 0;   // of all, at the end of the time
};

Shares tally(const char* name, const std::function<Series(Random&)>& make,
             const std::function<double(const Series&)>& truthOf)
{
    int sure = 0;
    int soon = 0;
    int covered = 0;
    int notSteady = 0;
    std::vector<std::size_t> ends;
    for (int i = 0; i < seriesCount; ++i) {
        Random random(static_cast<std::uint64_t>(1'000 + i));
        const Series values = make(random);
        const Run run = runOf(values);
        const double reach = std::max(run.last.halfWidth, 0.01 * run.last.mean);
        ends.push_back(run.values);
        sure += run.isSure ? 1 : 0;
        soon += run.isSure && run.values <= 3 * aSecond ? 1 : 0;
        covered += run.isSure && std::abs(run.last.mean - truthOf(values)) <= reach ? 1 : 0;
        notSteady += run.last.verdict == Verdict::NotSteady ? 1 : 0;
    }
    std::ranges::sort(ends);
    const auto share = [](int count, int of) { return of == 0 ? 1 : 1.0 * count / of; };
    const Shares shares{share(sure, seriesCount), share(soon, seriesCount), share(covered, sure),
                        share(sure - covered, seriesCount), share(notSteady, seriesCount)};
    qInfo("%-28s sure %5.1f %%, within 3 s %5.1f %%, median end %5.2f s, covers %5.1f %% of the "
          "sure, wrongly sure %4.1f %%, not steady %5.1f %%",
          name, 100 * shares.sure, 100 * shares.within3s,
          static_cast<double>(ends[ends.size() / 2]) / aSecond, 100 * shares.covered,
          100 * shares.wronglySure, 100 * shares.notSteady);
    return shares;
}

std::function<double(const Series&)> always(double truth)
{
    return [truth](const Series&) { return truth; };
}

} // namespace

class CertaintyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void independentValues_data();
    void independentValues();
    void correlatedValues_data();
    void correlatedValues();
    void warmUps_data();
    void warmUps();
    void unsteadyLinks_data();
    void unsteadyLinks();
    void acknowledgementGrains_data();
    void acknowledgementGrains();
    void whatCanNotBeSeen();
    void theCutIsWhereTheRampEnds();
    void constantValues();
    void aWarmUpThatDoesNotEnd();
    void tooFewValues();
    void valuesThatAreNone();
    void theWidthIsNeverUnderOnePerCent();
};

void CertaintyTest::independentValues_data()
{
    QTest::addColumn<double>("deviation");
    QTest::addColumn<bool>("isSoon");
    QTest::newRow("0.2 %") << 0.002 << true;
    QTest::newRow("1 %") << 0.01 << true;
    QTest::newRow("3 %") << 0.03 << true;
    QTest::newRow("5 %") << 0.05 << false;
}

void CertaintyTest::independentValues()
{
    QFETCH(double, deviation);
    QFETCH(bool, isSoon);
    const QByteArray name = QByteArray("independent, ") + QTest::currentDataTag();
    const Shares shares = tally(
        name.constData(), [deviation](Random& r) { return noise(r, deviation); }, always(level));
    QVERIFY(shares.covered >= 0.93);
    QVERIFY(shares.notSteady <= 0.02);
    if (isSoon)
        QVERIFY(shares.within3s >= 0.95);
    else
        QVERIFY(shares.sure >= 0.95);
}

void CertaintyTest::correlatedValues_data()
{
    QTest::addColumn<double>("rho");
    QTest::addColumn<double>("deviation");
    for (const double rho : {0.3, 0.5, 0.7, 0.9}) {
        for (const double deviation : {0.01, 0.03}) {
            QTest::addRow("AR(1) %.1f, %.0f %%", rho, 100 * deviation) << rho << deviation;
        }
    }
}

// Whoever claims to be sure covers the truth, or next to nobody claims.
void CertaintyTest::correlatedValues()
{
    QFETCH(double, rho);
    QFETCH(double, deviation);
    const Shares shares = tally(
        QTest::currentDataTag(), [&](Random& r) { return noise(r, deviation, rho); },
        always(level));
    QVERIFY(shares.covered >= 0.93 || shares.wronglySure <= 0.03);
    if (rho > 0.8 && deviation > 0.02)
        QVERIFY(shares.sure <= 0.05 && shares.notSteady >= 0.9);
}

void CertaintyTest::warmUps_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<double>("from"); // of the level, at the start
    QTest::addColumn<bool>("isRamp");
    QTest::addColumn<bool>("isSoon");
    QTest::newRow("ramp of 0.2 s") << 0.2 << 0.02 << true << true;
    QTest::newRow("ramp of 0.5 s") << 0.5 << 0.02 << true << true;
    QTest::newRow("ramp of 1 s") << 1.0 << 0.02 << true << false;
    QTest::newRow("ramp of 1.5 s") << 1.5 << 0.02 << true << false;
    QTest::newRow("burst of 0.5 s") << 0.5 << 1.4 << false << true;
    QTest::newRow("step down at 1 s") << 1.0 << 1.25 << false << false;
    QTest::newRow("step up at 1.5 s") << 1.5 << 0.8 << false << false;
}

void CertaintyTest::warmUps()
{
    QFETCH(double, seconds);
    QFETCH(double, from);
    QFETCH(bool, isRamp);
    QFETCH(bool, isSoon);
    const auto factor = [&](double time) {
        if (time >= seconds)
            return 1.0;
        return isRamp ? from + (1 - from) * time / seconds : from;
    };
    const Shares shares = tally(
        QTest::currentDataTag(), [&](Random& r) { return shaped(noise(r, 0.02), factor); },
        always(level));
    QVERIFY(shares.sure >= 0.95);
    QVERIFY(shares.covered >= 0.93);
    if (isSoon)
        QVERIFY(shares.within3s >= 0.95);
}

void CertaintyTest::unsteadyLinks_data()
{
    using Factor = std::function<double(double time, double phase)>;
    QTest::addColumn<Factor>("factor");
    QTest::addColumn<double>("deviation");
    const auto row = [](const char* name, double deviation, Factor factor) {
        QTest::newRow(name) << factor << deviation;
    };
    const auto square = [](double period, double height) -> Factor {
        return [=](double time, double phase) {
            return std::fmod(time / period + phase, 1.0) < 0.5 ? 1 + height : 1 - height;
        };
    };
    const auto sine = [](double period, double height) -> Factor {
        return [=](double time, double phase) {
            return 1 + height * std::sin(2 * pi * (time / period + phase));
        };
    };
    const auto drift = [](double share) -> Factor {
        return [=](double time, double) { return 1 - share * time; };
    };
    row("steps of 10 % each 0.5 s", 0.02, square(1, 0.05));
    row("steps of 20 % each 1 s", 0.02, square(2, 0.1));
    row("steps of 60 % each 1 s", 0.02, square(2, 0.3));
    row("steps of 20 % each 2 s", 0.02, square(4, 0.1));
    row("swings of 10 % in 1 s", 0.02, sine(1, 0.05));
    row("swings of 20 % in 2 s", 0.02, sine(2, 0.1));
    row("swings of 20 % in 4 s", 0.02, sine(4, 0.1));
    row("drift of 3 % a second", 0.01, drift(0.03));
    row("drift of 5 % a second", 0.03, drift(0.05));
    row("drift of -5 % a second", 0.03, drift(-0.05));
    row("drift of 9 % a second", 0.03, drift(0.09));
}

void CertaintyTest::unsteadyLinks()
{
    using Factor = std::function<double(double time, double phase)>;
    QFETCH(Factor, factor);
    QFETCH(double, deviation);
    const auto make = [&](Random& random) {
        const double phase = uniform(random);
        return shaped(noise(random, deviation), [&](double time) { return factor(time, phase); });
    };
    const Shares shares = tally(QTest::currentDataTag(), make, meanOf);
    QVERIFY(shares.wronglySure <= 0.02);
    QVERIFY(shares.notSteady >= 0.95);
    Random random(7);
    const Certainty certainty = certaintyOf(make(random));
    QCOMPARE(certainty.verdict, Verdict::NotSteady);
    QCOMPARE(certainty.halfWidth, 0.0);
    QVERIFY(certainty.lowest < certainty.mean && certainty.mean < certainty.highest);
}

void CertaintyTest::acknowledgementGrains_data()
{
    QTest::addColumn<double>("megabits");
    QTest::newRow("100 Mbit/s") << 100.0;
    QTest::newRow("300 Mbit/s") << 300.0;
    QTest::newRow("1 Gbit/s") << 1'000.0;
}

void CertaintyTest::acknowledgementGrains()
{
    QFETCH(double, megabits);
    const QByteArray name = QByteArray("64 KiB grains, ") + QTest::currentDataTag();
    const Shares shares = tally(
        name.constData(), [megabits](Random& r) { return grains(r, megabits); }, always(level));
    QVERIFY(shares.within3s >= 0.95);
    QVERIFY(shares.covered >= 0.98);
}

// Told for the record: nothing in the first seconds shows these.
void CertaintyTest::whatCanNotBeSeen()
{
    const Shares slow = tally(
        "drift of 1 % a second",
        [](Random& r) {
            return shaped(noise(r, 0.03), [](double time) { return 1 - 0.01 * time; });
        },
        meanOf);
    const Shares late = tally(
        "step of 20 % after 5 s",
        [](Random& r) {
            return shaped(noise(r, 0.02), [](double time) { return time < 5 ? 1.0 : 0.8; });
        },
        meanOf);
    QVERIFY(slow.sure + late.sure > 0);
    // Whoever looks on does see them.
    Random random(3);
    const Series step =
        shaped(noise(random, 0.02), [](double time) { return time < 6 ? 1.0 : 0.8; });
    QCOMPARE(certaintyOf(step).verdict, Verdict::NotSteady);
}

void CertaintyTest::theCutIsWhereTheRampEnds()
{
    Random random(11);
    const Series ramp =
        shaped(noise(random, 0.01), [](double time) { return time < 1 ? 0.1 + 0.9 * time : 1.0; });
    const Certainty certainty = certaintyOf(ramp);
    QVERIFY(certainty.warmUp >= 15 && certainty.warmUp <= 25);
    QCOMPARE(certainty.warmUp % 5, std::size_t(0));
    QVERIFY(std::abs(certainty.mean - level) < 0.5);
    QVERIFY(certainty.lowest > 90);
    Random again(12);
    QCOMPARE(certaintyOf(noise(again, 0.01)).warmUp, std::size_t(0));
}

void CertaintyTest::constantValues()
{
    const Certainty certainty = certaintyOf(Series(60, 95.6));
    QCOMPARE(certainty.verdict, Verdict::Sure);
    QCOMPARE(certainty.warmUp, std::size_t(0));
    QVERIFY(std::abs(certainty.mean - 95.6) < 1e-9);
    QVERIFY(std::abs(certainty.halfWidth - 0.956) < 1e-9);
    QCOMPARE(certainty.lowest, 95.6);
    QCOMPARE(certainty.highest, 95.6);
}

void CertaintyTest::aWarmUpThatDoesNotEnd()
{
    Series rising;
    for (int i = 0; i < 100; ++i)
        rising.push_back(50 + i);
    QCOMPARE(certaintyOf(rising).verdict, Verdict::NotSteady);
    // The same of a height that matters to nobody.
    Series flat;
    for (int i = 0; i < 100; ++i)
        flat.push_back(1'000 + 0.05 * i);
    QCOMPARE(certaintyOf(flat).verdict, Verdict::Sure);
}

void CertaintyTest::tooFewValues()
{
    QCOMPARE(certaintyOf({}).verdict, Verdict::NotYet);
    for (std::size_t count = 1; count < 40; ++count) {
        const Certainty certainty = certaintyOf(Series(count, 5));
        QCOMPARE(certainty.verdict, Verdict::NotYet);
        QCOMPARE(certainty.halfWidth, 0.0);
        QCOMPARE(certainty.mean, 5.0);
    }
}

void CertaintyTest::valuesThatAreNone()
{
    for (const double odd : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
        const Certainty certainty = certaintyOf(Series(100, odd));
        QCOMPARE(certainty.verdict, Verdict::NotYet);
        QCOMPARE(certainty.halfWidth, 0.0);
    }
}

void CertaintyTest::theWidthIsNeverUnderOnePerCent()
{
    Random random(5);
    const Certainty narrow = certaintyOf(noise(random, 0.001));
    QCOMPARE(narrow.verdict, Verdict::Sure);
    QCOMPARE(narrow.halfWidth, 0.01 * narrow.mean);
    const Certainty wide = certaintyOf(noise(random, 0.2));
    QCOMPARE(wide.verdict, Verdict::NotYet);
    QVERIFY(wide.halfWidth > 0.015 * wide.mean && wide.halfWidth < 0.06 * wide.mean);
}

QTEST_APPLESS_MAIN(CertaintyTest)
#include "tst_certainty.moc"
