// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/latencysummary.h"
#include "core/results/machinesummary.h"
#include "tests/ui/measure/samples.h"
#include "tests/ui/measure/soaksample.h"
#include "ui/measure/charts/byteratechart.h"
#include "ui/measure/charts/latencybands.h"
#include "ui/measure/charts/latencychart.h"
#include "ui/measure/charts/loadchart.h"
#include "ui/measure/charts/pathmtuchart.h"
#include "ui/measure/charts/soakchart.h"
#include "ui/measure/charts/sweepchart.h"
#include "ui/measure/charts/udpchart.h"
#include "ui/measure/resultcard.h"
#include "ui/measure/runcharts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/copyline.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>

using namespace napkin;
using namespace napkin::test;

namespace {

std::vector<ProbeResult> everyKind()
{
    return {sampleLatency(), sampleSweep(),  sampleLoaded(),  samplePathMtu(),
            sampleUdp(),     sampleMemory(), sampleStorage(), sampleSoak()};
}

// How many pixels have about that colour.
int pixelsOf(QWidget& widget, const QColor& color)
{
    const QImage image = widget.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor one = image.pixelColor(x, y);
            if (std::abs(one.red() - color.red()) + std::abs(one.green() - color.green()) +
                    std::abs(one.blue() - color.blue()) <
                30)
                ++count;
        }
    }
    return count;
}

} // namespace

class TestCharts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Light); }
    void bandsKeepTheExtremes();
    void bandsLeaveGaps();
    void axesAreRound();
    void latencyIsToldInWords();
    void aMillionMessagesAreDrawn();
    void sweepNamesFitAndBreaks();
    void loadedIsToldInWords();
    void pathMtuTellsSilenceApart();
    void udpTellsWhatWasLost();
    void memoryPassByPass();
    void storageOverTime();
    void soakShowsFaultsWhereTheyWere();
    void udpSaysWhetherAnythingIsKnown();
    void figuresWrapInANarrowCard();
    void whyAFigureIsMissingIsShown();
    void everyKindIsDrawnInBothLooks();
    void liveThenFinal();
    void everyCardHasBadges();
    void theCommandCanBeCopied();
};

void TestCharts::bandsKeepTheExtremes()
{
    std::vector<RoundTrip> trips = sampleTrips(10'000, 100);
    trips[5'000].time = std::chrono::milliseconds(50);
    trips[6'000].time = std::chrono::nanoseconds(900);
    const auto bands = bandsOf(trips, 0, 1.0, 200);
    QCOMPARE(bands.size(), std::size_t(200));
    int answered = 0;
    double most = 0;
    double least = 1;
    for (const LatencyBand& band : bands) {
        answered += band.answered;
        most = std::max(most, band.most);
        least = std::min(least, band.least);
        QVERIFY(band.least <= band.median && band.median <= band.most);
    }
    QCOMPARE(answered, 10'000);
    QCOMPARE(most, 0.05);
    QCOMPARE(least, 0.9e-6);
}

void TestCharts::bandsLeaveGaps()
{
    std::vector<RoundTrip> trips;
    for (const int second : {0, 1, 8, 9})
        trips.push_back({std::chrono::seconds(second), std::chrono::microseconds(100)});
    trips.push_back({std::chrono::seconds(5), std::chrono::seconds(1), RoundTrip::Outcome::Lost});
    const auto bands = bandsOf(trips, 0, 10, 10);
    QCOMPARE(bands[0].answered, 1);
    QCOMPARE(bands[4].answered, 0);
    QCOMPARE(bands[5].answered, 0);
    QCOMPARE(bands[5].lost, 1);
    QCOMPARE(bands[9].answered, 1);
    QVERIFY(bandsOf(trips, 0, 0, 10).empty());
    QVERIFY(bandsOf({}, 0, 10, 0).empty());
}

void TestCharts::axesAreRound()
{
    PlotAxis axis;
    axis.setFromZero(9.3);
    QCOMPARE(axis.low, 0.0);
    QCOMPARE(axis.high, 10.0);
    axis.setDecades(31e-6, 4.1e-3, roundTimeText);
    QVERIFY(axis.low <= 31e-6 && axis.high >= 4.1e-3);
    QVERIFY(axis.ticks.size() >= 3 && axis.ticks.size() <= 10);
    QCOMPARE(std::round(axis.share(axis.low) * 1e9), 0.0);
    QCOMPARE(std::round(axis.share(axis.high) * 1e9), 1e9);
    QCOMPARE(std::round(axis.value(axis.share(1e-3)) * 1e9), 1e6);
    axis.setDoublings(1, 4'194'304, roundSizeText);
    QCOMPARE(axis.ticks.front().text, QStringLiteral("1\u00a0B"));
    // Nothing to show is no reason for an axis without a length.
    for (const double top : {0.0, std::nan(""), HUGE_VAL}) {
        axis.setFromZero(top);
        QVERIFY(axis.high > axis.low);
        axis.setDecades(top, top, roundTimeText);
        QVERIFY(axis.high > axis.low);
    }
}

void TestCharts::latencyIsToldInWords()
{
    LatencyChart chart;
    QVERIFY(!chart.accessibleName().isEmpty());
    QCOMPARE(chart.accessibleDescription(), QStringLiteral("Nothing measured yet"));
    chart.begin(5);
    chart.add(sampleTrips(40, 5'000));
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("40")));
    LatencySummary summary;
    summary.sent = 40;
    summary.answered = 38;
    summary.lost = 2;
    summary.p50 = std::chrono::microseconds(181);
    chart.setSummary(summary);
    const QString words = chart.accessibleDescription();
    QVERIFY2(words.contains(QStringLiteral("38 of 40 answered")), qPrintable(words));
    QVERIFY(words.contains(formatDuration(std::chrono::microseconds(181))));
    QVERIFY(words.contains(QStringLiteral("2 lost")));
    QVERIFY(!words.contains(QStringLiteral("99 %"))); // not known, so not said
}

void TestCharts::aMillionMessagesAreDrawn()
{
    LatencyChart chart;
    chart.resize(600, 300);
    chart.setSamples(sampleTrips(1'000'000, 10, 180, 300'000));
    QCOMPARE(chart.sampleCount(), 1'000'000);
    QVERIFY(pixelsOf(chart, seriesColor(0, chart.palette())) > 300);
    QVERIFY(pixelsOf(chart, themeColor(ColorRole::Problem, chart.palette())) > 5); // the lost ones
    for (const auto view : {LatencyChart::View::Histogram, LatencyChart::View::Cumulative}) {
        chart.setView(view);
        QVERIFY(pixelsOf(chart, seriesColor(0, chart.palette())) > 200);
    }
}

void TestCharts::sweepNamesFitAndBreaks()
{
    SweepChart chart;
    chart.resize(600, 320);
    chart.begin({});
    chart.setSamples(std::get<SweepData>(sampleSweep().data).samples);
    SweepSummary summary;
    for (int power = 0; power <= 22; ++power) {
        const ByteCount size = ByteCount::bytes(std::int64_t(1) << power);
        const Duration median = microseconds(50 + 2 * static_cast<double>(size.bytes()) / 1'100);
        summary.points.push_back(
            {size, 30, median, median, median, power < 17 ? std::optional(0.01) : std::nullopt});
    }
    SweepFit fit;
    fit.alpha = std::chrono::microseconds(25);
    fit.beta = ByteRate::gigabytesPerSecond(1.1);
    fit.breaks = {ByteCount::kibibytes(64)};
    summary.fit = fit;
    chart.setSummary(summary);
    QCOMPARE(chart.pointCount(), 23);
    const QString words = chart.accessibleDescription();
    for (const QString& part : {formatDuration(*fit.alpha), formatByteRate(fit.beta),
                                QStringLiteral("breaks at 64"), QStringLiteral("one way")})
        QVERIFY2(words.contains(part), qPrintable(words));
    QVERIFY(pixelsOf(chart, themeColor(ColorRole::Modelled, chart.palette())) > 50);
    QVERIFY(pixelsOf(chart, themeColor(ColorRole::Caution, chart.palette())) > 0);
}

void TestCharts::loadedIsToldInWords()
{
    LoadChart chart;
    LoadedPhaseSummary idle;
    idle.p50 = std::chrono::microseconds(180);
    idle.sent = 800;
    LoadedPhaseSummary busy;
    busy.load = Load::Sending;
    busy.p50 = std::chrono::microseconds(3'600);
    busy.ratio = 20;
    busy.sent = 600;
    busy.lost = 6;
    busy.forward = BitRate::gigabitsPerSecond(9.41);
    chart.setData(std::get<LoadedLatencyData>(sampleLoaded().data), {idle, busy});
    QCOMPARE(chart.phaseCount(), 2);
    const QStringList lines = chart.accessibleDescription().split(u'\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(QStringLiteral("Idle")));
    QVERIFY2(lines[1].contains(QStringLiteral("9.41")), qPrintable(lines[1]));
    QVERIFY(lines[1].contains(formatDuration(std::chrono::microseconds(3'600))));
    QVERIFY(lines[1].contains(QStringLiteral("6 of 600 lost")));
}

void TestCharts::pathMtuTellsSilenceApart()
{
    PathMtuChart chart;
    chart.resize(700, 360);
    chart.setData(std::get<PathMtuData>(samplePathMtu().data));
    QCOMPARE(chart.barCount(), 30);
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("no answer")));
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("1,500")));
    QVERIFY(pixelsOf(chart, themeColor(ColorRole::Problem, chart.palette())) > 20);
    QVERIFY(pixelsOf(chart, themeColor(ColorRole::Measured, chart.palette())) > 20);
    chart.setData(std::get<PathMtuData>(samplePathMtu(SizeProbe::Fate::TooBigOnWay).data));
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("192.168.100.1")));
    QVERIFY(!chart.accessibleDescription().contains(QStringLiteral("no answer")));
    QCOMPARE(pixelsOf(chart, themeColor(ColorRole::Problem, chart.palette())), 0);
}

void TestCharts::udpTellsWhatWasLost()
{
    UdpChart chart;
    chart.resize(700, 360);
    const ProbeResult run = sampleUdp();
    chart.begin(std::get<UdpOptions>(run.spec.options));
    chart.add(std::get<UdpData>(run.data).samples);
    QVERIFY(chart.newest(Direction::Forward).has_value());
    QVERIFY(!chart.newest(Direction::Reverse).has_value());
    UdpSummary summary;
    UdpDirectionSummary forward;
    forward.arrived = BitRate::megabitsPerSecond(96);
    forward.offered = BitRate::megabitsPerSecond(300);
    forward.lossRatio = Ratio::of(0.68);
    summary.forward = forward;
    chart.setSummary(summary);
    const QString words = chart.accessibleDescription();
    for (const auto* part : {"300", "96", "68"})
        QVERIFY2(words.contains(QLatin1String(part)), qPrintable(words));
    QVERIFY(pixelsOf(chart, themeColor(ColorRole::Problem, chart.palette())) > 500); // the loss
}

void TestCharts::memoryPassByPass()
{
    const ProbeResult result = sampleMemory();
    const auto& all = std::get<MemoryData>(result.data);
    RunCharts charts;
    charts.resize(700, 400);
    charts.begin(result.spec, {});
    MemoryData piece = all;
    piece.samples.assign(all.samples.begin(), all.samples.begin() + 20);
    QVERIFY(charts.add(piece).endsWith(QStringLiteral("GB/s")));
    QCOMPARE(charts.memoryChart()->pointCount(), 20);
    QVERIFY(charts.add(StorageData()).isEmpty()); // of another run
    charts.finish(result);
    QCOMPARE(charts.memoryChart()->pointCount(), static_cast<int>(all.samples.size()));
    const QString words = charts.memoryChart()->accessibleDescription();
    const MemorySummary summary = summarise(all);
    for (const auto& rate : {summary.median, summary.best})
        QVERIFY2(words.contains(formatByteRate(*rate)), qPrintable(words));
    QVERIFY(pixelsOf(*charts.memoryChart(), seriesColor(0, charts.palette())) > 200);
    charts.begin(result.spec, {});
    QCOMPARE(charts.memoryChart()->pointCount(), 0);
}

void TestCharts::storageOverTime()
{
    const ProbeResult result = sampleStorage();
    const auto& all = std::get<StorageData>(result.data);
    RunCharts charts;
    charts.resize(700, 400);
    charts.begin(result.spec, {});
    StorageData piece = all;
    piece.samples.assign(all.samples.begin(), all.samples.begin() + 10);
    QVERIFY(charts.add(piece).endsWith(QStringLiteral("GB/s")));
    charts.finish(result);
    QCOMPARE(charts.storageChart()->pointCount(), 100);
    QVERIFY(charts.storageChart()->accessibleDescription().contains(
        formatByteRate(*summarise(all).mean)));
    QVERIFY(pixelsOf(*charts.storageChart(), seriesColor(0, charts.palette())) > 200);
    // One point and none look right, too.
    for (const std::size_t count : {std::size_t(0), std::size_t(1)}) {
        StorageData few = all;
        few.samples.resize(count);
        charts.storageChart()->setData(few);
        QVERIFY(!charts.storageChart()->grab().isNull());
    }
}

void TestCharts::soakShowsFaultsWhereTheyWere()
{
    SoakChart chart;
    chart.resize(900, 420);
    const ProbeResult clean = sampleSoak(SoakMood::Clean);
    chart.begin(std::get<SoakOptions>(clean.spec.options));
    chart.setData(std::get<SoakData>(clean.data));
    const QColor problem = themeColor(ColorRole::Problem, chart.palette());
    QCOMPARE(pixelsOf(chart, problem), 0);
    QCOMPARE(chart.faults(), 0);
    const ProbeResult faulty = sampleSoak();
    chart.begin(std::get<SoakOptions>(faulty.spec.options));
    chart.setData(std::get<SoakData>(faulty.data));
    QVERIFY(pixelsOf(chart, problem) > 60); // the drop-out's two minutes, and the damaged block
    QCOMPARE(chart.faults(), 4);
    const QString words = chart.accessibleDescription();
    for (const auto* part : {"Stalls: 2", "Drop-outs: 1", "Damaged: 1"})
        QVERIFY2(words.contains(QLatin1String(part)), qPrintable(words));
    // Live: the rate of this moment, and what was counted.
    RunCharts charts;
    charts.begin(clean.spec, {});
    SoakData first = std::get<SoakData>(clean.data);
    first.elapsed = std::chrono::seconds(10);
    first.spans.clear();
    first.totals[0].received = ByteCount::bytes(1'000'000'000);
    first.totals[1].received = ByteCount::bytes(0);
    SoakData second = first;
    second.elapsed = std::chrono::seconds(11);
    second.totals[0].received = ByteCount::bytes(1'100'000'000);
    QVERIFY(charts.add(first).contains(QStringLiteral("no faults")));
    const QString now = charts.add(second);
    QVERIFY2(now.contains(QStringLiteral("800")), qPrintable(now));
}

// An empty panel means one thing or the other: it says which.
void TestCharts::udpSaysWhetherAnythingIsKnown()
{
    const ProbeResult run = sampleUdp(300, 900); // all of it arrives
    auto data = std::get<UdpData>(run.data);
    UdpChart chart;
    chart.begin(std::get<UdpOptions>(run.spec.options));
    QVERIFY(chart.lossWords().isEmpty()); // nothing has begun
    auto sent = data.samples;
    std::erase_if(sent, [](const UdpSample& one) { return one.atReceiver; });
    chart.add(sent); // forward: this end only knows what it sent
    QVERIFY2(chart.lossWords().contains(QStringLiteral("far end tells at the end")),
             qPrintable(chart.lossWords()));
    chart.setSummary(summarise(data));
    QCOMPARE(chart.lossWords(), QStringLiteral("nothing was lost (0 %)"));
    data.totals.clear();
    data.samples = sent;
    chart.setSummary(summarise(data));
    QVERIFY(chart.lossWords().contains(QStringLiteral("not known")));
    chart.begin(std::get<UdpOptions>(run.spec.options));
    chart.add(std::get<UdpData>(run.data).samples);
    QCOMPARE(chart.lossWords(), QStringLiteral("nothing lost so far (0 %)"));
    chart.begin(std::get<UdpOptions>(run.spec.options));
    chart.add(std::get<UdpData>(sampleUdp(300, 96).data).samples);
    QVERIFY(chart.lossWords().isEmpty()); // the bars speak
}

void TestCharts::figuresWrapInANarrowCard()
{
    for (const ProbeResult& result : everyKind()) {
        ResultCard card;
        card.showResult(12, result, {});
        QVERIFY2(card.minimumSizeHint().width() <= 560,
                 qPrintable(QStringLiteral("%1: %2")
                                .arg(static_cast<int>(result.spec.kind()))
                                .arg(card.minimumSizeHint().width())));
        card.resize(560, card.heightForWidth(560));
        card.show();
        for (const QLabel* label : card.findChildren<QLabel*>()) {
            const QWidget* scrolled = label;
            while (scrolled && !qobject_cast<const QScrollArea*>(scrolled))
                scrolled = scrolled->parentWidget();
            const int right = label->mapTo(&card, QPoint(label->width(), 0)).x();
            QVERIFY2(scrolled || right <= card.width(), qPrintable(label->text()));
        }
    }
}

void TestCharts::whyAFigureIsMissingIsShown()
{
    ResultCard card;
    card.showResult(12, sampleLatency(50, 5'000, 0), {});
    QVERIFY2(card.text().contains(QStringLiteral("from 1,000 answers on")),
             qPrintable(card.text()));
    QVERIFY(card.text().contains(QStringLiteral("from 100 answers on")));
}

void TestCharts::everyKindIsDrawnInBothLooks()
{
    for (const Appearance look : {Appearance::Light, Appearance::Dark}) {
        applyAppearance(*qApp, look);
        for (const ProbeResult& result : everyKind()) {
            RunCharts charts;
            charts.resize(700, 400);
            charts.begin(result.spec, {});
            const QImage empty = charts.grab().toImage();
            charts.finish(result);
            QVERIFY(charts.hasHeard());
            QVERIFY(charts.grab().toImage() != empty);
        }
    }
    applyAppearance(*qApp, Appearance::Light);
}

void TestCharts::liveThenFinal()
{
    const ProbeResult result = sampleLatency();
    const auto& all = std::get<LatencyData>(result.data);
    RunCharts charts;
    charts.begin(result.spec, {});
    QVERIFY(!charts.hasHeard());
    LatencyData piece;
    piece.samples.assign(all.samples.begin(), all.samples.begin() + 100);
    QVERIFY(charts.add(piece).contains(QStringLiteral("RTT")));
    QVERIFY(charts.add(ConnectData()).isEmpty()); // of another run
    QCOMPARE(charts.latencyChart()->sampleCount(), 100);
    QToolButton* histogram = nullptr;
    for (QToolButton* one : charts.findChildren<QToolButton*>()) {
        if (one->text() == QStringLiteral("Histogram"))
            histogram = one;
    }
    QVERIFY(histogram && !histogram->isVisibleTo(&charts)); // not before it is over
    charts.finish(result);
    QCOMPARE(charts.latencyChart()->sampleCount(), 1'000);
    QVERIFY(histogram->isVisibleTo(&charts));
    histogram->click();
    QCOMPARE(charts.latencyChart()->view(), LatencyChart::View::Histogram);
    charts.begin(result.spec, {});
    QCOMPARE(charts.latencyChart()->view(), LatencyChart::View::OverTime);
}

void TestCharts::everyCardHasBadges()
{
    for (const ProbeResult& result : everyKind()) {
        ResultCard card;
        card.showResult(12, result, {});
        int named = 0;
        for (const Badge* badge : card.findChildren<Badge*>()) {
            if (badge->accessibleName().isEmpty())
                continue; // only keeps its place
            ++named;
            QVERIFY(badge->accessibleName().contains(QStringLiteral("run 12")));
        }
        QVERIFY2(named >= 2, qPrintable(card.text()));
    }
}

void TestCharts::theCommandCanBeCopied()
{
    ResultCard card;
    card.showResult(12, samplePathMtu(), {});
    const auto lines = card.findChildren<CopyLine*>();
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0]->line().startsWith(QStringLiteral("ping ")), qPrintable(lines[0]->line()));
    QVERIFY(lines[0]->line().contains(QStringLiteral("1472")));
    QVERIFY(lines[0]->line().contains(QStringLiteral("192.168.100.11")));
}

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
