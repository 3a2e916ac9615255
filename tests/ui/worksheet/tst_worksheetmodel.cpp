// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/runsmodel.h"
#include "ui/worksheet/runspane.h"
#include "ui/worksheet/worksheetmodel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace napkin;

namespace {

class FixedClock final : public Clock
{
public:
    [[nodiscard]] QDateTime now() const override
    {
        return QDateTime(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    }
};

MeasuredRate measured(double gigabits, std::vector<BitRate> ratings, qint64 number)
{
    const BitRate rate = BitRate::gigabitsPerSecond(gigabits);
    const QDateTime date(QDate(2026, 12, 1), QTime(10, 0), Qt::UTC);
    MeasuredRate result{Fact<BitRate>::measured(rate, Origin::Mine, QStringLiteral("x"), date),
                        {},
                        7,
                        RecordId::create(),
                        number};
    for (const BitRate rating : ratings)
        result.ratios.push_back(Ratio::of(rate, rating));
    return result;
}

WorksheetRow row(const QString& name, std::vector<double> rated, std::optional<double> forward)
{
    WorksheetRow result;
    result.link = LinkId::create();
    result.period = LinkPeriodId::create();
    result.name = name;
    result.className = QStringLiteral("10 GbE");
    std::vector<BitRate> ratings;
    for (const double one : rated) {
        ratings.push_back(BitRate::gigabitsPerSecond(one));
        result.ratings.push_back(Fact<BitRate>::rated(ratings.back(), QStringLiteral("standard")));
    }
    if (forward) {
        result.forward = measured(*forward, ratings, 12);
        result.lastMeasured = result.forward->rate.date();
        result.runs = 1;
    }
    return result;
}

RecordSummary record(qint64 number, const WorksheetRow& of)
{
    RecordSummary result;
    result.number = number;
    result.id = RecordId::create();
    result.startedAt = QDateTime(QDate(2026, 12, 1), QTime(9, int(number % 60)), Qt::UTC);
    result.farName = QStringLiteral("spark-b");
    result.link = of.link;
    result.linkPeriod = of.period;
    result.forward = BitRate::gigabitsPerSecond(double(number));
    return result;
}

QString cell(const QAbstractItemModel& model, int r, int c)
{
    return model.index(r, c).data().toString();
}

} // namespace

class TestWorksheetModel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void unknownIsADash();
    void bothRatingsOfThunderboltAreShown();
    void everyFigureHasABadge();
    void sortsByValueWithUnknownLast();
    void copiesTabSeparated();
    void keepsTheSelectionWhenValuesChange();
    void runsAreEditedByLabelOnly();
    void runsGrowAtTheTop();
    void aPartialRunSaysWhy();
    void figuresSayHowTheyWereMeasured();
    void whatWantsCareIsMarked();
    void lossStaysInSight();
    void columnsGrowWithTheirContents();
    void machinesHaveAPlaceAmongTheRuns();
    void aThousandRowsAreFluid();

private:
    std::shared_ptr<const Clock> m_clock = std::make_shared<FixedClock>();
};

void TestWorksheetModel::initTestCase()
{
    applyAppearance(*qApp, Appearance::Light);
}

void TestWorksheetModel::unknownIsADash()
{
    WorksheetModel model(m_clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(
        {row(QStringLiteral("a"), {10}, std::nullopt), row(QStringLiteral("b"), {}, 9.42)});
    QCOMPARE(cell(model, 0, WorksheetModel::ForwardBits), QStringLiteral("–"));
    QCOMPARE(cell(model, 0, WorksheetModel::ForwardRatio), QStringLiteral("–"));
    QCOMPARE(cell(model, 0, WorksheetModel::LastMeasured), QStringLiteral("never"));
    QCOMPARE(cell(model, 1, WorksheetModel::RatedBits), QStringLiteral("–"));
    QCOMPARE(cell(model, 1, WorksheetModel::ForwardRatio), QStringLiteral("–"));
    QCOMPARE(cell(model, 1, WorksheetModel::ForwardBits), QStringLiteral("9.42"));
    QCOMPARE(cell(model, 1, WorksheetModel::ForwardBytes), QStringLiteral("1.18"));
    QVERIFY(!model.index(0, WorksheetModel::ForwardBits).data(SortRole).isValid());
}

void TestWorksheetModel::bothRatingsOfThunderboltAreShown()
{
    WorksheetModel model(m_clock);
    model.setRows({row(QStringLiteral("tb5"), {120, 80}, 60)});
    QVERIFY(cell(model, 0, WorksheetModel::RatedBits).contains(QStringLiteral("120 / 80")));
    const QString ratios = cell(model, 0, WorksheetModel::ForwardRatio);
    QVERIFY2(ratios.contains(QStringLiteral("50")) && ratios.contains(QStringLiteral("75")),
             qPrintable(ratios));
}

void TestWorksheetModel::everyFigureHasABadge()
{
    WorksheetModel model(m_clock);
    model.setRows({row(QStringLiteral("a"), {10}, 9.42)});
    const auto badge = [&](int column) {
        return model.index(0, column).data(BadgeRole).value<CellBadge>();
    };
    QCOMPARE(badge(WorksheetModel::RatedBits).provenance, Provenance::Rated);
    QCOMPARE(badge(WorksheetModel::ForwardBits).provenance, Provenance::Measured);
    QVERIFY(!model.index(0, WorksheetModel::ReverseBits).data(BadgeRole).isValid());
    QVERIFY(model.index(0, WorksheetModel::ForwardBits)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("run 12")));
}

void TestWorksheetModel::sortsByValueWithUnknownLast()
{
    WorksheetModel model(m_clock);
    LedgerSorter sorter;
    sorter.setSourceModel(&model);
    QAbstractItemModelTester tester(&sorter,
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows({row(QStringLiteral("nine"), {10}, 9.0), row(QStringLiteral("none"), {10}, {}),
                   row(QStringLiteral("ten"), {10}, 10.0),
                   row(QStringLiteral("tenth"), {10}, 0.1)});
    const auto names = [&sorter] {
        QStringList list;
        for (int i = 0; i < sorter.rowCount(); ++i)
            list << sorter.index(i, 0).data().toString();
        return list.join(QLatin1Char(' '));
    };
    sorter.sort(WorksheetModel::ForwardBits, Qt::AscendingOrder);
    QCOMPARE(names(), QStringLiteral("tenth nine ten none"));
    sorter.sort(WorksheetModel::ForwardBits, Qt::DescendingOrder);
    QCOMPARE(names(), QStringLiteral("ten nine tenth none"));
}

void TestWorksheetModel::copiesTabSeparated()
{
    WorksheetModel model(m_clock);
    LedgerView view;
    LedgerSorter sorter;
    sorter.setSourceModel(&model);
    view.setModel(&sorter);
    model.setRows({row(QStringLiteral("a\tb"), {10}, 9.42), row(QStringLiteral("c"), {10}, {})});
    view.selectRow(0);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3); // header, the row, end
    QCOMPARE(lines[0].split(QLatin1Char('\t')).size(), int(WorksheetModel::ColumnCount));
    QVERIFY(lines[0].contains(QStringLiteral("→ Gb/s")));
    QVERIFY(lines[1].startsWith(QStringLiteral("a b\t10 GbE\t")));
    QVERIFY(lines[1].contains(QStringLiteral("\t9.42\t")));
    view.clearSelection();
    QCOMPARE(view.selectedText().count(QLatin1Char('\n')), 3);
}

void TestWorksheetModel::keepsTheSelectionWhenValuesChange()
{
    WorksheetModel model(m_clock);
    LedgerView view;
    view.setModel(&model);
    std::vector<WorksheetRow> rows{row(QStringLiteral("a"), {10}, {}),
                                   row(QStringLiteral("b"), {10}, {})};
    model.setRows(rows);
    view.selectRow(1);
    rows[1].forward = measured(9.4, {BitRate::gigabitsPerSecond(10)}, 3);
    model.setRows(rows);
    QCOMPARE(view.selectionModel()->selectedRows().size(), 1);
    QCOMPARE(view.selectionModel()->selectedRows().front().row(), 1);
    QCOMPARE(model.rowLike(rows[1]), 1);
}

void TestWorksheetModel::runsAreEditedByLabelOnly()
{
    RunsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const WorksheetRow of = row(QStringLiteral("a"), {10}, {});
    model.setRecords({record(2, of), record(1, of)});
    QSignalSpy edited(&model, &RunsModel::labelEdited);
    QVERIFY(!model.setData(model.index(0, RunsModel::Date), QStringLiteral("x"), Qt::EditRole));
    QVERIFY(
        model.setData(model.index(0, RunsModel::Label), QStringLiteral(" jumbo "), Qt::EditRole));
    QVERIFY(
        !model.setData(model.index(0, RunsModel::Label), QStringLiteral("jumbo"), Qt::EditRole));
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.front().at(1).toString(), QStringLiteral("jumbo"));
    QVERIFY(!(model.flags(model.index(0, RunsModel::Number)) & Qt::ItemIsEditable));
}

void TestWorksheetModel::runsGrowAtTheTop()
{
    RunsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const WorksheetRow of = row(QStringLiteral("a"), {10}, {});
    std::vector<RecordSummary> records{record(1, of)};
    model.setRecords(records);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    records.insert(records.begin(), record(2, of));
    records.front().voided = QStringLiteral("wrong cable");
    records.front().completion = Completion::Partial;
    model.setRecords(records);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(reset.size(), 0);
    QCOMPARE(cell(model, 0, RunsModel::State), QStringLiteral("voided: wrong cable"));
    QVERIFY(model.index(0, RunsModel::Number).data(FadedRole).toBool());
    model.setRecords({});
    QCOMPARE(model.rowCount(), 0);
}

void TestWorksheetModel::aPartialRunSaysWhy()
{
    RunsModel model;
    const WorksheetRow of = row(QStringLiteral("a"), {10}, {});
    std::vector<RecordSummary> records{record(3, of), record(2, of), record(1, of)};
    for (RecordSummary& one : records)
        one.completion = Completion::Partial;
    records[0].fault = Error{ErrorCode::ConnectionLost, QStringLiteral("reset by peer"),
                             QStringLiteral("spark-b:5201"), nullptr};
    records[1].fault = Error{ErrorCode::Cancelled, {}, {}, nullptr};
    model.setRecords(records);
    const QString why = cell(model, 0, RunsModel::State);
    QVERIFY2(why.startsWith(QStringLiteral("partial: spark-b:5201 closed")), qPrintable(why));
    const QString more = model.index(0, RunsModel::State).data(Qt::ToolTipRole).toString();
    QVERIFY2(more.contains(QStringLiteral("Reset by peer.")), qPrintable(more));
    QCOMPARE(cell(model, 1, RunsModel::State), QStringLiteral("partial: cancelled"));
    QCOMPARE(cell(model, 2, RunsModel::State), QStringLiteral("partial: ended before its time"));
}

void TestWorksheetModel::figuresSayHowTheyWereMeasured()
{
    const QDateTime date(QDate(2026, 12, 1), QTime(10, 0), Qt::UTC);
    const auto time = [&date](Duration value) {
        return Fact<Duration>::measured(value, Origin::Mine, QStringLiteral("x"), date);
    };
    WorksheetRow one = row(QStringLiteral("a"), {10}, 9.4);
    one.latencyP50 = time(std::chrono::microseconds(210));
    one.latencyP99 = time(std::chrono::microseconds(400));
    one.latencyManner = EchoManner{EchoMethod::Tcp, WaitMode::BusyPoll, ByteCount::bytes(64)};
    one.loadedP50 = time(std::chrono::milliseconds(3));
    one.loadedManner = EchoManner{EchoMethod::Icmp, WaitMode::Blocking, ByteCount::bytes(64)};
    WorksheetModel model(m_clock);
    model.setRows({one});
    const QString p50 = cell(model, 0, WorksheetModel::RttMedian);
    QVERIFY2(p50.startsWith(QStringLiteral("210")) && p50.contains(QStringLiteral("TCP")) &&
                 p50.contains(QStringLiteral("64")) && p50.contains(QStringLiteral("busy polling")),
             qPrintable(p50));
    QVERIFY(cell(model, 0, WorksheetModel::RttTail).contains(QStringLiteral("TCP")));
    QVERIFY(cell(model, 0, WorksheetModel::LoadedRtt).contains(QStringLiteral("ICMP")));
    const QString tip = model.index(0, WorksheetModel::RttMedian).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("waiting: busy polling")), qPrintable(tip));
}

void TestWorksheetModel::whatWantsCareIsMarked()
{
    const QDateTime date(QDate(2026, 12, 1), QTime(10, 0), Qt::UTC);
    WorksheetRow one = row(QStringLiteral("a"), {10}, 9.4);
    one.pathMtu = Fact<int>::measured(1'500, Origin::Mine, QStringLiteral("x"), date);
    const auto rate = [&date](double mbps) {
        return Fact<BitRate>::measured(BitRate::megabitsPerSecond(mbps), Origin::Mine,
                                       QStringLiteral("x"), date);
    };
    one.udp = {{Flow::Forward, rate(96), std::nullopt, BitRate::megabitsPerSecond(300),
                Ratio::of(0.68), 4}};
    WorksheetModel model(m_clock);
    model.setRows({one});
    const auto marked = [&model](int column) {
        return model.index(0, column).data(CautionRole).toBool();
    };
    const auto tip = [&model](int column) {
        return model.index(0, column).data(Qt::ToolTipRole).toString();
    };
    QVERIFY(!marked(WorksheetModel::PathMtu) && !marked(WorksheetModel::ForwardBits));
    QVERIFY(marked(WorksheetModel::UdpLost));
    QVERIFY(cell(model, 0, WorksheetModel::UdpLost).contains(QStringLiteral("68")));
    QVERIFY(cell(model, 0, WorksheetModel::UdpArrived).contains(QStringLiteral("of 300")));
    QVERIFY(tip(WorksheetModel::UdpLost).contains(QStringLiteral("run 4")));
    one.isBlackHole = true;
    one.udp[0].lost = Ratio::of(0);
    model.setRows({one});
    QVERIFY(marked(WorksheetModel::PathMtu) && !marked(WorksheetModel::UdpLost));
    QVERIFY(tip(WorksheetModel::PathMtu).contains(QStringLiteral("black hole")));
}

// However narrow the column: its text is shortened where it does not matter.
void TestWorksheetModel::lossStaysInSight()
{
    RunsModel model;
    RecordSummary run = record(3, row(QStringLiteral("a"), {10}, {}));
    run.kind = ProbeKind::UdpThroughput;
    run.forward = BitRate::megabitsPerSecond(96);
    run.offered = BitRate::megabitsPerSecond(300);
    run.lossRatio = Ratio::of(0.68);
    RecordSummary whole = run;
    whole.id = RecordId::create();
    whole.lossRatio = Ratio::of(0);
    model.setRecords({run, whole});
    const QModelIndex index = model.index(0, RunsModel::Headline);
    QVERIFY(index.data(CautionRole).toBool());
    QVERIFY(!model.index(1, RunsModel::Headline).data(CautionRole).toBool());
    const QString tip = index.data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith(index.data().toString()) && tip.contains(QStringLiteral("68")) &&
                 tip.contains(QStringLiteral("of the datagrams")),
             qPrintable(tip));
    const QFontMetrics metrics(qApp->font());
    const QString text = index.data().toString();
    const QString narrow =
        metrics.elidedText(text, Qt::ElideMiddle, metrics.horizontalAdvance(text) * 2 / 3);
    QVERIFY2(narrow.endsWith(QStringLiteral("lost")), qPrintable(narrow));
}

void TestWorksheetModel::columnsGrowWithTheirContents()
{
    WorksheetModel model(m_clock);
    LedgerView view;
    view.setModel(&model);
    model.setRows({row(QStringLiteral("ten"), {10}, 9.4)});
    view.fitColumns();
    const int narrow = view.columnWidth(WorksheetModel::RatedBytes);
    const int name = view.columnWidth(WorksheetModel::Name);
    model.setRows({row(QStringLiteral("a cable with a long name"), {120, 80}, 9.4)});
    view.fitColumns();
    QVERIFY(view.columnWidth(WorksheetModel::RatedBytes) >= narrow);
    const int wide = view.columnWidth(WorksheetModel::Name);
    QVERIFY(wide > name);
    model.setRows({row(QStringLiteral("ten"), {10}, 9.4)});
    view.fitColumns();
    QCOMPARE(view.columnWidth(WorksheetModel::Name), wide); // no jumping to and fro
}

void TestWorksheetModel::machinesHaveAPlaceAmongTheRuns()
{
    RecordSummary link;
    link.number = 1;
    link.id = RecordId::create();
    link.farName = QStringLiteral("192.0.2.7:5201");
    RecordSummary machine;
    machine.number = 2;
    machine.id = RecordId::create();
    machine.kind = ProbeKind::Memory;
    machine.nearName = QStringLiteral("spark-a");
    machine.byteRate = ByteRate::gigabytesPerSecond(240);
    WorksheetRow far;
    far.name = link.farName;
    far.farNames = {link.farName};
    QVERIFY(!WorksheetModel::belongs(machine, WorksheetRow()));

    RunsPane pane;
    pane.show();
    auto* button = [&pane]() -> QToolButton* {
        for (QToolButton* one : pane.findChildren<QToolButton*>()) {
            if (one->text() == QStringLiteral("Machines"))
                return one;
        }
        return nullptr;
    }();
    QVERIFY(button);
    pane.setRecords({link});
    pane.showRow(&far);
    QVERIFY(!button->isVisibleTo(&pane)); // nothing to show
    pane.setRecords({machine, link});
    QVERIFY(button->isVisibleTo(&pane));
    QCOMPARE(pane.model()->rowCount(), 1);
    QCOMPARE(pane.model()->record(0)->number, 1);
    button->click();
    QCOMPARE(pane.model()->rowCount(), 1);
    QCOMPARE(pane.model()->record(0)->number, 2);
    QCOMPARE(pane.model()->index(0, RunsModel::Far).data().toString(), QStringLiteral("spark-a"));
    QVERIFY(pane.model()
                ->index(0, RunsModel::Headline)
                .data()
                .toString()
                .contains(QStringLiteral("240")));
    button->click();
    QCOMPARE(pane.model()->record(0)->number, 1);
    pane.selectRecord(machine.id); // as the result card does
    QCOMPARE(pane.model()->record(0)->number, 2);
}

void TestWorksheetModel::aThousandRowsAreFluid()
{
    WorksheetModel model(m_clock);
    LedgerSorter sorter;
    sorter.setSourceModel(&model);
    LedgerView view;
    view.setModel(&sorter);
    view.resize(1'200, 700);
    view.show();
    std::vector<WorksheetRow> rows;
    for (int i = 0; i < 1'000; ++i)
        rows.push_back(row(QStringLiteral("link %1").arg(i), {10, 8}, 0.01 * ((i * 37) % 1'000)));
    QElapsedTimer timer;
    timer.start();
    model.setRows(rows);
    view.fitColumns();
    view.sortByColumn(WorksheetModel::ForwardBits, Qt::DescendingOrder);
    view.grab();
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(sorter.index(0, WorksheetModel::ForwardBits).data().toString(),
             QStringLiteral("9.99"));
}

QTEST_MAIN(TestWorksheetModel)
#include "tst_worksheetmodel.moc"
