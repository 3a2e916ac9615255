// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include "ui/widgets/frozencolumn.h"
#include "ui/widgets/ledger.h"

#include <QApplication>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>

using namespace napkin;

namespace {

constexpr int columns = 12;

// A ledger that is too narrow for its columns and too low for its rows.
struct Bench
{
    QStandardItemModel model{200, columns};
    LedgerSorter sorter;
    LedgerView view;

    Bench()
    {
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < columns; ++column) {
                const QString text = QStringLiteral("%1.%2").arg(row).arg(column);
                model.setItem(row, column, new QStandardItem(text));
                model.item(row, column)->setData(row, SortRole);
            }
        }
        sorter.setSourceModel(&model);
        view.setModel(&sorter);
        view.freezeFirstColumn();
        view.resize(500, 300);
        for (int column = 0; column < columns; ++column)
            view.setColumnWidth(column, 100);
        view.show();
    }
    [[nodiscard]] FrozenColumn* frozen() const { return view.frozenColumn(); }
    void scrollRight() { view.horizontalScrollBar()->setValue(350); }
};

} // namespace

class TestFrozenColumn : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Light); }
    void staysInSight();
    void rowsStayInLine();
    void clicksSelectTheRow();
    void theKeyboardStaysInTheLedger();
    void nothingHidesBelowIt();
    void sortsByItsHeader();
    void stepsAsideWhereItIsTooWide();
};

void TestFrozenColumn::staysInSight()
{
    Bench bench;
    QVERIFY(!bench.frozen()->isVisible()); // the column itself is there
    bench.scrollRight();
    QVERIFY(bench.frozen()->isVisible());
    QCOMPARE(bench.frozen()->geometry().left(), bench.view.viewport()->geometry().left());
    QCOMPARE(bench.frozen()->width(), 100);
    bench.view.setColumnWidth(0, 140);
    QCOMPARE(bench.frozen()->width(), 140);
    bench.view.horizontalScrollBar()->setValue(0);
    QVERIFY(!bench.frozen()->isVisible());
}

void TestFrozenColumn::rowsStayInLine()
{
    Bench bench;
    bench.scrollRight();
    bench.view.verticalScrollBar()->setValue(777);
    for (const int row : {30, 35}) {
        const int there =
            bench.view.viewport()
                ->mapToGlobal(bench.view.visualRect(bench.sorter.index(row, 5)).topLeft())
                .y();
        const int here =
            bench.frozen()
                ->viewport()
                ->mapToGlobal(bench.frozen()->visualRect(bench.sorter.index(row, 0)).topLeft())
                .y();
        QCOMPARE(here, there);
    }
}

void TestFrozenColumn::clicksSelectTheRow()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.view));
    bench.scrollRight();
    const QRect cell = bench.frozen()->visualRect(bench.sorter.index(3, 0));
    QTest::mouseClick(bench.frozen()->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(bench.view.selectionModel()->selectedRows().size(), 1);
    QCOMPARE(bench.view.currentIndex().row(), 3);
    QCOMPARE(bench.view.horizontalScrollBar()->value(), 350); // no jump to the left
    QVERIFY(bench.view.hasFocus());
}

void TestFrozenColumn::theKeyboardStaysInTheLedger()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.view));
    bench.scrollRight();
    QCOMPARE(bench.frozen()->focusPolicy(), Qt::NoFocus);
    bench.view.setCurrentIndex(bench.sorter.index(0, 0));
    for (int i = 0; i < 40; ++i)
        QTest::keyClick(&bench.view, Qt::Key_Down);
    QCOMPARE(bench.view.currentIndex().row(), 40);
    QCOMPARE(bench.frozen()->verticalScrollBar()->value(), bench.view.verticalScrollBar()->value());
    QVERIFY(bench.view.verticalScrollBar()->value() > 0);
}

void TestFrozenColumn::nothingHidesBelowIt()
{
    Bench bench;
    QVERIFY(QTest::qWaitForWindowActive(&bench.view));
    bench.view.setCurrentIndex(bench.sorter.index(0, columns - 1));
    bench.view.horizontalScrollBar()->setValue(bench.view.horizontalScrollBar()->maximum());
    while (bench.view.currentIndex().column() > 1) {
        QTest::keyClick(&bench.view, Qt::Key_Left);
        const QRect cell = bench.view.visualRect(bench.view.currentIndex());
        const int edge = bench.frozen()->isVisible() ? bench.frozen()->width() : 0;
        QVERIFY2(cell.left() >= edge, qPrintable(QString::number(cell.left())));
    }
}

void TestFrozenColumn::sortsByItsHeader()
{
    Bench bench;
    bench.scrollRight();
    QHeaderView* header = bench.frozen()->horizontalHeader();
    const QPoint middle(40, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, middle);
    QCOMPARE(bench.sorter.index(0, 0).data().toString(), QStringLiteral("0.0"));
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, middle);
    QCOMPARE(bench.sorter.index(0, 0).data().toString(), QStringLiteral("199.0"));
    QCOMPARE(bench.view.horizontalHeader()->sortIndicatorSection(), 0);
    QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
}

void TestFrozenColumn::stepsAsideWhereItIsTooWide()
{
    Bench bench;
    bench.scrollRight();
    QVERIFY(bench.frozen()->isVisible());
    bench.view.setColumnWidth(0, 320);
    QVERIFY(!bench.frozen()->isVisible());
}

QTEST_MAIN(TestFrozenColumn)
#include "tst_frozencolumn.moc"
