// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <csignal>

using nlohmann::json;
using namespace napkin::test;

// What one machine can do by itself, from the command to the record.
class TestCliMachine : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void memory();
    void storage();
    void listAndShow();
    void inNoWorksheet();
    void whatCanNotBeRead();
    void interrupted();

private:
    [[nodiscard]] QStringList here(const QStringList& words) const
    {
        return words + QStringList{QStringLiteral("--notebook"), m_notebook};
    }
    QTemporaryDir m_folder;
    QString m_notebook;
    QString m_file;
};

void TestCliMachine::initTestCase()
{
    m_notebook = m_folder.filePath(QStringLiteral("machine.napkin"));
    m_file = m_folder.filePath(QStringLiteral("model.gguf"));
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray block(1 << 20, 'm');
    for (int i = 0; i < 70; ++i)
        QCOMPARE(file.write(block), block.size());
}

void TestCliMachine::memory()
{
    const auto outcome = runCli(
        here({QStringLiteral("measure"), QStringLiteral("memory"), QStringLiteral("--time"),
              QStringLiteral("1"), QStringLiteral("--threads"), QStringLiteral("1"),
              QStringLiteral("--label"), QStringLiteral("one core"), QStringLiteral("--json")}));
    const auto document = outcome.document();
    QVERIFY(document);
    if (!document->at("ok") && document->at("error").at("code") == "out-of-memory")
        QSKIP("too little memory here");
    QCOMPARE(outcome.code, 0);
    const json& record = document->at("record");
    QCOMPARE(record.at("number").get<int>(), 1);
    QCOMPARE(record.at("result").at("spec").at("kind").get<std::string>(), std::string("memory"));
    QVERIFY(record.at("result").at("spec").at("link").is_null());
    QVERIFY(!record.at("result").at("conditions").at("near").at("facts").is_null());
    const json& summary = record.at("summary");
    QVERIFY(summary.at("passes").get<int>() >= 10);
    QVERIFY(summary.at("median_bytes_per_second").get<std::int64_t>() > 0);
    QVERIFY(summary.at("best_bytes_per_second").get<std::int64_t>() >=
            summary.at("median_bytes_per_second").get<std::int64_t>());
}

void TestCliMachine::storage()
{
    const auto outcome =
        runCli(here({QStringLiteral("measure"), QStringLiteral("storage"), m_file}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.startsWith("Storage read of "), outcome.out.constData());
    QVERIFY(outcome.out.contains("model.gguf"));
    QVERIFY(!outcome.out.contains(m_file.toUtf8())); // no folders
    QVERIFY(outcome.out.contains("File system"));
    QVERIFY(outcome.out.contains("Recorded as number"));
    const auto again = runCli(here(
        {QStringLiteral("measure"), QStringLiteral("storage"), m_file, QStringLiteral("--json")}));
    const auto document = again.document();
    QVERIFY(document);
    const json& summary = document->at("record").at("summary");
    QCOMPARE(summary.at("read_bytes").get<std::int64_t>(), std::int64_t(70) << 20);
    QCOMPARE(summary.at("mean_bytes_per_second").is_null(),
             !summary.at("past_page_cache").get<bool>());
    QVERIFY(!again.out.contains(QFileInfo(m_file).absolutePath().toUtf8() + '/' + "model"));
}

void TestCliMachine::listAndShow()
{
    const auto list = runCli(here({QStringLiteral("list")}));
    QCOMPARE(list.code, 0);
    QVERIFY2(list.out.contains("storage"), list.out.constData());
    const auto shown = runCli(here({QStringLiteral("list"), QStringLiteral("--json")}));
    const auto document = shown.document();
    QVERIFY(document);
    const json& newest = document->at("records").front();
    QCOMPARE(newest.at("kind").get<std::string>(), std::string("storage"));
    QVERIFY(newest.at("far").is_null());
    const QString number = QString::number(newest.at("number").get<int>());
    const auto record = runCli(here({QStringLiteral("show"), number, QStringLiteral("--samples")}));
    QCOMPARE(record.code, 0);
    QVERIFY2(record.out.contains("Machine\n"), record.out.constData());
    QVERIFY(record.out.contains("Requests under way"));
    QVERIFY(!record.out.contains("Far end"));
    QVERIFY(record.out.contains("Samples"));
}

void TestCliMachine::inNoWorksheet()
{
    const auto outcome = runCli(here({QStringLiteral("worksheet"), QStringLiteral("--json")}));
    const auto document = outcome.document();
    QVERIFY(document);
    QVERIFY2(document->at("rows").empty(), outcome.out.constData());
    QCOMPARE(runCli(here({QStringLiteral("notebook"), QStringLiteral("verify")})).code, 0);
}

void TestCliMachine::whatCanNotBeRead()
{
    const auto missing = runCli(here({QStringLiteral("measure"), QStringLiteral("storage"),
                                      m_folder.filePath(QStringLiteral("missing"))}));
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.err.contains("was not found"), missing.err.constData());
    const auto folder =
        runCli(here({QStringLiteral("measure"), QStringLiteral("storage"), m_folder.path()}));
    QCOMPARE(folder.code, 2);
    QVERIFY2(folder.err.contains("It is a folder"), folder.err.constData());
    const auto device = runCli(
        here({QStringLiteral("measure"), QStringLiteral("storage"), QStringLiteral("/dev/null")}));
    QCOMPARE(device.code, 2);
}

void TestCliMachine::interrupted()
{
    RunningCli run(
        here({QStringLiteral("measure"), QStringLiteral("memory"), QStringLiteral("--time"),
              QStringLiteral("60"), QStringLiteral("--threads"), QStringLiteral("1")}));
    if (!run.hasSaid("GB/s") && !run.hasSaid("MB/s"))
        QSKIP("nothing could be measured here");
    run.signal(SIGINT);
    const auto outcome = run.outcome();
    QCOMPARE(outcome.code, 130);
    QVERIFY2(outcome.out.contains("Partial run, kept"), outcome.out.constData());
}

QTEST_GUILESS_MAIN(TestCliMachine)
#include "tst_climachine.moc"
