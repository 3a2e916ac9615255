// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace napkin::test;
using Json = nlohmann::json;

// A soak between two programs on this machine, one of which is killed.
class TestCliSoak : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void complete();
    void killedAndContinued();
    void killedAndKept();
    void aNewSoakKeepsTheOldOne();
    void farEndKilledAndStartedAgain();
    void interruptedByTheUser();
    void nothingToContinue();
    void wrongUse_data();
    void wrongUse();

private:
    [[nodiscard]] static QStringList words(const char* line)
    {
        return QString::fromUtf8(line).split(u' ');
    }
    [[nodiscard]] QStringList machine(const char* name) const
    {
        return {QStringLiteral("NAPKIN_PEERS=%1/%2/peers.json")
                    .arg(m_folder.path(), QString::fromLatin1(name))};
    }
    [[nodiscard]] QStringList inNotebook(QStringList line) const
    {
        return line << QStringLiteral("--notebook") << m_notebook;
    }
    void serve();
    [[nodiscard]] std::unique_ptr<RunningCli> begin(const QStringList& line) const;
    // Soaks until a state is kept beside the notebook, and is killed.
    void beginAndKill(const char* line);
    [[nodiscard]] QStringList kept() const;
    [[nodiscard]] CliOutcome run(const char* line) const;
    [[nodiscard]] Json records() const;

    QTemporaryDir m_folder;
    QString m_notebook;
    std::unique_ptr<RunningCli> m_far;
    QString m_port = QStringLiteral("0");
    int m_count = 0;
};

void TestCliSoak::serve()
{
    m_far = std::make_unique<RunningCli>(
        words("serve --peer --no-iperf3 --bind 127.0.0.1 --json --peer-port") << m_port,
        machine("far"));
    QProcess& process = m_far->process();
    process.setReadChannel(QProcess::StandardOutput);
    const QDeadlineTimer deadline(15'000);
    while (!process.canReadLine() && !deadline.hasExpired())
        process.waitForReadyRead(static_cast<int>(deadline.remainingTime()));
    const Json said = Json::parse(process.readLine().toStdString(), nullptr, false);
    QVERIFY(said.is_object());
    m_port = QString::number(said.value("port", 0));
}

void TestCliSoak::initTestCase()
{
    serve();
    const auto code = runCli(words("peers invite --json"), machine("far")).document();
    QVERIFY(code.has_value());
    const auto paired = runCli(words("peers pair") << QStringLiteral("127.0.0.1:") + m_port
                                                   << QString::fromStdString(code->at("code"))
                                                   << words("--name far --json"),
                               machine("near"));
    QVERIFY2(paired.code == 0, paired.err.constData());
}

void TestCliSoak::init()
{
    m_notebook = m_folder.filePath(QStringLiteral("n%1.napkin").arg(++m_count));
}

CliOutcome TestCliSoak::run(const char* line) const
{
    return runCli(inNotebook(words(line)), machine("near"));
}

std::unique_ptr<RunningCli> TestCliSoak::begin(const QStringList& line) const
{
    return std::make_unique<RunningCli>(inNotebook(line), machine("near"));
}

QStringList TestCliSoak::kept() const
{
    const QString name = m_notebook.section(u'/', -1);
    QStringList files =
        QDir(m_folder.path()).entryList({name + QStringLiteral(".soak-*")}, QDir::Files);
    files.removeIf([](const QString& file) { return file.endsWith(QStringLiteral(".lock")); });
    return files;
}

void TestCliSoak::beginAndKill(const char* line)
{
    const auto cli = begin(words(line));
    QTRY_VERIFY_WITH_TIMEOUT(!kept().isEmpty(), 25'000);
    // Another program leaves what is under way alone.
    const auto other = run("measure soak --resume");
    QCOMPARE(other.code, 2);
    cli->signal(SIGKILL);
    QVERIFY(cli->process().waitForFinished());
}

Json TestCliSoak::records() const
{
    const auto document = run("list --json").document();
    return document ? document->at("records") : Json();
}

void TestCliSoak::complete()
{
    const auto outcome = run("measure soak --far far --time 10 --rate 40Mb/s --json");
    QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
    const Json summary = outcome.document()->at("record").at("summary");
    QCOMPARE(summary.at("faults").get<int>(), 0);
    for (const char* way : {"forward", "reverse"}) {
        const auto checked = summary.at(way).at("checked_bytes").get<std::int64_t>();
        QVERIFY(checked > 30'000'000 && checked <= 55'000'000);
        QVERIFY(summary.at(way).at("drift").is_null()); // ten seconds tell nothing of it
    }
    const QString shown = QString::fromUtf8(run("show 1").out).replace(QChar(0x00a0), u' ');
    QVERIFY2(shown.contains(QStringLiteral("No stall, no drop-out, no damaged block in 10")),
             qPrintable(shown));
    QVERIFY(kept().isEmpty());
    const Json listed = records();
    QCOMPARE(listed.size(), 1U);
    QVERIFY(QString::fromStdString(listed[0].at("headline")).startsWith(u"no faults"));
}

void TestCliSoak::killedAndContinued()
{
    beginAndKill("measure soak --far far --time 20 --rate 40Mb/s");
    const auto list = run("list");
    QCOMPARE(list.code, 0);
    QVERIFY2(list.err.contains("measure soak --resume"), list.err);
    const auto outcome = run("measure soak --resume --json");
    QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
    const Json record = outcome.document()->at("record");
    const Json summary = record.at("summary");
    QCOMPARE(summary.at("program_gaps").get<int>(), 1);
    QVERIFY(summary.at("program_gap_ns").get<std::int64_t>() > 0);
    QCOMPARE(summary.at("faults").get<int>(), 0);
    const auto elapsed = summary.at("elapsed_ns").get<std::int64_t>();
    QVERIFY(elapsed >= 20'000'000'000 && elapsed < 26'000'000'000);
    // More than the second part alone can have brought, at most what all of it can.
    const auto checked = summary.at("forward").at("checked_bytes").get<std::int64_t>();
    QVERIFY2(checked > 75'000'000 && checked < 135'000'000, qPrintable(QString::number(checked)));
    QCOMPARE(record.at("result").at("completion").get<std::string>(), std::string("complete"));
    QCOMPARE(record.at("result").at("spec").at("options").at("duration_ms").get<int>(), 20'000);
    QCOMPARE(records().size(), 1U);
    QVERIFY(kept().isEmpty());
    QCOMPARE(run("notebook verify").code, 0);
}

void TestCliSoak::killedAndKept()
{
    beginAndKill("measure soak --far far --time 60 --rate 20Mb/s --link desk --class ethernet-1g");
    QCOMPARE(records().size(), 0U);
    const auto outcome = run("measure soak --keep");
    QVERIFY2(outcome.code == 0, outcome.err);
    const Json listed = records();
    QCOMPARE(listed.size(), 1U);
    QCOMPARE(listed[0].at("completion").get<std::string>(), std::string("partial"));
    QCOMPARE(listed[0].at("link_name").get<std::string>(), std::string("desk"));
    QVERIFY(run("show 1").out.contains("ended when the program did"));
    QVERIFY(kept().isEmpty());
}

void TestCliSoak::aNewSoakKeepsTheOldOne()
{
    beginAndKill("measure soak --far far --time 60 --rate 20Mb/s");
    const auto outcome = run("measure soak --far far --time 10 --rate 20Mb/s --forward");
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.err.contains("is kept as number 1"), outcome.err);
    const Json listed = records();
    QCOMPARE(listed.size(), 2U);
    QCOMPARE(listed[1].at("completion").get<std::string>(), std::string("partial"));
    QCOMPARE(listed[0].at("completion").get<std::string>(), std::string("complete"));
}

void TestCliSoak::farEndKilledAndStartedAgain()
{
    const auto cli = begin(words("measure soak --far far --time 25 --rate 40Mb/s --json"));
    QTRY_VERIFY_WITH_TIMEOUT(!kept().isEmpty(), 25'000); // it measures
    m_far->signal(SIGKILL);
    QVERIFY(m_far->process().waitForFinished());
    QTest::qWait(1'500);
    serve();
    const auto outcome = cli->outcome();
    QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
    const Json summary = outcome.document()->at("record").at("summary");
    QCOMPARE(summary.at("drop_outs").get<int>(), 1);
    const auto without = summary.at("without_connection_ns").get<std::int64_t>();
    QVERIFY2(without > 1'000'000'000 && without < 12'000'000'000,
             qPrintable(QString::number(without)));
    QCOMPARE(summary.at("forward").at("corrupted").get<int>(), 0);
    const Json events = outcome.document()->at("record").at("result").at("data").at("events");
    QVERIFY(!events.at(0).at("open").get<bool>()); // it came back
}

void TestCliSoak::interruptedByTheUser()
{
    const auto cli = begin(words("measure soak --far far --time 60 --rate 20Mb/s"));
    QTRY_VERIFY_WITH_TIMEOUT(!kept().isEmpty(), 25'000);
    cli->signal(SIGINT);
    QCOMPARE(cli->outcome().code, 130);
    QCOMPARE(records().size(), 1U);
    QVERIFY(kept().isEmpty()); // it is recorded: nothing to continue
}

void TestCliSoak::nothingToContinue()
{
    const auto outcome = run("measure soak --resume");
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("interrupted soak"), outcome.err);
}

void TestCliSoak::wrongUse_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* line, const char* message) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(message);
    };
    add("measure soak --resume --keep", "Choose one of them");
    add("measure soak --resume --time 60", "give no other option");
    add("measure soak --far far --time 5", "Whole seconds from 10 to 86,400");
    add("measure soak --far far --forward --reverse", "both directions are loaded");
    add("measure soak --far far --rate 1kb/s", "1 Mb/s to 400 Gb/s");
    add("measure soak --far far --rate 0", "");
    add("measure soak --far far --lost-after 500ms", "2 s to 120 s");
    add("measure soak 127.0.0.1", "It needs a paired machine");
}

void TestCliSoak::wrongUse()
{
    QFETCH(QString, line);
    QFETCH(QString, message);
    const auto outcome = run(line.toUtf8().constData());
    QCOMPARE(outcome.code, 2);
    const QString said = QString::fromUtf8(outcome.err).simplified();
    QVERIFY2(said.contains(message), qPrintable(said));
}

QTEST_GUILESS_MAIN(TestCliSoak)
#include "tst_clisoak.moc"
