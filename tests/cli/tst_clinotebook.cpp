// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace napkin::test;
using nlohmann::json;

// What stands in the notebook, read and annotated through the real program.
class TestCliNotebook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void firstUseIsNoFault();
    void list();
    void show();
    void showUnknown();
    void worksheet();
    void worksheetCsv();
    void annotations();
    void optionsBeforeTheCommand();
    void germanNumbers();
    void plainAscii();
    void verifyIntact();
    void verifyDamaged();
    void verifyWithoutTables();
    void noHome();
    void fitsTheTerminal_data();
    void fitsTheTerminal();
    void notANotebook();
    void missingNotebook();
    void unwritableNotebook();
    void path();

private:
    [[nodiscard]] CliOutcome run(const QStringList& words,
                                 const QStringList& environment = {}) const
    {
        return runCli(words + QStringList{QStringLiteral("--notebook"), m_notebook}, environment);
    }
    [[nodiscard]] json document(const QStringList& words) const
    {
        return run(words + QStringList{QStringLiteral("--json")})
            .document()
            .value_or(json::object());
    }

    QTemporaryDir m_folder;
    QString m_notebook;
};

// The demonstration, in a folder that is not there yet, is what the other tests read.
void TestCliNotebook::initTestCase()
{
    m_notebook = m_folder.filePath(QStringLiteral("new/folder/lab.napkin"));
    const auto demo = run({QStringLiteral("demo"), QStringLiteral("--time"), QStringLiteral("1")});
    QVERIFY2(demo.code == 0, demo.err.constData());
    for (const char* part : {"Loopback is no link", "demo on loopback", "Forward", "127.0.0.1"})
        QVERIFY2(demo.out.contains(part), demo.out.constData());
    QVERIFY(QFile::exists(m_notebook));
}

void TestCliNotebook::firstUseIsNoFault()
{
    const QStringList home{QStringLiteral("XDG_DATA_HOME=") +
                           m_folder.filePath(QStringLiteral("x"))};
    for (const auto& [command, words] :
         {std::pair("list", "Nothing is recorded yet"),
          std::pair("worksheet", "No link is drawn or measured yet")}) {
        const auto outcome = runCli({QString::fromLatin1(command)}, home);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains(words), outcome.out.constData());
    }
    QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("x"))));
}

void TestCliNotebook::list()
{
    const json records = document({QStringLiteral("list")}).at("records");
    QCOMPARE(records.size(), size_t(3));
    QCOMPARE(records.at(0).at("number").get<int>(), 3);
    QCOMPARE(records.at(0).at("kind").get<std::string>(), std::string("connect"));
    QCOMPARE(records.at(2).at("flow").get<std::string>(), std::string("forward"));
    const auto text = run({QStringLiteral("list"), QStringLiteral("--limit"), QStringLiteral("1")});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains("connect"));
    QVERIFY(!text.out.contains("forward"));
    const auto unknown =
        run({QStringLiteral("list"), QStringLiteral("--link"), QStringLiteral("attic")});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("The link “attic” was not found."), unknown.err.constData());
}

void TestCliNotebook::show()
{
    const auto text =
        run({QStringLiteral("show"), QStringLiteral("1"), QStringLiteral("--samples")});
    QCOMPARE(text.code, 0);
    for (const char* part : {"Record 1", "Measured", "Options", "This end", "Far end", "As kept",
                             "SHA-256", "Samples", "128 KiB", "complete"})
        QVERIFY2(QString::fromUtf8(text.out)
                     .replace(QChar(0x00a0), u' ')
                     .contains(QString::fromLatin1(part)),
                 text.out.constData());
    const json record = document({QStringLiteral("show"), QStringLiteral("1")}).at("record");
    const QString id = QString::fromStdString(record.at("id").get<std::string>());
    const json again = document({QStringLiteral("show"), id.left(12)}).at("record");
    QCOMPARE(again.at("number").get<int>(), 1);
    QVERIFY(record.at("result").at("data").dump().size() > 100);
    const auto connect =
        run({QStringLiteral("show"), QStringLiteral("3"), QStringLiteral("--samples")});
    QCOMPARE(connect.code, 0);
    QVERIFY(connect.out.contains("Median"));
}

void TestCliNotebook::showUnknown()
{
    const auto outcome = run({QStringLiteral("show"), QStringLiteral("99")});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("napkin-cli list shows the numbers"), outcome.err.constData());
}

void TestCliNotebook::worksheet()
{
    const auto text = run({QStringLiteral("worksheet")});
    QCOMPARE(text.code, 0);
    for (const char* part : {"Forward", "Reverse", "127.0.0.1", " M", "R rated, M measured"})
        QVERIFY2(text.out.contains(part), text.out.constData());
    const json rows = document({QStringLiteral("worksheet")}).at("rows");
    QVERIFY(!rows.empty());
    QCOMPARE(rows.at(0).at("forward").at("provenance").get<std::string>(), std::string("measured"));
}

void TestCliNotebook::worksheetCsv()
{
    const auto outcome = run({QStringLiteral("worksheet"), QStringLiteral("--csv")});
    QCOMPARE(outcome.code, 0);
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QVERIFY(lines.size() >= 2);
    const auto fields = [](const QByteArray& line) {
        static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\""));
        return QString::fromUtf8(line).remove(quoted).count(u',');
    };
    QCOMPARE(fields(lines.at(0)), fields(lines.at(1)));
}

void TestCliNotebook::annotations()
{
    QCOMPARE(run({QStringLiteral("label"), QStringLiteral("1"), QStringLiteral("old"),
                  QStringLiteral("cable")})
                 .code,
             0);
    QCOMPARE(run({QStringLiteral("note"), QStringLiteral("1"), QStringLiteral("seen twice")}).code,
             0);
    const json record = document({QStringLiteral("void"), QStringLiteral("1"),
                                  QStringLiteral("--reason"), QStringLiteral("wrong port")})
                            .at("record");
    QCOMPARE(record.at("label").get<std::string>(), std::string("old cable"));
    QCOMPARE(record.at("notes").at(0).get<std::string>(), std::string("seen twice"));
    QCOMPARE(record.at("voided").get<std::string>(), std::string("wrong port"));
    const auto list = run({QStringLiteral("list")});
    QVERIFY2(list.out.contains("voided"), list.out.constData());
    const auto empty = run({QStringLiteral("note"), QStringLiteral("1"), QStringLiteral(" ")});
    QCOMPARE(empty.code, 2);
}

void TestCliNotebook::optionsBeforeTheCommand()
{
    const auto outcome = runCli({QStringLiteral("--notebook"), m_notebook, QStringLiteral("--json"),
                                 QStringLiteral("list")});
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.document().has_value());
    QCOMPARE(outcome.document()->at("records").size(), size_t(3));
}

void TestCliNotebook::germanNumbers()
{
    const QStringList german{QStringLiteral("LC_ALL=de_DE.UTF-8")};
    const auto text = run({QStringLiteral("show"), QStringLiteral("2")}, german);
    QCOMPARE(text.code, 0);
    QCOMPARE(text.err, QByteArray());
    QVERIFY2(text.out.contains(','), text.out.constData());
    const auto here = run({QStringLiteral("worksheet"), QStringLiteral("--csv")}, german);
    const auto there = run({QStringLiteral("worksheet"), QStringLiteral("--csv")});
    QCOMPARE(here.out, there.out);
}

void TestCliNotebook::plainAscii()
{
    const auto text =
        run({QStringLiteral("show"), QStringLiteral("2")}, {QStringLiteral("LC_ALL=C")});
    QCOMPARE(text.code, 0);
    QCOMPARE(text.err, QByteArray());
    for (const char c : text.out)
        QVERIFY2(static_cast<unsigned char>(c) < 0x80, text.out.constData());
}

void TestCliNotebook::verifyIntact()
{
    const auto outcome = run({QStringLiteral("notebook"), QStringLiteral("verify")});
    QVERIFY2(outcome.code == 0, outcome.out.constData());
    QVERIFY(outcome.out.contains("3 runs checked, no problem found"));
}

void TestCliNotebook::verifyDamaged()
{
    const QString damaged = m_folder.filePath(QStringLiteral("damaged.napkin"));
    QVERIFY(QFile::copy(m_notebook, damaged));
    QFile file(damaged);
    QVERIFY(file.open(QIODevice::ReadWrite));
    for (qint64 at = 4096; at + 512 < file.size(); at += 2048) {
        file.seek(at + 256);
        file.write(QByteArray(256, 'x'));
    }
    file.close();
    const auto outcome = runCli({QStringLiteral("notebook"), QStringLiteral("verify"),
                                 QStringLiteral("--notebook"), damaged, QStringLiteral("--json")});
    QVERIFY2(outcome.code == 6 || outcome.code == 5, outcome.out.constData());
    QVERIFY(outcome.document().has_value());
    QCOMPARE(outcome.document()->at("ok").get<bool>(), false);
}

void TestCliNotebook::verifyWithoutTables()
{
    const QString broken = m_folder.filePath(QStringLiteral("broken.napkin"));
    QVERIFY(QFile::copy(m_notebook, broken));
    QFile file(broken);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray content = file.readAll();
    content.replace("CREATE TABLE notebook", "CREATE TABLE notabook");
    QVERIFY(file.seek(0));
    QCOMPARE(file.write(content), content.size());
    file.close();
    const auto outcome = runCli({QStringLiteral("notebook"), QStringLiteral("verify"),
                                 QStringLiteral("--notebook"), broken});
    QCOMPARE(outcome.code, 5);
    QVERIFY2(outcome.err.contains("is damaged."), outcome.err.constData());
    QVERIFY2(outcome.err.contains("go on with a backup"), outcome.err.constData());
    QVERIFY2(outcome.err.contains(".recover"), outcome.err.constData());
    QVERIFY(!outcome.err.contains("notebook verify says"));
}

void TestCliNotebook::noHome()
{
    const QStringList homeless{QStringLiteral("HOME="), QStringLiteral("XDG_DATA_HOME=")};
    for (const char* line : {"list", "worksheet", "notebook path", "notebook verify", "show 1",
                             "label 1 x", "demo --time 1", "measure throughput 127.0.0.1"}) {
        const auto outcome = runCli(QString::fromLatin1(line).split(u' '), homeless);
        QVERIFY2(outcome.code == 2, line);
        QVERIFY2(outcome.err.contains("Your own notebook cannot be used."),
                 outcome.err.constData());
        QVERIFY2(outcome.err.contains("et HOME, or name a file with --notebook FILE"),
                 outcome.err.constData());
    }
    QCOMPARE(runCli({QStringLiteral("classes")}, homeless).code, 0);
    QCOMPARE(run({QStringLiteral("list")}, homeless).code, 0);
}

void TestCliNotebook::fitsTheTerminal_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("columns");
    for (const char* line : {"list", "worksheet", "show 1", "show 3", "classes", "demo --time 1"}) {
        for (const int columns : {60, 80})
            QTest::addRow("%s, %d columns", line, columns) << QString::fromLatin1(line) << columns;
    }
}

void TestCliNotebook::fitsTheTerminal()
{
    QFETCH(QString, line);
    QFETCH(int, columns);
    QStringList words = line.split(u' ');
    const QString copy = m_folder.filePath(QStringLiteral("n%1.napkin").arg(columns));
    QFile::remove(copy);
    QVERIFY(QFile::copy(m_notebook, copy));
    words << QStringLiteral("--notebook") << QDir().relativeFilePath(copy);
    const auto outcome = runCliOnTerminal(words, columns);
    QCOMPARE(outcome.code, 0);
    QVERIFY(!outcome.out.isEmpty());
    for (const QByteArray& shown : outcome.out.split('\n')) {
        const QString text = QString::fromUtf8(shown);
        const bool isOneWord = text.trimmed().size() > columns - 20 &&
                               !text.simplified().section(u' ', 1).contains(u' ');
        QVERIFY2(text.size() <= columns || isOneWord, qPrintable(text)); // a path, a hash
    }
}

void TestCliNotebook::notANotebook()
{
    const QString path = m_folder.filePath(QStringLiteral("letter.napkin"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("Dear notebook, ").repeated(500));
    file.close();
    const auto outcome = runCli({QStringLiteral("list"), QStringLiteral("--notebook"), path});
    QCOMPARE(outcome.code, 5);
    QVERIFY2(outcome.err.contains("is not a Napkin notebook"), outcome.err.constData());
}

void TestCliNotebook::missingNotebook()
{
    const QString path = m_folder.filePath(QStringLiteral("none.napkin"));
    const auto outcome = runCli({QStringLiteral("list"), QStringLiteral("--notebook"), path});
    QCOMPARE(outcome.code, 5);
    QVERIFY2(outcome.err.contains("none.napkin"), outcome.err.constData());
    QVERIFY(!QFile::exists(path));
}

void TestCliNotebook::unwritableNotebook()
{
    const auto outcome =
        runCli({QStringLiteral("measure"), QStringLiteral("throughput"),
                QStringLiteral("127.0.0.1"), QStringLiteral("--json"), QStringLiteral("--notebook"),
                QStringLiteral("/proc/no-such-folder/lab.napkin")});
    QCOMPARE(outcome.code, 5);
    QVERIFY(outcome.document().has_value());
}

void TestCliNotebook::path()
{
    const auto outcome = run({QStringLiteral("notebook"), QStringLiteral("path")});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.out, m_notebook.toUtf8() + '\n');
}

QTEST_GUILESS_MAIN(TestCliNotebook)
#include "tst_clinotebook.moc"
