// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/routedprobe.h"
#include "core/peer/peerpairing.h"
#include "tests/support/sync.h"
#include "tests/ui/peers/desks.h"
#include "tests/ui/window/bench.h"
#include "ui/document/drawingdocument.h"
#include "ui/measure/measureform.h"
#include "ui/measure/measurepage.h"
#include "ui/peers/peersmodel.h"
#include "ui/peers/peerspage.h"
#include "ui/peers/servestrip.h"
#include "ui/widgets/errorbanner.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/rundetails.h"
#include "ui/worksheet/runspane.h"
#include "ui/worksheet/worksheetpage.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>

using namespace napkin;
using namespace napkin::test;

class TestPeersMode : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void noPeersNoMode();
    void modeByKeyboard();
    void servingIsSeenInEveryMode();
    void aRunOpensItsDetails();
    void measuresACableBetweenTwoPeers();
};

void TestPeersMode::noPeersNoMode()
{
    WindowBench bench;
    QVERIFY(bench.open());
    QVERIFY(!bench.window().peersPage());
    QVERIFY(!bench.window().serveStrip());
}

void TestPeersMode::modeByKeyboard()
{
    const QTemporaryDir folder;
    WindowBench bench;
    bench.setPeers(makeDesk(folder, QStringLiteral("laptop")));
    QVERIFY(bench.open());
    QTest::keyClick(&bench.window(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(bench.window().mode(), WindowMode::Peers);
    QVERIFY(bench.window().peersPage()->isVisible());
    QVERIFY(bench.close());
    QVERIFY(bench.open()); // the mode is remembered
    QCOMPARE(bench.window().mode(), WindowMode::Peers);
}

void TestPeersMode::servingIsSeenInEveryMode()
{
    const QTemporaryDir folder;
    const std::shared_ptr<PeerDesk> desk = makeDesk(folder, QStringLiteral("laptop"));
    WindowBench bench;
    bench.setPeers(desk);
    QVERIFY(bench.open());
    QVERIFY(!bench.window().statusBar()->isVisible());
    QVERIFY(desk->startServing());
    for (const auto mode :
         {WindowMode::Napkin, WindowMode::Measure, WindowMode::Worksheet, WindowMode::Peers}) {
        bench.window().setMode(mode);
        QVERIFY(bench.window().serveStrip()->isVisible());
        QVERIFY(bench.window().serveStrip()->text().contains(QString::number(desk->servingPort())));
    }
    bench.window().serveStrip()->findChildren<QPushButton*>().last()->click();
    QVERIFY(!desk->isServing());
    QVERIFY(!bench.window().statusBar()->isVisible());
}

void TestPeersMode::aRunOpensItsDetails()
{
    WindowBench bench;
    QVERIFY(bench.open());
    const QDateTime noon(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    Notebook& notebook = bench.window().workspace()->notebook();
    QVERIFY(sync(notebook.record(sampleRun(1'500, noon))));
    const ProbeResult second = sampleRun(9'000, noon.addSecs(600));
    QVERIFY(sync(notebook.record(second)));
    QTRY_COMPARE(bench.window().workspace()->feed().records().size(), 2U);
    WorksheetPage* page = bench.window().worksheetPage();
    bench.window().setMode(WindowMode::Worksheet);
    page->showRecord(second.id);
    QSignalSpy presented(page->details(), &RunDetails::presented);
    page->runs()->view()->setFocus();
    QTest::keyClick(page->runs()->view(), Qt::Key_Return);
    QVERIFY(page->areDetailsShown());
    QTRY_COMPARE(presented.size(), 1);
    QCOMPARE(page->details()->model()->changes(), 1); // the MTU
    QVERIFY(page->details()->text().contains(QStringLiteral("Compared with run 1")));
    QTest::keyClick(page->details()->view(), Qt::Key_Escape);
    QVERIFY(!page->areDetailsShown());
    QVERIFY(page->runs()->view()->hasFocus());
}

// Three machines in one process: the window steers, one peer measures towards the other.
void TestPeersMode::measuresACableBetweenTwoPeers()
{
    const QTemporaryDir folder;
    const std::shared_ptr<PeerDesk> laptop = makeDesk(folder, QStringLiteral("laptop"));
    const auto a =
        makeDesk(folder, QStringLiteral("shelf-a"), measuringServices(MeasureTargets::AlsoThisOne));
    const auto b =
        makeDesk(folder, QStringLiteral("shelf-b"), measuringServices(MeasureTargets::AlsoThisOne));
    std::vector<PeerId> ids;
    for (PeerDesk* desk : {a.get(), b.get()}) {
        const auto code = desk->invite();
        QVERIFY(code);
        const auto paired = sync(
            pairWith(laptop->store(), QStringLiteral("127.0.0.1"), desk->servingPort(), *code, {}),
            std::chrono::seconds(25));
        QVERIFY(paired);
        ids.push_back(paired->id);
    }
    WindowBench bench;
    bench.setPeers(laptop);
    bench.setProbes(routedProbes(laptop->store()));
    QVERIFY(bench.open());

    DrawingDocument& document = bench.window().workspace()->document();
    const Drawing& drawing = document.drawing();
    QVERIFY(drawing.machines.size() == 2 && drawing.links.size() == 1);
    const Link link = drawing.links.front();
    QVERIFY(document.setMachinePeer(drawing.machineOf(link.a)->id, ids.front()));
    QVERIFY(document.setMachinePeer(drawing.machineOf(link.b)->id, ids.back()));
    document.setPortAddress(link.a, QStringLiteral("127.0.0.1"));
    document.setPortAddress(link.b, QStringLiteral("127.0.0.1"));

    MeasureForm* form = bench.window().measurePage()->form();
    bench.window().setMode(WindowMode::Measure);
    form->selectLink(link.id);
    form->setNearEnd(NearEnd::B);
    for (QSpinBox* box : form->findChildren<QSpinBox*>()) {
        if (box->accessibleName() == QStringLiteral("Duration"))
            box->setValue(1);
    }
    const auto spec = form->spec();
    QVERIFY2(spec, spec ? "" : qPrintable(spec.error().detail));
    QVERIFY(spec->near.peer == ids.back() && spec->far.peer == ids.front());
    bool told = false;
    for (const QLabel* label : form->findChildren<QLabel*>())
        told = told || label->text().contains(QStringLiteral("This machine only steers"));
    QVERIFY(told);

    bench.window().measurePage()->measure();
    QTRY_COMPARE_WITH_TIMEOUT(bench.window().workspace()->feed().records().size(), 1U, 30'000);
    QCOMPARE(bench.window().measurePage()->banner()->text(), QString());
    const RecordSummary run = bench.window().workspace()->feed().records().front();
    const auto record = sync(bench.window().workspace()->notebook().load(run.id));
    QVERIFY(record);
    QVERIFY(record->result.spec.near.peer == ids.back());
    QVERIFY(record->result.conditions.near.facts && record->result.conditions.far.facts);
    // From end b: along the cable, a to b, that is the way back.
    QVERIFY(!run.forward && run.reverse && run.reverse->bitsPerSecond() > 0);
}

QTEST_MAIN(TestPeersMode)
#include "tst_peersmode.moc"
