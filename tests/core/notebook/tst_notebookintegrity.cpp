// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/recordrow.h"
#include "tests/core/notebook/notebookfixture.h"

#include <QProcess>
#include <QTest>

#include <random>
#include <set>

using namespace napkin;
using namespace napkin::test;
using namespace std::chrono_literals;

namespace {

const BitRate rate = BitRate::megabitsPerSecond(941);

constexpr const char* unlock = "DROP TRIGGER record_no_update; DROP TRIGGER record_no_delete;";

// The whole lines that the writer printed: the numbers it was told.
std::vector<std::int64_t> acknowledged(const QByteArray& output)
{
    std::vector<std::int64_t> numbers;
    const QList<QByteArray> lines = output.split('\n');
    for (qsizetype i = 0; i + 1 < lines.size(); ++i)
        numbers.push_back(lines[i].toLongLong());
    return numbers;
}

} // namespace

class TestNotebookIntegrity : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("test.napkin"));
        m_notebook = openNotebook(m_path);
    }
    void cleanup() { m_notebook.reset(); }

    void onlyEverAddedTo_data()
    {
        QTest::addColumn<QByteArray>("sql");
        const char* statements[] = {
            "UPDATE record SET label = 'x'",
            "UPDATE record SET number = 7",
            "DELETE FROM record",
            "INSERT OR REPLACE INTO record SELECT * FROM record",
            R"(CREATE TEMP TABLE copy AS SELECT * FROM record; UPDATE copy SET number = NULL;
               REPLACE INTO record SELECT * FROM copy)",
            "UPDATE label SET text = 'x'",
            "DELETE FROM label",
            "REPLACE INTO label SELECT * FROM label",
            "UPDATE note SET text = 'x'",
            "DELETE FROM note",
            "REPLACE INTO note SELECT * FROM note",
            "UPDATE voiding SET reason = 'x'",
            "DELETE FROM voiding",
            "REPLACE INTO voiding SELECT NULL, record, 'x', at FROM voiding",
            "UPDATE link_period SET class = 'x'",
            "DELETE FROM link_period",
            "REPLACE INTO link_period SELECT NULL, id, link, 'x', started_at FROM link_period",
            "DELETE FROM link",
        };
        for (const char* statement : statements)
            QTest::newRow(statement) << QByteArray(statement);
    }
    void onlyEverAddedTo()
    {
        QFETCH(QByteArray, sql);
        const auto link = sync(m_notebook->createLink(QStringLiteral("blue"), {}));
        auto result = throughputResult(rate);
        result.spec.link = link->id;
        recordIn(*m_notebook, result);
        QVERIFY(sync(m_notebook->setLabel(result.id, QStringLiteral("l"))));
        QVERIFY(sync(m_notebook->addNote(result.id, QStringLiteral("n"))));
        QVERIFY(sync(m_notebook->voidRecord(result.id, QStringLiteral("v"))));
        auto db = rawDatabase(m_path);
        const QString refusal = refusalOf(db, sql.constData());
        QVERIFY2(refusal.contains(QStringLiteral("never")), qPrintable(refusal));
        const auto loaded = sync(m_notebook->load(result.id));
        QCOMPARE(loaded->result, result);
        QCOMPARE(loaded->label, QStringLiteral("l"));
    }

    void verifyFinds_data()
    {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QString>("found");
        QTest::newRow("content changed")
            << QByteArray("UPDATE record SET content = replace(content, 'spark-a', 'spark-b') "
                          "WHERE number = 2")
            << QStringLiteral("Record 2: its content does not match its SHA-256");
        QTest::newRow("figure changed")
            << QByteArray("UPDATE record SET forward_bps = 999 WHERE number = 2")
            << QStringLiteral("Record 2: its columns do not agree");
        QTest::newRow("started earlier")
            << QByteArray("UPDATE record SET started_at = '2020-01-01T00:00:00.000Z' "
                          "WHERE number = 2")
            << QStringLiteral("Record 2: its columns do not agree");
        QTest::newRow("taken out") << QByteArray("DELETE FROM record WHERE number = 2")
                                   << QStringLiteral("Record 2: missing");
        QTest::newRow("the last taken out") << QByteArray("DELETE FROM record WHERE number = 3")
                                            << QStringLiteral("Record 3: missing");
        QTest::newRow("chain") << QByteArray("UPDATE record SET chain = 'x' WHERE number = 2")
                               << QStringLiteral("Record 2: it does not follow");
        QTest::newRow("dangling")
            << QByteArray("PRAGMA foreign_keys = OFF; "
                          "INSERT INTO note (record, text, at) VALUES ('nobody', 'x', 'y')")
            << QStringLiteral("of the table note refers");
        QTest::newRow("drawing") << QByteArray("UPDATE drawing SET content = '{}'")
                                 << QStringLiteral("cannot be read");
    }
    void verifyFinds()
    {
        QFETCH(QByteArray, sql);
        QFETCH(QString, found);
        for (int i = 0; i < 3; ++i)
            recordIn(*m_notebook, throughputResult(rate));
        const auto made = twoMachinesTemplate();
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        auto report = sync(m_notebook->verify());
        QVERIFY(report && report->problems.empty());
        QCOMPARE(report->records, 3);
        {
            auto db = rawDatabase(m_path);
            db.exec(std::string(unlock) + sql.toStdString());
        }
        report = sync(m_notebook->verify());
        QVERIFY(report);
        const QStringList problems(report->problems.begin(), report->problems.end());
        QVERIFY2(problems.join(u'\n').contains(found), qPrintable(problems.join(u'\n')));
    }

    // Another version computed otherwise what lists show: no damage, and it can be done anew.
    void figuresOfAnotherVersion()
    {
        for (int i = 0; i < 3; ++i)
            recordIn(*m_notebook, throughputResult(rate));
        rawDatabase(m_path).exec(
            "DROP TRIGGER record_no_update;"
            "UPDATE record SET forward_bps = 999, figures_version = 0 WHERE number = 2;"
            "CREATE TRIGGER record_no_update BEFORE UPDATE ON record "
            "BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;");
        auto report = sync(m_notebook->verify());
        QVERIFY2(report->problems.empty(),
                 qPrintable(report->problems.empty() ? QString() : report->problems[0]));
        QVERIFY(report->outdated == std::vector<std::int64_t>{2});
        QCOMPARE(sync(m_notebook->refreshFigures()), 1);
        report = sync(m_notebook->verify());
        QVERIFY(report->problems.empty() && report->outdated.empty());
        const auto records = sync(m_notebook->records({}));
        for (const RecordSummary& record : *records)
            QCOMPARE(record.forward->bitsPerSecond(), records->front().forward->bitsPerSecond());
        auto db = rawDatabase(m_path);
        QVERIFY(refusalOf(db, "UPDATE record SET forward_bps = 1").contains(u"never"));
        QCOMPARE(sync(m_notebook->refreshFigures()), 0);
    }

    // A document that was changed is damaged whatever version its figures are of, and stays so.
    void refreshingHealsNoDamage()
    {
        recordIn(*m_notebook, throughputResult(rate));
        rawDatabase(m_path).exec(std::string(unlock) +
                                 "UPDATE record SET figures_version = 0, forward_bps = 999, "
                                 "content = replace(content, 'spark-a', 'spark-b');"
                                 "CREATE TRIGGER record_no_update BEFORE UPDATE ON record "
                                 "BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;");
        QCOMPARE(sync(m_notebook->refreshFigures()), 0);
        const auto report = sync(m_notebook->verify());
        QCOMPARE(report->problems.size(), size_t(1));
        QVERIFY(report->problems[0].contains(QStringLiteral("does not match its SHA-256")));
        QVERIFY(report->outdated.empty());
    }

    void unreadableContentIsAFault()
    {
        const auto result = throughputResult(rate);
        recordIn(*m_notebook, result);
        const auto made = twoMachinesTemplate();
        QVERIFY(sync(m_notebook->saveDrawing(made.drawing, made.layout)));
        rawDatabase(m_path).exec(
            std::string(unlock) +
            "UPDATE record SET content = '{}'; UPDATE drawing SET content = ''");
        const auto loaded = sync(m_notebook->load(result.id));
        QCOMPARE(loaded.error().code, ErrorCode::StorageCorrupt);
        QCOMPARE(loaded.error().context, m_path);
        QVERIFY(loaded.error().detail.contains(result.id.text()));
        QCOMPARE(sync(m_notebook->loadDrawing(made.drawing.id)).error().code,
                 ErrorCode::StorageCorrupt);
    }

    // Content and hash forged together: the chain still tells.
    void verifyFindsForgedHash()
    {
        for (int i = 0; i < 3; ++i)
            recordIn(*m_notebook, throughputResult(rate));
        auto db = rawDatabase(m_path);
        db.exec(unlock);
        std::string content =
            db.execAndGet("SELECT content FROM record WHERE number = 2").getString();
        const auto at = content.find("\"tool\":\"napkin\"");
        QVERIFY(at != std::string::npos);
        content.replace(at, 15, "\"tool\":\"other!\"");
        SQLite::Statement forge(db, "UPDATE record SET content = ?, sha256 = ? WHERE number = 2");
        forge.bind(1, content);
        forge.bind(2, detail::sha256Of(QByteArray::fromStdString(content)).toStdString());
        forge.exec();
        const auto report = sync(m_notebook->verify());
        QCOMPARE(report->problems.size(), size_t(1));
        QVERIFY(report->problems[0].contains(QStringLiteral("Record 2: it does not follow")));
    }

    void verifyOfDamagedPages()
    {
        for (int i = 0; i < 20; ++i)
            recordIn(*m_notebook, throughputResult(rate));
        m_notebook.reset();
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const qint64 size = file.size();
        for (qint64 at = size / 2; at < size; at += 4096) {
            file.seek(at);
            file.write(QByteArray(512, '\xaa'));
        }
        file.close();
        auto opened = tryOpen(m_path);
        QVERIFY(opened);
        const auto report = sync((*opened)->verify());
        QVERIFY(report);
        QVERIFY(!report->problems.empty());
        if (const auto listed = sync((*opened)->records({})); !listed)
            QCOMPARE(listed.error().code, ErrorCode::StorageCorrupt);
    }

    void killedWhileWriting()
    {
        m_notebook.reset();
        std::mt19937 dice(20'261'201);
        std::vector<std::int64_t> told;
        for (int round = 0; round < 15; ++round) {
            QProcess writer;
            writer.start(QStringLiteral(NAPKIN_NOTEBOOK_WRITER), {m_path});
            QVERIFY(writer.waitForStarted());
            // Round 0 may die before the file is whole; the others after some rows.
            if (round > 0)
                QVERIFY(writer.waitForReadyRead(20'000));
            QTest::qSleep(std::uniform_int_distribution<int>(0, 60)(dice));
            writer.kill(); // SIGKILL
            QVERIFY(writer.waitForFinished());
            QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
            const auto numbers = acknowledged(writer.readAllStandardOutput());
            told.insert(told.end(), numbers.begin(), numbers.end());
        }
        QVERIFY(told.size() >= 14);
        const auto notebook = openNotebook(m_path);
        const auto records = sync(notebook->records({}));
        QVERIFY(records);
        std::set<std::int64_t> kept;
        for (const RecordSummary& record : *records)
            kept.insert(record.number);
        for (const std::int64_t number : told)
            QVERIFY2(kept.contains(number), qPrintable(QString::number(number)));
        QVERIFY(std::is_sorted(told.begin(), told.end()));
        const auto report = sync(notebook->verify(), 30s);
        QVERIFY2(report->problems.empty(),
                 qPrintable(report->problems.empty() ? QString() : report->problems[0]));
        // Of each round at most the one that was being written was not told of.
        QVERIFY(kept.size() <= told.size() + 15);
        qInfo("%zu acknowledged, %zu kept", told.size(), kept.size());
    }

    void killedWhileCreating()
    {
        m_notebook.reset();
        for (int round = 0; round < 10; ++round) {
            const QString path = m_dir->filePath(QStringLiteral("new%1.napkin").arg(round));
            QProcess writer;
            writer.start(QStringLiteral(NAPKIN_NOTEBOOK_WRITER), {path});
            QVERIFY(writer.waitForStarted());
            for (int waited = 0; !QFile::exists(path) && waited < 20'000; ++waited)
                QTest::qSleep(1);
            QTest::qSleep(round);
            writer.kill();
            QVERIFY(writer.waitForFinished());
            const auto opened = tryOpen(path);
            QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().detail));
            QVERIFY(sync((*opened)->verify())->problems.empty());
        }
    }

    void twoNotebooksOnOneFile()
    {
        const auto other = openNotebook(m_path);
        std::vector<QCoro::Task<Result<std::int64_t>>> writes;
        for (int i = 0; i < 20; ++i) {
            writes.push_back(m_notebook->record(throughputResult(rate)));
            writes.push_back(other->record(throughputResult(rate)));
        }
        std::set<std::int64_t> numbers;
        for (auto& write : writes) {
            const auto number = sync(std::move(write), 20s);
            QVERIFY2(number, qPrintable(number ? QString() : number.error().detail));
            numbers.insert(*number);
        }
        QCOMPARE(numbers.size(), size_t(40));
        QCOMPARE(sync(m_notebook->records({}))->size(), size_t(40));
        QCOMPARE(sync(other->records({}))->size(), size_t(40));
        QVERIFY(sync(other->verify())->problems.empty());
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
    std::unique_ptr<Notebook> m_notebook;
};

QTEST_GUILESS_MAIN(TestNotebookIntegrity)
#include "tst_notebookintegrity.moc"
