// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shared/translation.h"
#include "ui/widgets/farendcard.h"
#include "ui/widgets/reltime.h"
#include "ui/widgets/taskstrip.h"
#include "ui/window/gotobox.h"

#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace napkin;

class TestGoTo : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fuzzyFindsLettersInOrder();
    void boxGoesWhereEnterSays();
    void stripShowsWhatRuns();
    void cardCarriesThePort();
    void pluralsAreEnglish();
};

void TestGoTo::fuzzyFindsLettersInOrder()
{
    QVERIFY(fuzzyScore(u"", u"anything").has_value());
    QVERIFY(fuzzyScore(u"spb", u"spark-b").has_value());
    QVERIFY(!fuzzyScore(u"bs", u"spark-b").has_value());
    QVERIFY(*fuzzyScore(u"spark", u"spark-b") > *fuzzyScore(u"spark", u"some paper ark"));
    QVERIFY(*fuzzyScore(u"mw", u"Measure window") > *fuzzyScore(u"mw", u"farmwork"));
}

void TestGoTo::boxGoesWhereEnterSays()
{
    QWidget window;
    window.resize(900, 600);
    window.show();
    GoToBox box(&window);
    QString gone;
    const auto item = [&gone](const QString& title) {
        return GoToItem{title, QStringLiteral("machine"), {}, [&gone, title] { gone = title; }};
    };
    box.open({item(QStringLiteral("spark-a")), item(QStringLiteral("spark-b")),
              item(QStringLiteral("Worksheet"))});
    QCOMPARE(box.shown().size(), 3);
    auto* query = box.findChild<QLineEdit*>();
    QTest::keyClicks(query, QStringLiteral("spark"));
    QCOMPARE(box.shown().size(), 2);
    QTest::keyClick(query, Qt::Key_Down);
    QTest::keyClick(query, Qt::Key_Return);
    QCOMPARE(gone, QStringLiteral("spark-b"));
    QVERIFY(!box.isVisible());
    box.open({item(QStringLiteral("x"))});
    QTest::keyClicks(query, QStringLiteral("zzz"));
    QVERIFY(box.shown().isEmpty());
    QTest::keyClick(query, Qt::Key_Return); // nothing there: nothing happens
    QTest::keyClick(query, Qt::Key_Escape);
    QVERIFY(!box.isVisible());
}

void TestGoTo::stripShowsWhatRuns()
{
    TaskStrip strip;
    QVERIFY(strip.isHidden());
    const int first = strip.addTask(QStringLiteral("one"));
    const int second = strip.addTask(QStringLiteral("two"));
    QVERIFY(!strip.isHidden());
    const int two = strip.height();
    strip.setProgress(first, QStringLiteral("measuring"), 0.5);
    QCOMPARE(strip.findChild<QProgressBar*>()->value(), 500);
    QSignalSpy cancelled(&strip, &TaskStrip::cancelRequested);
    strip.findChild<QPushButton*>()->click();
    QCOMPARE(cancelled.size(), 1);
    QCOMPARE(cancelled.front().front().toInt(), first);
    strip.removeTask(first);
    strip.removeTask(first);
    QVERIFY(strip.height() < two);
    QCOMPARE(strip.taskCount(), 1);
    strip.removeTask(second);
    QVERIFY(strip.isHidden());
}

void TestGoTo::cardCarriesThePort()
{
    FarEndCard card;
    card.setPort(5202);
    const QString all = card.lines().join(QLatin1Char('\n'));
    QVERIFY(all.contains(QStringLiteral("iperf3 --server --port 5202")));
    QVERIFY(all.contains(QStringLiteral("napkin-cli serve --port 5202")));
    QVERIFY(all.contains(QStringLiteral("ufw allow 5202/tcp")));
    QVERIFY(all.contains(QStringLiteral("localport=5202")));
    QVERIFY(!all.contains(QStringLiteral("5201")));
    QVERIFY(!all.contains(QStringLiteral("%1")));
}

void TestGoTo::pluralsAreEnglish()
{
    installTranslations(*qApp);
    const QDateTime now(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    QCOMPARE(relativeTime(now.addDays(-1), now), QStringLiteral("1 day ago"));
    QCOMPARE(relativeTime(now.addDays(-3), now), QStringLiteral("3 days ago"));
}

QTEST_MAIN(TestGoTo)
#include "tst_goto.moc"
