// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the charts, the form and the results of every kind, to be looked at:
// measurepictures FOLDER [FONT-SCALE]. QT_SCALE_FACTOR=2 draws them twice as fine.

#include "tests/ui/measure/samples.h"
#include "tests/ui/measure/soaksample.h"
#include "ui/measure/charts/latencychart.h"
#include "ui/measure/fittedscroll.h"
#include "ui/measure/measureform.h"
#include "ui/measure/resultcard.h"
#include "ui/measure/runcharts.h"
#include "ui/theme/theme.h"
#include "ui/worksheet/rundetails.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace napkin;
using namespace napkin::test;

namespace {

void save(QWidget& widget, const QString& path)
{
    QTest::qWait(60);
    widget.grab().save(path);
}

// Chart above, card below, as the page has them.
struct RunView
{
    QWidget widget;
    RunCharts* charts;
    ResultCard* card;

    explicit RunView(QSize size)
        : charts(new RunCharts)
        , card(new ResultCard)
    {
        auto* column = new QVBoxLayout(&widget);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(charts, 1);
        column->addWidget(new FittedScroll(card));
        widget.resize(size);
        widget.show();
    }
};

void runPictures(const QString& prefix, QSize size)
{
    const auto picture = [&](const char* name, const ProbeResult& result,
                             std::optional<LatencyChart::View> view = {}) {
        RunView run(size);
        run.charts->begin(result.spec, {});
        run.charts->finish(result);
        run.card->showResult(12, result, {});
        if (view)
            run.charts->latencyChart()->setView(*view);
        save(run.widget, prefix + QLatin1String(name) + QStringLiteral(".png"));
    };
    picture("latency", sampleLatency());
    picture("latency-many", sampleLatency(60'000, 80, 9'000));
    picture("latency-one", sampleLatency(1, 80, 0));
    picture("histogram", sampleLatency(), LatencyChart::View::Histogram);
    picture("cumulative", sampleLatency(), LatencyChart::View::Cumulative);
    picture("sweep", sampleSweep());
    picture("loaded", sampleLoaded());
    picture("loaded-little", sampleLoaded(1.4));
    picture("pathmtu-hole", samplePathMtu());
    picture("pathmtu-told", samplePathMtu(SizeProbe::Fate::TooBigOnWay));
    picture("udp", sampleUdp());
    picture("memory", sampleMemory());
    picture("storage", sampleStorage());
    picture("soak", sampleSoak());
    picture("soak-clean", sampleSoak(SoakMood::Clean));
    picture("udp-both", sampleUdp(90, 89.5, Flow::Bidirectional));
}

void emptyPictures(const QString& prefix, QSize size)
{
    for (int i = 2; i < probeKindCount; ++i) {
        RunView run(size);
        ProbeResult result;
        const std::vector<ProbeOptions> all{
            ThroughputOptions(),    ConnectOptions(), LatencyOptions(), SweepOptions(),
            LoadedLatencyOptions(), PathMtuOptions(), UdpOptions(),     MemoryOptions(),
            StorageOptions(),       SoakOptions()};
        result.spec.options = all[static_cast<std::size_t>(i)];
        run.charts->begin(result.spec, {});
        run.card->hide();
        save(run.charts[0], prefix + QStringLiteral("empty-%1.png").arg(i));
    }
}

void formPictures(const QString& prefix)
{
    for (int i = 0; i < probeKindCount; ++i) {
        MeasureForm form;
        form.resize(284, 640);
        form.show();
        for (QComboBox* box : form.findChildren<QComboBox*>()) {
            if (box->accessibleName() == QStringLiteral("Measure"))
                box->setCurrentIndex(i);
        }
        for (QAbstractButton* button : form.findChildren<QAbstractButton*>()) {
            if (button->text() == QStringLiteral("More options"))
                button->setChecked(i % 2 == 0);
        }
        save(form, prefix + QStringLiteral("form-%1.png").arg(i));
    }
}

void detailsPictures(const QString& prefix, QSize size)
{
    const auto picture = [&](const char* name, const ProbeResult& result) {
        RunDetails details(nullptr);
        details.resize(size);
        details.show();
        details.showRecord(Record{12, result, {}, {}, std::nullopt, {}}, nullptr);
        save(details, prefix + QLatin1String(name) + QStringLiteral(".png"));
    };
    picture("details-sweep", sampleSweep());
    picture("details-pathmtu", samplePathMtu());
    picture("details-udp", sampleUdp());
    picture("details-memory", sampleMemory());
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QDir folder(app.arguments().value(1, QStringLiteral(".")));
    folder.mkpath(QStringLiteral("."));
    QFont font = app.font();
    font.setPointSizeF(font.pointSizeF() *
                       app.arguments().value(2, QStringLiteral("1")).toDouble());
    app.setFont(font);
    for (const auto& [name, look] : {std::pair(QStringLiteral("light-"), Appearance::Light),
                                     std::pair(QStringLiteral("dark-"), Appearance::Dark)}) {
        applyAppearance(app, look);
        runPictures(folder.filePath(name), {900, 640});
        emptyPictures(folder.filePath(name), {700, 320});
        formPictures(folder.filePath(name));
        detailsPictures(folder.filePath(name), {900, 640});
    }
    applyAppearance(app, Appearance::Light);
    runPictures(folder.filePath(QStringLiteral("small-")), {640, 460});
    return 0;
}
