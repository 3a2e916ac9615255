// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/reltime.h"

#include <QImage>
#include <QTest>

using namespace napkin;

namespace {

QImage picture(Provenance provenance, Origin origin, bool dark)
{
    QImage image(32, 32, QImage::Format_ARGB32);
    const QPalette palette = themePalette(dark);
    image.fill(themeColor(ColorRole::Ground, palette));
    QPainter painter(&image);
    paintBadge(painter, QRectF(0, 0, 32, 32), provenance, origin, palette);
    return image;
}

} // namespace

class TestBadge : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyKindLooksDifferent();
    void textSaysWhy();
    void widgetHasNameAndTooltip();
    void timesAreRelative();
};

void TestBadge::everyKindLooksDifferent()
{
    for (const bool dark : {false, true}) {
        QList<QImage> seen;
        for (const auto p :
             {Provenance::Rated, Provenance::Assumed, Provenance::Modelled, Provenance::Measured}) {
            const QImage image = picture(p, Origin::Mine, dark);
            QVERIFY(!seen.contains(image));
            seen << image;
        }
        for (const auto p : {Provenance::Modelled, Provenance::Measured})
            QVERIFY(picture(p, Origin::Mine, dark) != picture(p, Origin::Published, dark));
        QCOMPARE(picture(Provenance::Rated, Origin::Mine, dark),
                 picture(Provenance::Rated, Origin::Published, dark));
    }
}

void TestBadge::textSaysWhy()
{
    const QDateTime date(QDate(2026, 11, 30), QTime(10, 14, 5), Qt::UTC);
    const QString mine =
        badgeText(Provenance::Measured, Origin::Mine, QStringLiteral("run 12"), date);
    QVERIFY(mine.startsWith(QStringLiteral("Measured, run 12, ")));
    QVERIFY(!mine.contains(QStringLiteral("mine")));
    QVERIFY(badgeText(Provenance::Measured, Origin::Emulated, {}, {})
                .contains(QStringLiteral("emulated")));
    QCOMPARE(badgeText(Provenance::Rated, Origin::Published, QStringLiteral("IEEE 802.3bz"), {}),
             QStringLiteral("Rated, IEEE 802.3bz"));
}

void TestBadge::widgetHasNameAndTooltip()
{
    Badge badge;
    badge.setFact(Provenance::Measured, Origin::Mine, QStringLiteral("Measured, run 3"));
    QCOMPARE(badge.accessibleName(), QStringLiteral("Measured, run 3"));
    QCOMPARE(badge.toolTip(), QStringLiteral("Measured, run 3"));
    badge.clear();
    QVERIFY(badge.toolTip().isEmpty());
}

void TestBadge::timesAreRelative()
{
    const QDateTime now(QDate(2026, 12, 1), QTime(12, 0), Qt::UTC);
    QVERIFY(relativeTime({}, now).isEmpty());
    QCOMPARE(relativeTime(now.addSecs(-5), now), QStringLiteral("just now"));
    QCOMPARE(relativeTime(now.addSecs(-300), now), QStringLiteral("5 min ago"));
    QCOMPARE(relativeTime(now.addSecs(-7'300), now), QStringLiteral("2 h ago"));
    QVERIFY(relativeTime(now.addDays(-3), now).startsWith(QStringLiteral("3 day")));
    QVERIFY(relativeTime(now.addDays(-30), now).contains(QStringLiteral("2026")) ||
            relativeTime(now.addDays(-30), now).contains(QStringLiteral("26")));
    QVERIFY(!relativeTime(now.addDays(1), now).contains(QStringLiteral("ago")));
}

QTEST_MAIN(TestBadge)
#include "tst_badge.moc"
