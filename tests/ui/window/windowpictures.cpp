// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the whole window on a notebook with a run of every kind, to be looked at:
// windowpictures FOLDER [WIDTH HEIGHT [RUNS]]. QT_SCALE_FACTOR=2 draws them twice as fine, LANG in
// another language.

#include "app/shared/translation.h"
#include "tests/core/notebook/notebookfixture.h"
#include "tests/ui/measure/samples.h"
#include "tests/ui/window/bench.h"
#include "ui/canvas/napkinpage.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/charts/latencychart.h"
#include "ui/measure/measurepage.h"
#include "ui/measure/resultcard.h"
#include "ui/measure/runcharts.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/rundetails.h"
#include "ui/worksheet/runspane.h"
#include "ui/worksheet/worksheetmodel.h"
#include "ui/worksheet/worksheetpage.h"

#include <QDir>
#include <QDockWidget>
#include <QScrollBar>

using namespace napkin;
using namespace napkin::test;

namespace {

ProbeResult onLink(const Link& link, ProbeResult result)
{
    result.id = RecordId::create();
    result.spec.link = link.id;
    result.spec.linkPeriod = link.period;
    result.spec.near.portId = link.a;
    result.spec.far.portId = link.b;
    return result;
}

ProbeResult over(EchoMethod method, std::int64_t bytes, WaitMode wait)
{
    ProbeResult result = sampleLatency(400, 5'000, 0);
    auto& options = std::get<LatencyOptions>(result.spec.options);
    options.method = method;
    options.messageSize = ByteCount::bytes(bytes);
    options.wait = wait;
    return result;
}

// All of it on the template's cable, and some to addresses.
void fill(Notebook& notebook, const Link& link, int runs)
{
    ProbeResult throughput = throughputResult(BitRate::gigabitsPerSecond(9.41));
    std::vector<ProbeResult> all{
        throughput,
        throughputResult(BitRate::gigabitsPerSecond(8.7), Flow::Reverse),
        throughputResult(BitRate::gigabitsPerSecond(6.2), Flow::Bidirectional),
        connectResult(std::chrono::microseconds(310)),
        sampleLatency(),
        over(EchoMethod::Tcp, 4'096, WaitMode::BusyPoll),
        sampleSweep(),
        sampleLoaded(),
        samplePathMtu(),
        sampleUdp(),
        sampleUdp(90, 88, Flow::Bidirectional),
        partialResult(BitRate::gigabitsPerSecond(3))};
    for (ProbeResult& one : all)
        recordIn(notebook, onLink(link, one));
    for (const char* address : {"10.0.1.2", "10.0.2.2"}) {
        ProbeResult named = throughputResult(BitRate::gigabitsPerSecond(22));
        named.spec.far.name = QStringLiteral("the-big-workstation-under-the-desk-in-the-study");
        named.conditions.far.address = QString::fromLatin1(address);
        recordIn(notebook, named);
    }
    recordIn(notebook, over(EchoMethod::Udp, 1'000, WaitMode::Blocking));
    for (int i = 0; i < runs; ++i) {
        ProbeResult one = throughputResult(BitRate::megabitsPerSecond(900 + i % 40));
        one.spec.far.host = QStringLiteral("192.0.2.%1").arg(i % 200);
        one.id = RecordId::create();
        recordIn(notebook, one);
    }
}

class Pictures
{
public:
    Pictures(WindowBench& bench, QString prefix)
        : m_bench(bench)
        , m_prefix(std::move(prefix))
    {}

    void save(const char* name)
    {
        QTest::qWait(150);
        m_bench.window().grab().save(m_prefix + QLatin1String(name) + QStringLiteral(".png"));
    }

    void napkin()
    {
        MainWindow& window = m_bench.window();
        window.setMode(WindowMode::Napkin);
        window.napkinPage()->canvas()->fit();
        save("napkin");
        (void)QTest::qWaitForWindowActive(&window);
        const Drawing& drawing = window.workspace()->document().drawing();
        window.napkinPage()->canvas()->setFocus();
        window.napkinPage()->canvas()->select({{drawing.machines.front().id}, {}});
        save("napkin-focus");
        QTest::keyClick(window.napkinPage()->canvas(), Qt::Key_Tab);
        save("napkin-focus-next");
        window.napkinPage()->canvas()->select({{}, {drawing.links.front().id}});
        QTest::keyClick(window.napkinPage()->canvas(), Qt::Key_Tab);
        save("napkin-cable");
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        save("napkin-inspector");
    }

    void worksheet()
    {
        MainWindow& window = m_bench.window();
        window.setMode(WindowMode::Worksheet);
        LedgerView* view = window.worksheetPage()->view();
        save("worksheet");
        view->horizontalScrollBar()->setValue(view->horizontalScrollBar()->maximum() / 2);
        save("worksheet-scrolled");
        const auto& records = window.workspace()->feed().records();
        for (const RecordSummary& one : records) {
            if (one.kind != ProbeKind::PathMtu)
                continue;
            window.worksheetPage()->showDetails(one.id);
            QTest::qWait(300);
            save("details");
        }
    }

    void results()
    {
        MainWindow& window = m_bench.window();
        window.setMode(WindowMode::Measure);
        save("measure-empty");
        MeasurePage* page = window.measurePage();
        MeasureController* controller = &window.workspace()->controller();
        const auto show = [&](const char* name, const ProbeResult& result) {
            Q_EMIT controller->started(900, result.spec);
            Q_EMIT controller->recorded(900, 12, result);
            Q_EMIT controller->ended(900);
            page->resultCard()->showResult(
                12, result,
                {Fact<BitRate>::rated(BitRate::gigabitsPerSecond(120), QStringLiteral("standard")),
                 Fact<BitRate>::rated(BitRate::gigabitsPerSecond(80), QStringLiteral("standard"))});
            save(name);
        };
        show("result-throughput", throughputResult(BitRate::gigabitsPerSecond(43.8)));
        show("result-latency", sampleLatency(400, 5'000, 0));
        page->charts()->latencyChart()->setView(LatencyChart::View::Histogram);
        save("result-histogram");
        page->charts()->latencyChart()->setView(LatencyChart::View::Cumulative);
        save("result-cumulative");
        show("result-loaded", sampleLoaded());
        show("result-sweep", sampleSweep());
        show("result-pathmtu", samplePathMtu());
        show("result-udp", sampleUdp());
        ProbeResult live = sampleUdp(300, 300);
        auto& data = std::get<UdpData>(live.data);
        std::erase_if(data.samples, [](const UdpSample& one) { return one.atReceiver; });
        Q_EMIT controller->started(901, live.spec);
        Q_EMIT controller->progressed(901, {Phase::Measuring, 0.5, live.data});
        save("live-udp");
        Q_EMIT controller->recorded(901, 13, live);
        Q_EMIT controller->ended(901);
        save("result-udp-untold");
    }

private:
    WindowBench& m_bench;
    QString m_prefix;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const QStringList words = app.arguments();
    installTranslations(app);
    const QDir folder(words.value(1, QStringLiteral(".")));
    folder.mkpath(QStringLiteral("."));
    const QSize size(words.value(2, QStringLiteral("960")).toInt(),
                     words.value(3, QStringLiteral("600")).toInt());
    const int runs = words.value(4, QStringLiteral("0")).toInt();
    for (const Appearance look : {Appearance::Light, Appearance::Dark}) {
        WindowBench bench;
        if (!bench.open())
            return 1;
        applyAppearance(app, look);
        bench.window().resize(size);
        Pictures pictures(bench, folder.filePath(appearanceName(look) + QLatin1Char('-')));
        bench.window().setMode(WindowMode::Worksheet);
        pictures.save("worksheet-empty");
        Workspace* workspace = bench.window().workspace();
        fill(workspace->notebook(), workspace->document().drawing().links.front(), runs);
        QTest::qWait(500);
        pictures.napkin();
        pictures.worksheet();
        pictures.results();
    }
    return 0;
}
