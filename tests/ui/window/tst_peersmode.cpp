// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sync.h"
#include "tests/ui/peers/desks.h"
#include "tests/ui/window/bench.h"
#include "ui/peers/peersmodel.h"
#include "ui/peers/peerspage.h"
#include "ui/peers/servestrip.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/rundetails.h"
#include "ui/worksheet/runspane.h"
#include "ui/worksheet/worksheetpage.h"

#include <QPushButton>
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

QTEST_MAIN(TestPeersMode)
#include "tst_peersmode.moc"
