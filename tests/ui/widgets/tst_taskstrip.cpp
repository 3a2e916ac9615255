// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/taskstrip.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace napkin;

namespace {

// A field and a button above, the strip below, as a window has them.
struct Bench
{
    QWidget window;
    QPushButton* first = new QPushButton(QStringLiteral("first"));
    QLineEdit* field = new QLineEdit;
    TaskStrip* strip = new TaskStrip;

    Bench()
    {
        auto* column = new QVBoxLayout(&window);
        column->addWidget(first);
        column->addWidget(field);
        column->addWidget(strip);
        window.show();
    }
    [[nodiscard]] QPushButton* cancel() const { return strip->findChild<QPushButton*>(); }
};

} // namespace

class TestTaskStrip : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cancelGivesTheKeyboardBack();
    void anEndedTaskGivesItBack();
    void whereThatIsGoneItSaysSo();
};

void TestTaskStrip::cancelGivesTheKeyboardBack()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    const int task = bench.strip->addTask(QStringLiteral("Throughput"));
    bench.field->setFocus();
    bench.cancel()->setFocus(Qt::TabFocusReason);
    QVERIFY(bench.cancel()->hasFocus());
    QSignalSpy cancelled(bench.strip, &TaskStrip::cancelRequested);
    QTest::keyClick(bench.cancel(), Qt::Key_Space);
    QCOMPARE(cancelled.size(), 1);
    QVERIFY(bench.field->hasFocus());
    bench.strip->removeTask(task);
    QVERIFY(bench.field->hasFocus());
}

void TestTaskStrip::anEndedTaskGivesItBack()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    const int task = bench.strip->addTask(QStringLiteral("Throughput"));
    bench.field->setFocus();
    bench.cancel()->setFocus(Qt::TabFocusReason);
    bench.strip->removeTask(task);
    QVERIFY(bench.field->hasFocus());
}

void TestTaskStrip::whereThatIsGoneItSaysSo()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    const int task = bench.strip->addTask(QStringLiteral("Throughput"));
    bench.field->setFocus();
    bench.cancel()->setFocus(Qt::TabFocusReason);
    delete bench.field;
    QSignalSpy left(bench.strip, &TaskStrip::focusLeft);
    bench.strip->removeTask(task);
    QCOMPARE(left.size(), 1);
}

QTEST_MAIN(TestTaskStrip)
#include "tst_taskstrip.moc"
