// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTest>

namespace {

struct Outcome
{
    int code = -1;
    QByteArray out;
    QByteArray err;
};

// On a machine without any display.
Outcome runProgram(const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
        environment.remove(QString::fromLatin1(name));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(NAPKIN_GUI), arguments);
    Outcome outcome;
    if (!process.waitForFinished(20'000))
        return outcome;
    if (process.exitStatus() == QProcess::NormalExit)
        outcome.code = process.exitCode();
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

} // namespace

// The program as it is started, without a display.
class TestProgram : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void helpNeedsNoDisplay()
    {
        for (const char* word : {"--help", "-h"}) {
            const Outcome outcome = runProgram({QString::fromLatin1(word)});
            QCOMPARE(outcome.code, 0);
            QVERIFY2(outcome.out.contains("--save-pictures <folder>"), outcome.out.constData());
            QCOMPARE(outcome.err, QByteArray());
        }
    }
    void versionNeedsNoDisplay()
    {
        for (const char* word : {"--version", "-v"}) {
            const Outcome outcome = runProgram({QString::fromLatin1(word)});
            QCOMPARE(outcome.code, 0);
            QCOMPARE(outcome.out, QByteArray("napkin " NAPKIN_VERSION "\n"));
            QCOMPARE(outcome.err, QByteArray());
        }
    }
    void withoutDisplayItSaysSo()
    {
        const Outcome outcome = runProgram({});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.startsWith("There is no display to show the window on."),
                 outcome.err.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
    }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
