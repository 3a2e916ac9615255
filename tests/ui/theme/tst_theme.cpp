// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace napkin;

namespace {

double luminance(const QColor& c)
{
    const auto linear = [](double v) {
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyRoleReadsOnItsGround();
    void wordsOnButtonsAndSelectionsRead();
    void seriesAreToldFromTheGround();
    void iconsAreInkInThePalettesColour();
    void appearanceIsApplied();
    void anEmptyBoxIsSeenInTheDark();
    void theButtonThatIsTakenIsSeen();
};

void TestTheme::everyRoleReadsOnItsGround()
{
    for (const bool dark : {false, true}) {
        const QPalette p = themePalette(dark);
        QCOMPARE(isDark(p), dark);
        for (const auto role : {ColorRole::Text, ColorRole::Secondary, ColorRole::Accent,
                                ColorRole::Measured, ColorRole::Modelled, ColorRole::Assumed,
                                ColorRole::Rated, ColorRole::Problem, ColorRole::Caution}) {
            for (const auto behind : {ColorRole::Ground, ColorRole::Surface}) {
                const double ratio = contrast(themeColor(role, p), themeColor(behind, p));
                QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("role %1 on %2, dark %3: %4")
                                                      .arg(int(role))
                                                      .arg(int(behind))
                                                      .arg(dark)
                                                      .arg(ratio)));
            }
        }
    }
}

void TestTheme::wordsOnButtonsAndSelectionsRead()
{
    for (const bool dark : {false, true}) {
        const QPalette p = themePalette(dark);
        QVERIFY(contrast(p.color(QPalette::ButtonText), p.color(QPalette::Button)) >= 4.5);
        QVERIFY(contrast(p.color(QPalette::HighlightedText), p.color(QPalette::Highlight)) >= 4.5);
        QVERIFY(contrast(p.color(QPalette::ToolTipText), p.color(QPalette::ToolTipBase)) >= 4.5);
        QVERIFY(contrast(p.color(QPalette::PlaceholderText), p.color(QPalette::Base)) >= 4.5);
        QVERIFY(contrast(p.color(QPalette::Link), p.color(QPalette::Window)) >= 4.5);
    }
}

void TestTheme::seriesAreToldFromTheGround()
{
    for (const bool dark : {false, true}) {
        const QPalette p = themePalette(dark);
        for (int n = 0; n < 6; ++n)
            QVERIFY(contrast(seriesColor(n, p), themeColor(ColorRole::Ground, p)) >= 3.0);
        for (const auto behind : {ColorRole::Ground, ColorRole::Surface})
            QVERIFY(contrast(themeColor(ColorRole::Outline, p), themeColor(behind, p)) >= 3.0);
        QCOMPARE(seriesColor(6, p), seriesColor(0, p));
        QCOMPARE(seriesColor(-1, p), seriesColor(5, p));
    }
}

void TestTheme::iconsAreInkInThePalettesColour()
{
    QVERIFY(themeIcon(u"no-such-icon").isNull());
    for (const auto* name : {"napkin", "measure", "worksheet", "select", "machine", "cable",
                             "zoom-fit", "zoom-in", "zoom-out", "undo", "redo", "play", "stop",
                             "copy", "search", "card", "close", "inspector", "caution"}) {
        for (const bool dark : {false, true}) {
            const QPalette p = themePalette(dark);
            const QIcon icon = themeIcon(QString::fromLatin1(name), p);
            QVERIFY2(!icon.isNull(), name);
            const QImage image = icon.pixmap(QSize(48, 48)).toImage();
            int inked = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QColor c = image.pixelColor(x, y);
                    if (c.alpha() > 250 && c.rgb() == p.color(QPalette::WindowText).rgb())
                        ++inked;
                }
            }
            QVERIFY2(inked > 20, name);
        }
    }
    QVERIFY(!themeIcon(u"napkin-app").isNull());
}

void TestTheme::appearanceIsApplied()
{
    QCOMPARE(appearanceFromName(appearanceName(Appearance::Dark)), Appearance::Dark);
    QCOMPARE(appearanceFromName(u"nonsense"), Appearance::System);
    applyAppearance(*qApp, Appearance::Dark);
    QVERIFY(isDark(QApplication::palette()));
    const QColor before = themeIcon(u"stop").pixmap(QSize(32, 32)).toImage().pixelColor(16, 8);
    applyAppearance(*qApp, Appearance::Light);
    QVERIFY(!isDark(QApplication::palette()));
    const QColor after = themeIcon(u"stop").pixmap(QSize(32, 32)).toImage().pixelColor(16, 8);
    QVERIFY(before != after);
    applyAppearance(*qApp, Appearance::System);
    QVERIFY(!isDark(QApplication::palette()));
}

// Its border is all there is of it: 3:1 at least (WCAG 2.1, 1.4.11).
void TestTheme::anEmptyBoxIsSeenInTheDark()
{
    applyAppearance(*qApp, Appearance::Dark);
    QCheckBox box(QStringLiteral("x"));
    box.resize(box.sizeHint());
    const QImage image = box.grab().toImage();
    const QColor ground = box.palette().color(QPalette::Window);
    double best = 1;
    for (int x = 0; x < 8; ++x)
        best = std::max(best, contrast(image.pixelColor(x, image.height() / 2), ground));
    QVERIFY2(best >= 3, qPrintable(QString::number(best)));
    applyAppearance(*qApp, Appearance::Light);
}

void TestTheme::theButtonThatIsTakenIsSeen()
{
    for (const Appearance look : {Appearance::Light, Appearance::Dark}) {
        applyAppearance(*qApp, look);
        QToolButton button;
        button.setText(QStringLiteral("Histogram"));
        button.setCheckable(true);
        button.resize(button.sizeHint());
        const QImage before = button.grab().toImage();
        button.setChecked(true);
        const QImage after = button.grab().toImage();
        const QColor accent = themeColor(ColorRole::Accent, button.palette());
        const auto isBordered = [&accent](const QImage& image) {
            const QColor edge = image.pixelColor(0, image.height() / 2);
            return contrast(edge, accent) < 1.2;
        };
        QVERIFY(!isBordered(before) && isBordered(after));
    }
    applyAppearance(*qApp, Appearance::Light);
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
