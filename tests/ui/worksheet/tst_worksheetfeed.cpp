// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/notebook/notebookfixture.h"
#include "ui/worksheet/worksheetfeed.h"

#include <QSignalSpy>
#include <QTest>

using namespace napkin;
using namespace napkin::test;

// The window and the command line may have one notebook open at the same time.
class TestWorksheetFeed : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatAnotherProgramWritesIsShown();
    void nothingNewIsNotReadAgain();

private:
    QTemporaryDir m_dir;
    Catalogue m_catalogue;
};

void TestWorksheetFeed::whatAnotherProgramWritesIsShown()
{
    const QString path = m_dir.filePath(QStringLiteral("a.napkin"));
    const auto own = openNotebook(path);
    const auto result = throughputResult(BitRate::megabitsPerSecond(941));
    recordIn(*own, result);
    WorksheetFeed feed(own.get(), &m_catalogue);
    feed.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(feed.records().size(), std::size_t(1), 5'000);
    const auto other = openNotebook(path);
    QVERIFY(sync(other->setLabel(result.id, QStringLiteral("jumbo frames"))));
    QTRY_COMPARE_WITH_TIMEOUT(feed.records().front().label, QStringLiteral("jumbo frames"), 10'000);
    recordIn(*other, throughputResult(BitRate::megabitsPerSecond(500)));
    QTRY_COMPARE_WITH_TIMEOUT(feed.records().size(), std::size_t(2), 10'000);
}

void TestWorksheetFeed::nothingNewIsNotReadAgain()
{
    const auto own = openNotebook(m_dir.filePath(QStringLiteral("b.napkin")));
    WorksheetFeed feed(own.get(), &m_catalogue);
    QSignalSpy changed(&feed, &WorksheetFeed::changed);
    feed.refresh();
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, 5'000);
    recordIn(*own, throughputResult(BitRate::megabitsPerSecond(941)));
    QTRY_VERIFY_WITH_TIMEOUT(feed.records().size() == 1, 5'000);
    const auto seen = changed.size();
    QTest::qWait(3 * static_cast<int>(WorksheetFeed::lookEvery.count()));
    QCOMPARE(changed.size(), seen);
}

QTEST_MAIN(TestWorksheetFeed)
#include "tst_worksheetfeed.moc"
