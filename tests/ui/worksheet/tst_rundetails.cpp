// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/peers/samples.h"
#include "ui/theme/theme.h"
#include "ui/widgets/ledger.h"
#include "ui/worksheet/rundetails.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace napkin;
using namespace napkin::test;

namespace {

const QDateTime noon(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);

Record recordOf(const ProbeResult& run, std::int64_t number)
{
    Record record;
    record.number = number;
    record.result = run;
    return record;
}

QString cell(const ConditionsModel& model, const QString& name, int column)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.index(row, ConditionsModel::What).data().toString() == name &&
            !model.isHeading(row))
            return model.index(row, column).data().toString();
    }
    return {};
}

} // namespace

class TestRunDetails : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void marksAChangedMtu();
    void flagsStandAboveWithTheirReasons();
    void saysWhenItIsNotFiled();
    void findsTheRunBefore();
    void aMachineByItself();
    void theRunBeforeOfAMachine();
    void bothEndsHaveTheSameRoom();
    void aPartialRunSaysWhy();
    void notSureIsSaid();
};

void TestRunDetails::bothEndsHaveTheSameRoom()
{
    RunDetails details(nullptr);
    details.resize(900, 500);
    details.showRecord(recordOf(sampleRun(1'500, noon), 3), nullptr);
    details.show();
    const int near = details.view()->columnWidth(ConditionsModel::Near);
    QVERIFY2(near > 200, qPrintable(QString::number(near)));
    QVERIFY(std::abs(near - details.view()->columnWidth(ConditionsModel::Far)) <= 1);
    QVERIFY(details.view()->columnWidth(ConditionsModel::What) < 300);
}

void TestRunDetails::aPartialRunSaysWhy()
{
    RunDetails details(nullptr);
    ProbeResult run = sampleRun(1'500, noon);
    run.completion = Completion::Partial;
    run.fault = Error{ErrorCode::ConnectionLost, {}, QStringLiteral("spark-b:5201"), nullptr};
    details.showRecord(recordOf(run, 3), nullptr);
    QVERIFY2(details.text().contains(QStringLiteral("Partial: spark-b:5201 closed")),
             qPrintable(details.text()));
}

void TestRunDetails::notSureIsSaid()
{
    RunDetails details(nullptr);
    ProbeResult run = sampleRun(1'500, noon);
    details.showRecord(recordOf(run, 3), nullptr);
    QVERIFY(!details.text().contains(QStringLiteral("was to stop")));
    std::get<ThroughputOptions>(run.spec.options).ending = Ending::WhenSure;
    details.showRecord(recordOf(run, 3), nullptr); // far too few samples to be sure
    QVERIFY2(details.text().contains(QStringLiteral("was to stop")), qPrintable(details.text()));
}

void TestRunDetails::marksAChangedMtu()
{
    applyAppearance(*qApp, Appearance::Light);
    RunDetails details(nullptr);
    const QAbstractItemModelTester tester(details.model());
    const Record before = recordOf(sampleRun(1'500, noon), 11);
    Record now = recordOf(sampleRun(9'000, noon.addDays(1)), 12);
    details.showRecord(now, &before);
    QCOMPARE(cell(*details.model(), QStringLiteral("MTU"), ConditionsModel::Near),
             QStringLiteral("≠ 9,000 B (changed, was 1,500 B)"));
    QCOMPARE(cell(*details.model(), QStringLiteral("MTU"), ConditionsModel::Far),
             QStringLiteral("1,500 B"));
    QCOMPARE(details.model()->changes(), 1);
    QVERIFY(details.text().contains(QStringLiteral("Compared with run 11")));
    QVERIFY(details.view()->selectedText().contains(QStringLiteral("changed, was 1,500 B")));
    details.showRecord(now, nullptr);
    QCOMPARE(details.model()->changes(), 0);
    QVERIFY(details.text().contains(QStringLiteral("no earlier run")));
    QVERIFY(details.text().contains(
        QStringLiteral("spark-a measured towards spark-b, steered from laptop")));
    QSignalSpy closed(&details, &RunDetails::closeRequested);
    details.show();
    details.view()->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&details));
    QTest::keyClick(details.view(), Qt::Key_Escape);
    QCOMPARE(closed.size(), 1);
}

void TestRunDetails::flagsStandAboveWithTheirReasons()
{
    RunDetails details(nullptr);
    ProbeResult run = sampleRun(1'500, noon);
    run.quality = {{QualityFlag::CpuBound, QStringLiteral("near end, 97 % of a core")}};
    details.showRecord(recordOf(run, 3), nullptr);
    QVERIFY(details.text().contains(qualityFlagText(QualityFlag::CpuBound)));
    QVERIFY(details.text().contains(QStringLiteral("near end, 97 % of a core")));
    QVERIFY(details.text().contains(QStringLiteral("Gb/s")));
}

void TestRunDetails::saysWhenItIsNotFiled()
{
    RunDetails details(nullptr);
    ProbeResult run = sampleRun(1'500, noon);
    run.spec.link = LinkId::create();
    details.showRecord(recordOf(run, 3), nullptr);
    QVERIFY(!details.text().contains(QStringLiteral("iled under")));
    run.spec.intendedLink = std::exchange(run.spec.link, std::nullopt);
    run.quality = {{QualityFlag::WrongInterface, QStringLiteral("wlan0 carried 98 %")}};
    details.showRecord(recordOf(run, 3), nullptr);
    QVERIFY(details.text().contains(QStringLiteral("Not filed under its cable")));
}

void TestRunDetails::findsTheRunBefore()
{
    Record record = recordOf(sampleRun(1'500, noon), 9);
    record.result.spec.link = LinkId::create();
    const auto summary = [&](std::int64_t number, std::optional<LinkId> link, int minutes) {
        RecordSummary one;
        one.number = number;
        one.id = number == 9 ? record.result.id : RecordId::create();
        one.link = link;
        one.farName = QStringLiteral("spark-b");
        one.startedAt = noon.addSecs(60 * minutes);
        return one;
    };
    std::vector<RecordSummary> all{summary(10, record.result.spec.link, 5),
                                   summary(9, record.result.spec.link, 0),
                                   summary(8, std::nullopt, -1), summary(7, LinkId::create(), -2)};
    QVERIFY(!runBefore(record, all));
    all.push_back(summary(5, record.result.spec.link, -9));
    all.push_back(summary(6, record.result.spec.link, -4));
    QCOMPARE(runBefore(record, all)->number, 6);
    all.back().voided = QStringLiteral("cable was loose");
    QCOMPARE(runBefore(record, all)->number, 5);
    record.result.spec.intendedLink = std::exchange(record.result.spec.link, std::nullopt);
    QCOMPARE(runBefore(record, all)->number, 5);
    record.result.spec.intendedLink.reset();
    QCOMPARE(runBefore(record, all)->number, 8);
}

void TestRunDetails::aMachineByItself()
{
    RunDetails details(nullptr);
    ProbeResult run = sampleRun(1'500, noon);
    run.spec.far = Endpoint();
    run.conditions.far = HostConditions();
    run.spec.options = MemoryOptions();
    MemoryData data;
    data.arraySize = ByteCount::mebibytes(100);
    data.samples = {{Duration(0), std::chrono::milliseconds(10), false}};
    run.data = data;
    details.showRecord(recordOf(run, 3), nullptr);
    QVERIFY(details.view()->isColumnHidden(ConditionsModel::Far));
    QVERIFY2(details.text().contains(QStringLiteral("spark-a by itself, steered from laptop")),
             qPrintable(details.text()));
    QVERIFY(!details.text().contains(QStringLiteral("iled under")));
    QVERIFY(details.text().contains(QStringLiteral("GB/s")));
    QCOMPARE(cell(*details.model(), QStringLiteral("MTU"), ConditionsModel::Near), QString());
    details.showRecord(recordOf(sampleRun(1'500, noon), 4), nullptr);
    QVERIFY(!details.view()->isColumnHidden(ConditionsModel::Far));
}

void TestRunDetails::theRunBeforeOfAMachine()
{
    Record record = recordOf(sampleRun(1'500, noon), 9);
    record.result.spec.options = MemoryOptions();
    const auto summary = [&](std::int64_t number, ProbeKind kind, const char* near, int minutes) {
        RecordSummary one;
        one.number = number;
        one.id = number == 9 ? record.result.id : RecordId::create();
        one.kind = kind;
        one.nearName = QString::fromLatin1(near);
        one.startedAt = noon.addSecs(60 * minutes);
        return one;
    };
    const std::vector<RecordSummary> all{
        summary(9, ProbeKind::Memory, "spark-a", 0), summary(8, ProbeKind::Storage, "spark-a", -1),
        summary(7, ProbeKind::Memory, "spark-b", -2), summary(6, ProbeKind::Memory, "spark-a", -3)};
    QCOMPARE(runBefore(record, all)->number, 6);
}

QTEST_MAIN(TestRunDetails)
#include "tst_rundetails.moc"
