// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/bench.h"
#include "ui/canvas/napkinpage.h"
#include "ui/document/drawingdocument.h"
#include "ui/window/gotobox.h"
#include "ui/window/startpage.h"
#include "ui/worksheet/worksheetmodel.h"
#include "ui/worksheet/worksheetpage.h"

#include <QAccessible>
#include <QDockWidget>
#include <QFile>
#include <QMenuBar>
#include <QToolButton>

using namespace napkin;
using namespace napkin::test;

namespace {

QAction* action(const MainWindow& window, const QString& text)
{
    for (const QAction* menu : window.menuBar()->actions()) {
        for (QAction* one : menu->menu()->actions()) {
            if (one->text().remove(QLatin1Char('&')).startsWith(text))
                return one;
        }
    }
    return nullptr;
}

// Every widget that takes the keyboard says what it is.
QStringList namelessWidgets(const QWidget& root)
{
    QStringList nameless;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisibleTo(&root))
            continue;
        if (widget->objectName().startsWith(QLatin1String("qt_")) ||
            widget->focusProxy() != nullptr)
            continue;
        const QAccessibleInterface* interface =
            QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        if (!interface || interface->text(QAccessible::Name).isEmpty()) {
            nameless << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                            widget->objectName() + QStringLiteral(" in ") +
                            QString::fromLatin1(widget->parentWidget()->metaObject()->className());
        }
    }
    return nameless;
}

} // namespace

class TestWindow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void firstStartShowsATemplate();
    void whatIsDrawnIsThereAgain();
    void undoIsNamed();
    void modesAndGoTo();
    void everythingHasAName();
    void fitsASmallScreen();
    void theInspectorIsFoundInANarrowWindow();
    void abrokenNotebookIsExplained();
    void anotherNotebookThatFailsLeavesTheFirst();
};

void TestWindow::firstStartShowsATemplate()
{
    WindowBench bench;
    QVERIFY(bench.open());
    MainWindow& window = bench.window();
    QCOMPARE(window.windowTitle(), QStringLiteral("lab - Napkin"));
    const Drawing& drawing = window.workspace()->document().drawing();
    QCOMPARE(drawing.machines.size(), std::size_t(2));
    QCOMPARE(drawing.links.size(), std::size_t(1));
    QCOMPARE(window.worksheetPage()->model()->rowCount(), 1);
    QVERIFY(bench.close());
}

void TestWindow::whatIsDrawnIsThereAgain()
{
    WindowBench bench;
    QVERIFY(bench.open());
    DrawingDocument& document = bench.window().workspace()->document();
    const MachineId a = document.addMachine({0, 300}, QStringLiteral("mini-1"));
    const MachineId b = document.addMachine({400, 300}, QStringLiteral("mini-2"));
    QVERIFY(document.addLink(a, b, QStringLiteral("ethernet-10g")));
    const DrawingWithLayout before = document.state();
    QTRY_COMPARE_WITH_TIMEOUT(bench.window().worksheetPage()->model()->rowCount(), 2, 5'000);
    document.moveMachines({{a, QPointF(40, 320)}}, DrawingDocument::MoveKind::Drag);
    QVERIFY(bench.close()); // at once: the last edit is written out before it ends
    QVERIFY(bench.open());
    const DrawingWithLayout& after = bench.window().workspace()->document().state();
    QCOMPARE(after.drawing, before.drawing);
    QCOMPARE(after.layout.machines.at(a), QPointF(40, 320));
    QCOMPARE(bench.window().worksheetPage()->model()->rowCount(), 2);
    QVERIFY(bench.close());
}

void TestWindow::undoIsNamed()
{
    WindowBench bench;
    QVERIFY(bench.open());
    DrawingDocument& document = bench.window().workspace()->document();
    QAction* undo = action(bench.window(), QStringLiteral("Undo"));
    QVERIFY(!undo->isEnabled());
    document.addMachine({0, 300}, QStringLiteral("mini-1"));
    QVERIFY(undo->isEnabled());
    QVERIFY(undo->text().size() > QStringLiteral("Undo ").size());
    undo->trigger();
    QCOMPARE(document.drawing().machines.size(), std::size_t(2));
    QVERIFY(bench.close());
}

void TestWindow::modesAndGoTo()
{
    WindowBench bench;
    QVERIFY(bench.open());
    MainWindow& window = bench.window();
    action(window, QStringLiteral("Worksheet"))->trigger();
    QCOMPARE(window.mode(), WindowMode::Worksheet);
    QVERIFY(window.worksheetPage()->isVisible());
    window.goToAnything();
    QVERIFY(window.goToBox()->isVisible());
    const QStringList shown = window.goToBox()->shown();
    const QString machine = window.workspace()->document().drawing().machines.front().name;
    QVERIFY(shown.contains(machine));
    QVERIFY(shown.contains(QStringLiteral("Quit")));
    auto* query = window.goToBox()->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(query);
    QTest::keyClicks(query, machine);
    QTest::keyClick(query, Qt::Key_Return);
    QCOMPARE(window.mode(), WindowMode::Napkin);
    QCOMPARE(window.napkinPage()->canvas()->selection().machines.size(), std::size_t(1));
    window.setMode(WindowMode::Measure);
    QVERIFY(bench.close());
    QVERIFY(bench.open());
    QCOMPARE(bench.window().mode(), WindowMode::Measure); // remembered
    QVERIFY(bench.close());
}

void TestWindow::everythingHasAName()
{
    WindowBench bench;
    QVERIFY(bench.open());
    QAccessible::setActive(true);
    for (const WindowMode mode : {WindowMode::Napkin, WindowMode::Measure, WindowMode::Worksheet}) {
        bench.window().setMode(mode);
        QCOMPARE(namelessWidgets(bench.window()).join(QLatin1Char('\n')), QString());
    }
    QVERIFY(bench.close());
}

void TestWindow::fitsASmallScreen()
{
    WindowBench bench;
    QVERIFY(bench.open());
    MainWindow& window = bench.window();
    for (const WindowMode mode : {WindowMode::Napkin, WindowMode::Measure, WindowMode::Worksheet}) {
        window.setMode(mode);
        window.resize(960, 600);
        QTest::qWait(20);
        QCOMPARE(window.size(), QSize(960, 600));
        QVERIFY(!window.findChild<QDockWidget*>()->isVisible()); // folded
    }
    window.setMode(WindowMode::Napkin);
    window.resize(1'300, 800);
    QTRY_VERIFY(window.findChild<QDockWidget*>()->isVisible());
    QVERIFY(bench.close());
}

void TestWindow::theInspectorIsFoundInANarrowWindow()
{
    WindowBench bench;
    QVERIFY(bench.open());
    MainWindow& window = bench.window();
    auto* dock = window.findChild<QDockWidget*>();
    window.resize(960, 600);
    QTRY_VERIFY(!dock->isVisible());
    QToolButton* button = nullptr;
    for (QToolButton* one : window.menuBar()->findChildren<QToolButton*>()) {
        if (one->accessibleName() == QStringLiteral("Inspector"))
            button = one;
    }
    QVERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(dock->isVisible());
    window.setMode(WindowMode::Worksheet);
    QVERIFY(!dock->isVisible());
    window.setMode(WindowMode::Napkin); // where it was opened it stays
    QVERIFY(dock->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!dock->isVisible());
    window.resize(1'300, 800);
    QTRY_VERIFY(dock->isVisible());
    QVERIFY(bench.close());
}

void TestWindow::abrokenNotebookIsExplained()
{
    WindowBench bench;
    const QString path = bench.path() + QStringLiteral(".txt");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(5'000, 'x'));
    file.close();
    QVERIFY(!bench.open(path));
    QVERIFY(bench.window().startPage()->isVisible());
    QVERIFY(bench.window().startPage()->text().contains(QStringLiteral("not a Napkin notebook")));
    QSignalSpy opened(&bench.window(), &MainWindow::opened);
    bench.window().openNotebook(bench.path());
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, 10'000);
    QVERIFY(bench.close());
}

void TestWindow::anotherNotebookThatFailsLeavesTheFirst()
{
    WindowBench bench;
    QVERIFY(bench.open());
    QSignalSpy failed(&bench.window(), &MainWindow::openFailed);
    bench.window().openNotebook(QStringLiteral("/proc/no-such/place.napkin"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
    QVERIFY(bench.window().workspace() != nullptr);
    QVERIFY(bench.window().napkinPage()->isVisible());
    QVERIFY(bench.close());
}

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
