// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/arch/sourcerules.h"

#include <QTest>

using namespace napkin::test;

// What every source file has to keep to, whatever is in it.
class TestSources : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySourceNamesItsLicence();
    void noSourceIsTooLong();
    void theProductCallsNothingBanned();
    void commentsAndLiteralsAreNoCode();
    void aBannedCallIsFound_data();
    void aBannedCallIsFound();
    void whatIsAllowedPasses_data();
    void whatIsAllowedPasses();
    void aMissingLicenceIsFound();
    void aLongFileIsFound();

private:
    static std::vector<SourceFile> sources(const QStringList& folders, const QStringList& endings)
    {
        return readSources(QStringLiteral(NAPKIN_SOURCE_DIR), folders, endings);
    }
    const QStringList m_code{QStringLiteral("app"), QStringLiteral("core"), QStringLiteral("ui"),
                             QStringLiteral("tests")};
    const QStringList m_cpp{QStringLiteral(".h"), QStringLiteral(".cpp")};
};

namespace {

QString oneALine(const QStringList& faults)
{
    return faults.join(u'\n');
}

} // namespace

void TestSources::everySourceNamesItsLicence()
{
    QStringList faults;
    for (const SourceFile& file :
         sources(m_code + QStringList{QStringLiteral("packaging"), QStringLiteral(".ci")},
                 m_cpp + QStringList{QStringLiteral("/CMakeLists.txt"), QStringLiteral(".cmake"),
                                     QStringLiteral(".sh"), QStringLiteral("/run")}))
        faults += licenceFaults(file);
    QVERIFY2(faults.isEmpty(), qPrintable(oneALine(faults)));
}

void TestSources::noSourceIsTooLong()
{
    QStringList faults;
    for (const SourceFile& file : sources(m_code, m_cpp))
        faults += lengthFaults(file);
    QVERIFY2(faults.isEmpty(), qPrintable(oneALine(faults)));
}

void TestSources::theProductCallsNothingBanned()
{
    QStringList faults;
    for (const SourceFile& file : sources(m_code, m_cpp))
        faults += bannedCalls(file);
    QVERIFY2(faults.isEmpty(), qPrintable(oneALine(faults)));
}

void TestSources::commentsAndLiteralsAreNoCode()
{
    const QString code =
        QStringLiteral("a; // x\n\"y\\\"z\" b /* c\nd */ e 'f' 1'000 R\"(g\"h)\" i");
    const QString clean = withoutCommentsAndLiterals(code);
    QCOMPARE(clean.size(), code.size());
    QCOMPARE(clean.count(u'\n'), 2);
    QCOMPARE(clean.simplified(), QStringLiteral("a; b e 1'000 i"));
}

void TestSources::aBannedCallIsFound_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* path, const char* code) {
        QTest::newRow(code) << QString::fromLatin1(path) << QString::fromLatin1(code);
    };
    row("ui/a.cpp", "QCoreApplication::processEvents();");
    row("core/base/a.cpp", "QEventLoop loop;");
    row("app/cli/main.cpp", "QCoro::waitFor(task());");
    row("core/measure/a.cpp", "socket.waitForConnected(100);");
    row("core/measure/a.cpp", "Registry::instance().find();");
    row("ui/a.cpp", "qFatal(\"no\");");
    row("ui/a.cpp", "if (dialog.exec() == QDialog::Accepted)");
    row("ui/a.cpp", "menu->exec(QCursor::pos());");
    row("app/gui/services.cpp", "return QApplication::exec();");
}

void TestSources::aBannedCallIsFound()
{
    QFETCH(QString, path);
    QFETCH(QString, code);
    QCOMPARE(bannedCalls({path, code}).size(), 1);
}

void TestSources::whatIsAllowedPasses_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* path, const char* code) {
        QTest::newRow(code) << QString::fromLatin1(path) << QString::fromLatin1(code);
    };
    row("app/gui/main.cpp", "return QApplication::exec();");
    row("core/notebook/store.cpp", "database.exec(\"PRAGMA foreign_keys=ON\");");
    row("core/base/a.h", "// never QEventLoop, never processEvents");
    row("ui/a.cpp", "const auto s = QStringLiteral(\"processEvents\");");
    row("ui/a.cpp", "connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit);");
    row("tests/support/sync.h", "QEventLoop loop;");
}

void TestSources::whatIsAllowedPasses()
{
    QFETCH(QString, path);
    QFETCH(QString, code);
    QCOMPARE(bannedCalls({path, code}), QStringList());
}

void TestSources::aMissingLicenceIsFound()
{
    const QString path = QStringLiteral("core/base/a.cpp");
    QCOMPARE(licenceFaults({path, QStringLiteral("#include <QString>\n")}).size(), 1);
    QCOMPARE(licenceFaults({path, QStringLiteral("// SPDX-License-Identifier: MIT\n")}).size(), 1);
    QCOMPARE(licenceFaults(
                 {path, QStringLiteral("#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n")})
                 .size(),
             0);
}

void TestSources::aLongFileIsFound()
{
    const QString path = QStringLiteral("core/base/a.cpp");
    QCOMPARE(lengthFaults({path, QString(500, u'\n')}).size(), 0);
    QCOMPARE(lengthFaults({path, QString(501, u'\n')}).size(), 1);
}

QTEST_GUILESS_MAIN(TestSources)
#include "tst_sources.moc"
