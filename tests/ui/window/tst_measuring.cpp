// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/iperf3server.h"
#include "core/quantity/format.h"
#include "core/topology/topology.h"
#include "tests/ui/window/bench.h"
#include "ui/canvas/napkinpage.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/connectchart.h"
#include "ui/measure/measureform.h"
#include "ui/measure/measurepage.h"
#include "ui/measure/ratechart.h"
#include "ui/measure/resultcard.h"
#include "ui/widgets/errorbanner.h"
#include "ui/worksheet/runspane.h"
#include "ui/worksheet/worksheetmodel.h"
#include "ui/worksheet/worksheetpage.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTcpServer>

using namespace napkin;
using namespace napkin::test;

namespace {

template <typename Field>
Field* field(const QWidget* in, const QString& name)
{
    for (Field* one : in->findChildren<Field*>()) {
        if (one->accessibleName() == name)
            return one;
    }
    return nullptr;
}

QPushButton* button(const QWidget* in, const QString& text)
{
    for (QPushButton* one : in->findChildren<QPushButton*>()) {
        if (one->text() == text)
            return one;
    }
    return nullptr;
}

} // namespace

// What somebody does in the Measure mode, against a real far end on loopback.
class TestMeasuring : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void anAddressBecomesARow();
    void theSelectedCableIsOffered();
    void loopbackStandsForNoCable();
    void cancelKeepsWhatThereWas();
    void closingKeepsWhatThereWas();
    void refusedIsToldInTheBanner();
    void busyIsToldInTheBanner();
    void anEmptyAddressIsAskedFor();
    void aCableBindsTheRun();
    void overLoopbackThereIsNoRatio();
    void whatCannotBeRecordedIsShown();
    void bothDirectionsAreToldInWords();
    void afterShutDownNothingStarts();
    void connectTimeIsDots();
    void theHistoryHasGaps();

private:
    void type(const QString& host, int port, int seconds);

    std::unique_ptr<WindowBench> m_bench;
    std::unique_ptr<Iperf3Server> m_server;
};

void TestMeasuring::init()
{
    Iperf3ServerOptions options;
    options.bindAddress = QStringLiteral("127.0.0.1");
    options.port = 0;
    auto server = Iperf3Server::start(options);
    QVERIFY(server);
    m_server = std::move(*server);
    m_bench = std::make_unique<WindowBench>();
    QVERIFY(m_bench->open());
    m_bench->window().setMode(WindowMode::Measure);
}

void TestMeasuring::cleanup()
{
    QVERIFY(m_bench->close());
    m_bench.reset();
    m_server.reset();
}

void TestMeasuring::type(const QString& host, int port, int seconds)
{
    const QWidget* form = m_bench->window().measurePage()->form();
    auto* address = field<QLineEdit>(form, QStringLiteral("Far end"));
    address->clear();
    QTest::keyClicks(address, host);
    field<QSpinBox>(form, QStringLiteral("Port"))->setValue(port);
    field<QSpinBox>(form, QStringLiteral("Duration"))->setValue(seconds);
}

void TestMeasuring::anAddressBecomesARow()
{
    MainWindow& window = m_bench->window();
    MeasurePage* page = window.measurePage();
    type(QStringLiteral("127.0.0.1"), m_server->port(), 1);
    const auto runs = window.worksheetPage()->model()->rowCount();
    QTest::mouseClick(button(page->form(), QStringLiteral("Measure")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.taskStrip()->taskCount() == 1, 5'000);
    QTRY_VERIFY_WITH_TIMEOUT(page->rateChart()->pointCount() > 2, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(page->resultCard()->isVisible(), 15'000);
    QCOMPARE(page->resultCard()->number(), std::optional<qint64>(1));
    QVERIFY2(page->resultCard()->text().contains(QStringLiteral("recorded")),
             qPrintable(page->resultCard()->text()));
    QVERIFY(page->banner()->text().isEmpty());
    WorksheetModel* rows = window.worksheetPage()->model();
    QTRY_COMPARE_WITH_TIMEOUT(rows->rowCount(), runs + 1, 5'000);
    QTRY_COMPARE_WITH_TIMEOUT(window.taskStrip()->taskCount(), 0, 5'000);
    const WorksheetRow* row = rows->row(rows->rowCount() - 1);
    QVERIFY(row->forward.has_value());
    QVERIFY(row->forward->rate.value().bitsPerSecond() > 0);
    QTest::mouseClick(button(page->resultCard(), QStringLiteral("Show in worksheet")),
                      Qt::LeftButton);
    QCOMPARE(window.mode(), WindowMode::Worksheet);
    QCOMPARE(window.worksheetPage()->runs()->model()->rowCount(), 1);
}

void TestMeasuring::theSelectedCableIsOffered()
{
    MainWindow& window = m_bench->window();
    const LinkId cable = window.workspace()->document().drawing().links.front().id;
    QVERIFY(window.measurePage()->form()->link() != cable);
    window.setMode(WindowMode::Napkin);
    window.napkinPage()->canvas()->select({{}, {cable}});
    window.setMode(WindowMode::Measure);
    QVERIFY(window.measurePage()->form()->link() == cable);
}

void TestMeasuring::loopbackStandsForNoCable()
{
    MeasurePage* page = m_bench->window().measurePage();
    field<QComboBox>(page->form(), QStringLiteral("Cable"))->setCurrentIndex(1);
    type(QStringLiteral("127.0.0.1"), m_server->port(), 1);
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(page->resultCard()->isVisible(), 15'000);
    const QString words = page->resultCard()->text();
    QVERIFY2(words.contains(QStringLiteral("does not stand for the cable")), qPrintable(words));
    QVERIFY2(!words.contains(QStringLiteral("10 Gb/s")), qPrintable(words)); // no ratio
}

void TestMeasuring::cancelKeepsWhatThereWas()
{
    MainWindow& window = m_bench->window();
    MeasurePage* page = window.measurePage();
    type(QStringLiteral("127.0.0.1"), m_server->port(), 60);
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(page->rateChart()->pointCount() > 3, 10'000);
    QTest::mouseClick(button(window.taskStrip(), QStringLiteral("Cancel")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(page->resultCard()->isVisible(), 10'000);
    QVERIFY(page->resultCard()->text().contains(QStringLiteral("partial: cancelled")));
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace()->feed().records().size(), std::size_t(1), 5'000);
    QCOMPARE(window.workspace()->feed().records().front().completion, Completion::Partial);
}

void TestMeasuring::closingKeepsWhatThereWas()
{
    type(QStringLiteral("127.0.0.1"), m_server->port(), 60);
    MeasurePage* page = m_bench->window().measurePage();
    page->measure();
    page->measure(); // waits behind the first, and goes with it
    QTRY_VERIFY_WITH_TIMEOUT(page->rateChart()->pointCount() > 3, 10'000);
    QCOMPARE(m_bench->window().taskStrip()->taskCount(), 2);
    QVERIFY(m_bench->close());
    QVERIFY(m_bench->open());
    const auto& records = m_bench->window().workspace()->feed().records();
    QCOMPARE(records.size(), std::size_t(1));
    QCOMPARE(records.front().completion, Completion::Partial);
}

void TestMeasuring::refusedIsToldInTheBanner()
{
    MeasurePage* page = m_bench->window().measurePage();
    QTcpServer closed; // a port where nobody listens
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const int port = closed.serverPort();
    closed.close();
    type(QStringLiteral("127.0.0.1"), port, 1);
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(!page->banner()->text().isEmpty(), 10'000);
    QVERIFY2(page->banner()->text().contains(QStringLiteral("refused")),
             qPrintable(page->banner()->text()));
    QVERIFY(page->banner()->text().contains(QStringLiteral("napkin-cli serve")));
    QVERIFY(m_bench->window().workspace()->feed().records().empty());
}

void TestMeasuring::busyIsToldInTheBanner()
{
    WindowBench other;
    QVERIFY(other.open());
    type(QStringLiteral("127.0.0.1"), m_server->port(), 30);
    MeasurePage* page = m_bench->window().measurePage();
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(page->rateChart()->pointCount() > 2, 10'000);
    MeasurePage* second = other.window().measurePage();
    QTest::keyClicks(field<QLineEdit>(second->form(), QStringLiteral("Far end")),
                     QStringLiteral("127.0.0.1"));
    field<QSpinBox>(second->form(), QStringLiteral("Port"))->setValue(m_server->port());
    second->measure();
    QTRY_VERIFY_WITH_TIMEOUT(!second->banner()->text().isEmpty(), 10'000);
    QVERIFY2(second->banner()->text().contains(QStringLiteral("busy")),
             qPrintable(second->banner()->text()));
    QVERIFY(page->banner()->text().isEmpty());
    QVERIFY(other.close());
}

void TestMeasuring::anEmptyAddressIsAskedFor()
{
    MeasurePage* page = m_bench->window().measurePage();
    page->measure();
    QVERIFY(page->banner()->text().contains(QStringLiteral("address")));
    QCOMPARE(m_bench->window().taskStrip()->taskCount(), 0);
}

void TestMeasuring::aCableBindsTheRun()
{
    DrawingWithLayout drawn = twoMachinesTemplate();
    drawn.drawing.machines[0].ports[0].name = QStringLiteral("lo"); // an interface that is here
    drawn.drawing.machines[1].ports[0].address = QStringLiteral("192.0.2.7");
    MeasureForm form;
    form.setDrawing(drawn.drawing);
    form.selectLink(drawn.drawing.links.front().id);
    auto spec = form.spec();
    QVERIFY(spec.has_value());
    QCOMPARE(spec->far.host, QStringLiteral("192.0.2.7"));
    QCOMPARE(spec->interfaceName, QStringLiteral("lo"));

    // What is typed stays through edits of the drawing, and goes before what the cable says.
    auto* host = field<QLineEdit>(&form, QStringLiteral("Far end"));
    host->clear();
    QTest::keyClicks(host, QStringLiteral("192.0.2.8"));
    field<QSpinBox>(&form, QStringLiteral("Port"))->setValue(5202);
    drawn.drawing.machines[1].name = QStringLiteral("spark-b");
    form.setDrawing(drawn.drawing);
    field<QComboBox>(&form, QStringLiteral("Interface"))->setEditText(QStringLiteral("eth9"));
    spec = form.spec();
    QVERIFY(spec.has_value());
    QCOMPARE(spec->far.host, QStringLiteral("192.0.2.8"));
    QCOMPARE(spec->far.port, 5202);
    QCOMPARE(spec->interfaceName, QStringLiteral("eth9"));
}

void TestMeasuring::overLoopbackThereIsNoRatio()
{
    MainWindow& window = m_bench->window();
    MeasurePage* page = window.measurePage();
    DrawingDocument& document = window.workspace()->document();
    document.setPortAddress(document.drawing().machines[1].ports[0].id,
                            QStringLiteral("127.0.0.1"));
    page->form()->selectLink(document.drawing().links.front().id);
    field<QSpinBox>(page->form(), QStringLiteral("Port"))->setValue(m_server->port());
    field<QSpinBox>(page->form(), QStringLiteral("Duration"))->setValue(1);
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(page->resultCard()->isVisible(), 15'000);
    const QString text = page->resultCard()->text();
    QVERIFY2(text.contains(qualityFlagText(QualityFlag::Loopback)), qPrintable(text));
    QVERIFY2(!text.contains(formatBitRate(BitRate::gigabitsPerSecond(10))), qPrintable(text));
}

void TestMeasuring::whatCannotBeRecordedIsShown()
{
    MainWindow& window = m_bench->window();
    QSignalSpy opened(&window, &MainWindow::opened);
    window.openNotebook(m_bench->path(), Notebook::Mode::ReadOnly);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, 10'000);
    type(QStringLiteral("127.0.0.1"), m_server->port(), 1);
    MeasurePage* page = window.measurePage();
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(page->resultCard()->isVisible(), 15'000);
    QVERIFY(!page->resultCard()->number().has_value());
    QVERIFY(page->resultCard()->text().contains(QStringLiteral("Gb/s")));
    QTRY_VERIFY_WITH_TIMEOUT(!page->banner()->text().isEmpty(), 5'000);
}

// Each direction has a clock of its own, on the card and in the chart's words.
void TestMeasuring::bothDirectionsAreToldInWords()
{
    using namespace std::chrono_literals;
    ProbeResult result;
    ThroughputOptions options;
    options.flow = Flow::Bidirectional;
    result.spec.options = options;
    ThroughputData data;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const bool forward = direction == Direction::Forward;
        for (int i = 0; i < 20; ++i) {
            ThroughputSample sample;
            sample.direction = direction;
            sample.start = i * 100ms;
            sample.length = 100ms;
            sample.bytes = ByteCount::bytes(forward ? 12'500'000 : 25'000'000);
            sample.rtt = forward ? 2ms : 7ms;
            data.samples.push_back(sample);
        }
    }
    result.data = data;
    ResultCard card;
    card.showResult(1, result, {});
    QVERIFY2(card.text().contains(QStringLiteral("→ ") + formatDuration(2ms)),
             qPrintable(card.text()));
    QVERIFY(card.text().contains(QStringLiteral("← ") + formatDuration(7ms)));
    RateChart chart;
    chart.setSummary(summarise(data));
    const QStringList lines = chart.accessibleDescription().split(u'\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].contains(formatBitRate(BitRate::gigabitsPerSecond(1))));
    QVERIFY(lines[1].contains(formatBitRate(BitRate::gigabitsPerSecond(2))));
    QVERIFY(lines[1].contains(formatDuration(7ms)));
}

void TestMeasuring::afterShutDownNothingStarts()
{
    MeasureController& controller = m_bench->window().workspace()->controller();
    QSignalSpy queued(&controller, &MeasureController::queued);
    controller.shutDown();
    type(QStringLiteral("127.0.0.1"), m_server->port(), 1);
    MeasurePage* page = m_bench->window().measurePage();
    page->measure();
    QVERIFY(!controller.measure(ProbeSpec()));
    QCOMPARE(queued.size(), 0);
    QVERIFY(page->banner()->text().contains(QStringLiteral("closing")));
    controller.resume();
    page->measure();
    QCOMPARE(queued.size(), 1);
    controller.cancelAll();
}

void TestMeasuring::connectTimeIsDots()
{
    MeasurePage* page = m_bench->window().measurePage();
    type(QStringLiteral("127.0.0.1"), m_server->port(), 1);
    field<QComboBox>(page->form(), QStringLiteral("Measure"))->setCurrentIndex(1);
    field<QSpinBox>(page->form(), QStringLiteral("Attempts"))->setValue(5);
    page->measure();
    QTRY_VERIFY_WITH_TIMEOUT(page->resultCard()->isVisible(), 15'000);
    QCOMPARE(page->connectChart()->pointCount(), 5);
    const QString words = page->connectChart()->accessibleDescription();
    for (const auto* part : {"5 of 5 connected", "median", "least", "most"})
        QVERIFY2(words.contains(QLatin1String(part)), qPrintable(words));
    QVERIFY(page->resultCard()->text().contains(QStringLiteral("5 of 5")));
}

void TestMeasuring::theHistoryHasGaps()
{
    using namespace std::chrono_literals;
    RateHistory history(1, 3'000s);
    std::vector<ThroughputSample> samples;
    for (int i = 0; i < 30'000; ++i) {
        if (i >= 10'000 && i < 12'000)
            continue; // nobody knows
        ThroughputSample sample;
        sample.start = i * 100ms;
        sample.length = 100ms;
        sample.bytes = ByteCount::bytes(12'500'000);
        samples.push_back(sample);
    }
    history.add(samples);
    const auto segments = history.segments(Direction::Forward);
    QCOMPARE(segments.size(), std::size_t(2));
    qsizetype points = 0;
    for (const auto& segment : segments) {
        points += segment.size();
        for (const QPointF& point : segment)
            QVERIFY(std::abs(point.y() - 1e9) < 1e6);
    }
    QVERIFY(points <= RateHistory::mostPoints);
    QVERIFY(!history.at(Direction::Forward, 1'100).has_value());
    QVERIFY(!history.newest(Direction::Reverse).has_value());
}

QTEST_MAIN(TestMeasuring)
#include "tst_measuring.moc"
