// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTest>

// What the built programs link, directly and through others: the headless one must run on a machine
// without Qt's graphical libraries.
class TestLinkage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theHeadlessProgramLinksNothingGraphical();
    void theCheckSeesGraphicalLibraries();

private:
    static QString librariesOf(const QString& program)
    {
        QProcess ldd;
        ldd.start(QStringLiteral("ldd"), {program});
        if (!ldd.waitForFinished() || ldd.exitCode() != 0)
            return {};
        return QString::fromLocal8Bit(ldd.readAllStandardOutput());
    }
};

void TestLinkage::theHeadlessProgramLinksNothingGraphical()
{
    const QString libraries = librariesOf(QStringLiteral(NAPKIN_CLI));
    QVERIFY2(libraries.contains(u"libQt6Core"), qPrintable(libraries));
    for (const char* library : {"libQt6Gui", "libQt6Widgets", "libQt6Charts", "libQt6Svg", "libX11",
                                "libxcb", "libwayland", "libEGL", "libGL."})
        QVERIFY2(!libraries.contains(QLatin1StringView(library)), library);
}

void TestLinkage::theCheckSeesGraphicalLibraries()
{
    const QString gui = QStringLiteral(NAPKIN_GUI);
    QVERIFY2(!gui.isEmpty(), "napkin is not built");
    QVERIFY(librariesOf(gui).contains(u"libQt6Gui"));
}

QTEST_GUILESS_MAIN(TestLinkage)
#include "tst_linkage.moc"
