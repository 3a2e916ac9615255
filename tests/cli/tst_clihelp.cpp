// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using napkin::test::runCli;

// What the program says of itself, and to input that makes no sense.
class TestCliHelp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void helpOfEveryCommand_data();
    void helpOfEveryCommand();
    void helpFitsEightyColumns();
    void version();
    void aGroupAloneShowsItsHelp();
    void wrongInput_data();
    void wrongInput();
    void emptyValuesAreWrongUse();
    void rangesNameTheirOption_data();
    void rangesNameTheirOption();
    void fullOutputIsAFault();
    void closedOutputIsAFault();
    void wrongInputAsJson();
    void classes();

private:
    QTemporaryDir m_folder;
};

void TestCliHelp::helpOfEveryCommand_data()
{
    QTest::addColumn<QString>("command");
    for (const char* command : {"",
                                "serve",
                                "facts",
                                "reach",
                                "discover",
                                "measure",
                                "measure throughput",
                                "measure connect",
                                "measure latency",
                                "measure sweep",
                                "measure loaded-latency",
                                "measure path-mtu",
                                "measure udp",
                                "measure memory",
                                "measure storage",
                                "measure soak",
                                "worksheet",
                                "list",
                                "show",
                                "label",
                                "note",
                                "void",
                                "notebook",
                                "notebook verify",
                                "notebook path",
                                "classes",
                                "demo",
                                "peers",
                                "peers list",
                                "peers invite",
                                "peers pair",
                                "peers rename",
                                "peers revoke"})
        QTest::newRow(*command ? command : "program") << QString::fromLatin1(command);
}

void TestCliHelp::helpOfEveryCommand()
{
    QFETCH(QString, command);
    const QStringList words = command.split(u' ', Qt::SkipEmptyParts);
    const auto outcome = runCli(words + QStringList{QStringLiteral("--help")});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
    const QString usage = (QStringLiteral("Usage: napkin-cli ") + command).trimmed();
    QVERIFY2(outcome.out.startsWith(usage.toUtf8()), outcome.out.constData());
    QVERIFY(outcome.out.contains("--notebook FILE"));
    QVERIFY(outcome.out.contains("napkin-cli ")); // an example
}

void TestCliHelp::helpFitsEightyColumns()
{
    for (const char* command :
         {"serve", "facts", "reach", "discover", "worksheet", "show", "demo", "list", "peers",
          "peers pair", "measure latency", "measure udp", "measure path-mtu", "measure sweep",
          "measure loaded-latency", "measure memory", "measure storage", "measure soak"}) {
        const auto outcome =
            runCli(QString::fromLatin1(command).split(u' ') << QStringLiteral("-h"));
        for (const QByteArray& line : outcome.out.split('\n'))
            QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
    }
}

void TestCliHelp::version()
{
    const auto outcome = runCli({QStringLiteral("--version")});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.out, QByteArray("napkin-cli " NAPKIN_VERSION "\n"));
}

void TestCliHelp::aGroupAloneShowsItsHelp()
{
    for (const QStringList& words :
         {QStringList(), QStringList{QStringLiteral("measure")}, {QStringLiteral("notebook")}}) {
        const auto outcome = runCli(words);
        QCOMPARE(outcome.code, 2);
        QCOMPARE(outcome.out, QByteArray());
        QVERIFY2(outcome.err.startsWith("Usage: napkin-cli"), outcome.err.constData());
    }
}

void TestCliHelp::wrongInput_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* line, const char* message) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(message);
    };
    add("frobnicate", "“frobnicate” cannot be used.");
    add("list --frobnicate", "There is no such option.");
    add("--json", "A command is missing.");
    add("measure --json", "The command line cannot be used.");
    add("measure throughput", "HOST cannot be used.");
    add("show", "It is required and missing.");
    add("void 1", "--reason cannot be used.");
    add("list --limit", "Its value is missing.");
    add("list --limit 0", "1 is the least");
    add("list --limit many", "It needs a whole number");
    add("serve --port 70000", "1 to 65,535 are possible");
    add("measure udp 127.0.0.1 --rate 1e400Mb/s", "It is too large");
    add("measure latency 127.0.0.1 --interface nosuch0", "no network interface called nosuch0");
    add("serve --port http", "It needs a whole number");
    add("measure throughput h --port 0", "1 to 65,535 are possible");
    add("measure throughput h --port 5201x", "It needs a whole number");
    add("measure throughput h:99999", "A port is a number from 1 to 65,535");
    add("measure throughput h:5201 --port 5202", "Give the port once");
    add("measure throughput fe80:::1", "It is no IPv6 address");
    add("measure throughput [fe80::1", "Write it as [address] or [address]:port");
    add("measure throughput :5201", "It needs a host name or an IP address");
    add("measure throughput h --time 1.5", "hole seconds from 1 to 86,400 are possible");
    add("measure throughput h --time 0", "hole seconds from 1 to 86,400 are possible");
    add("measure throughput h --time=-1", "It is negative");
    add("measure throughput h --time soon", "It does not begin with a number");
    add("measure throughput h --time 10_parsec", "is not a unit of time");
    add("measure throughput h --omit 1000", "hole seconds from 0 to 600 are possible");
    add("measure throughput h --streams 0", "1 to 128 are possible");
    add("measure throughput h --streams 129", "1 to 128 are possible");
    add("measure throughput h --bytes-per-block 2", "4 bytes to 1 MiB are possible");
    add("measure throughput h --bytes-per-block 2MiB", "4 bytes to 1 MiB are possible");
    add("measure throughput h --bytes-per-block 128k", "is not a unit of size");
    add("measure throughput h --reverse --bidirectional", "Choose one of them");
    add("measure throughput h -4 -6", "Choose one of them");
    add("measure throughput 10.0.0.2 -6", "It is an address of the other IP version");
    add("measure throughput fe80::1", "needs the interface, as in fe80::1%eth0");
    add("measure throughput h --time 1,5", "A comma is not clear here");
    add("measure throughput h --class ethernet-10g", "The class belongs to the link");
    add("measure throughput h --link rack", "The notebook has no links yet");
    add("measure throughput h --link rack --class string", "The classes are: ");
    add("measure connect h --count 0", "1 to 10,000 are possible");
    add("measure connect h --interval 50", "The unit is missing");
    add("measure connect h --interval 300us", "It needs whole milliseconds");
    add("measure connect h --timeout 1ms", "10 ms to 60 s are possible");
    add("measure throughput h --when-sure --time 1", "is known needs 2 s at least");
    add("measure latency h --method smoke", "Icmp, tcp and udp are possible");
    add("measure latency h --busy-poll", "The far end’s kernel answers ICMP");
    add("measure latency h --size 1", "16 to 65,507 bytes are possible with ICMP and UDP");
    add("measure latency h --size 5MiB --method tcp", "1 byte to 4 MiB are possible with TCP");
    add("measure latency h --time 0", "1 s to 3,600 s are possible");
    add("measure latency h --interval 1ms", "2 ms to 60 s are possible with ICMP");
    add("measure latency h --interval 5", "The unit is missing");
    add("measure latency h --interval 10ns", "It needs whole microseconds");
    add("measure latency h --timeout 1ms", "10 ms to 60 s are possible");
    add("measure sweep h --from 0", "rom 1 byte to 16 MiB, the smaller first, are possible");
    add("measure sweep h --to 17MiB", "rom 1 byte to 16 MiB, the smaller first, are possible");
    add("measure sweep h --from 2KiB --to 1KiB", "the smaller first, are possible");
    add("measure sweep h --rounds 4", "5 to 1,000 are possible");
    add("measure sweep h --time 1", "2 s to 3,600 s are possible");
    add("measure loaded-latency h --method tcp", "Under load icmp and udp are possible");
    add("measure loaded-latency h --phase 1", "hole seconds from 2 to 600 are possible");
    add("measure loaded-latency h --interval 1ms", "2 ms to 60 s are possible");
    add("measure loaded-latency h --streams 0", "1 to 128 are possible");
    add("measure path-mtu h --attempts 11", "1 to 10 are possible");
    add("measure path-mtu h --timeout 1ms", "50 ms to 60 s are possible");
    add("measure path-mtu h --port 70000", "1 to 65,535 are possible");
    add("measure udp h --rate 300", "The unit is missing");
    add("measure udp h --rate 300mb/s", "Bits or bytes? Write Gb/s");
    add("measure udp h --rate 1kb/s", "10 kb/s to 400 Gb/s are possible");
    add("measure udp h --length 8", "16 to 65,507 bytes are possible");
    add("measure udp h --time 1.5", "hole seconds from 1 to 86,400 are possible");
    add("measure udp h --omit 601", "hole seconds from 0 to 600 are possible");
    add("measure udp h --reverse --bidirectional", "Choose one of them");
    add("measure udp h --port 0", "1 to 65,535 are possible");
    add("measure memory --time 61", "1 s to 60 s are possible");
    add("measure memory --threads 1025", "1 to 1,024 are possible");
    add("measure memory --near nobody", "aired with none yet");
    add("measure storage", "t is required and missing");
    add("measure storage f --depth 65", "1 to 64 are possible");
    add("measure storage f --bytes-per-block 100000", "64 KiB to 64 MiB in steps of 64 KiB");
    add("measure storage f --time 601", "1 s to 600 s are possible");
    add("worksheet --csv --json", "Choose one of them");
    add("demo --time 0", "hole seconds from 1 to 86,400 are possible");
}

void TestCliHelp::wrongInput()
{
    QFETCH(QString, line);
    QFETCH(QString, message);
    QStringList words = line.split(u' ');
    for (QString& word : words)
        word.replace(u'_', u' ');
    words << QStringLiteral("--notebook") << m_folder.filePath(QStringLiteral("wrong.napkin"));
    if (line == QStringLiteral("list --limit"))
        words = line.split(u' ');
    const auto outcome = runCli(words);
    QVERIFY2(outcome.err.contains(message.toUtf8()), outcome.err.constData());
    QCOMPARE(outcome.code, 2);
    if (!words.contains(QStringLiteral("--json")))
        QCOMPARE(outcome.out, QByteArray());
    QVERIFY(outcome.err.startsWith("napkin-cli: "));
}

void TestCliHelp::emptyValuesAreWrongUse()
{
    const QString file = m_folder.filePath(QStringLiteral("empty.napkin"));
    for (const char* line :
         {"list --notebook _", "show _", "list --link _", "measure throughput h --time _",
          "measure throughput h --label _", "measure connect h --source _", "serve --bind _",
          "measure throughput _", "demo --time _"}) {
        QStringList words = QString::fromLatin1(line).split(u' ');
        words.last().clear();
        if (!words.contains(QStringLiteral("--notebook")))
            words << QStringLiteral("--notebook") << file;
        const auto outcome = runCli(words);
        QVERIFY2(outcome.code == 2, line);
        QVERIFY2(outcome.err.contains("It is empty."), outcome.err.constData());
        QVERIFY2(!outcome.err.contains("Why: --"), outcome.err.constData());
    }
    QVERIFY(!QFile::exists(file));
}

void TestCliHelp::rangesNameTheirOption_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("why");
    const auto add = [](const char* line, const char* what, const char* why) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(what)
                            << QString::fromUtf8(why);
    };
    const char* seconds = "hole seconds from 1 to 86,400 are possible";
    add("measure throughput h --time 1e9", "--time “1e9” cannot be used.", seconds);
    add("measure throughput h --time 0", "--time “0” cannot be used.", seconds);
    add("measure throughput h --time soon", "--time “soon” cannot be used.", seconds);
    add("measure throughput h --time 1e99", "--time “1e99” cannot be used.", seconds);
    add("demo --time 1e9", "--time “1e9” cannot be used.", seconds);
    add("measure throughput h --omit 601", "--omit “601” cannot be used.",
        "hole seconds from 0 to 600 are possible");
    add("measure throughput h -P 129", "--streams “129” cannot be used.", "1 to 128 are possible");
    add("measure throughput h -P 9999999999", "--streams “9999999999” cannot be used.",
        "1 to 128 are possible");
    add("measure throughput h --bytes-per-block 2", "--bytes-per-block “2” cannot be used.",
        "4 bytes to 1 MiB are possible");
    add("measure connect h --count 10001", "--count “10001” cannot be used.",
        "1 to 10,000 are possible");
    add("measure latency h --size 1", "--size “1” cannot be used.",
        "16 to 65,507 bytes are possible");
    add("measure sweep h --rounds many", "--rounds “many” cannot be used.",
        "5 to 1,000 are possible");
    add("measure udp h --rate fast", "--rate “fast” cannot be used.",
        "10 kb/s to 400 Gb/s are possible");
    add("measure connect h --timeout 1ms", "--timeout “1ms” cannot be used.",
        "10 ms to 60 s are possible");
}

void TestCliHelp::rangesNameTheirOption()
{
    QFETCH(QString, line);
    QFETCH(QString, what);
    QFETCH(QString, why);
    const auto outcome =
        runCli(line.split(u' ') + QStringList{QStringLiteral("--notebook"),
                                              m_folder.filePath(QStringLiteral("range.napkin"))});
    QCOMPARE(outcome.code, 2);
    const QString said = QString::fromUtf8(outcome.err);
    QVERIFY2(said.contains(what), qPrintable(said));
    QVERIFY2(said.contains(why), qPrintable(said));
}

void TestCliHelp::closedOutputIsAFault()
{
    for (const char* line : {"classes", "classes --json", "--version"}) {
        QProcess shell;
        shell.start(QStringLiteral("sh"),
                    {QStringLiteral("-c"),
                     QStringLiteral("exec \"$0\" %1 >&-").arg(QLatin1StringView(line)),
                     QStringLiteral(NAPKIN_CLI)});
        QVERIFY(shell.waitForFinished());
        QVERIFY2(shell.exitCode() == 1, line);
        const QByteArray said = shell.readAllStandardError();
        QVERIFY2(said.contains("The output could not be written."), said.constData());
    }
}

void TestCliHelp::fullOutputIsAFault()
{
    const QString full = QStringLiteral("/dev/full");
    for (const char* line : {"classes", "classes --json", "--help", "--version", "list --help",
                             "list", "list --json", "worksheet --csv", "notebook path"}) {
        const auto outcome = runCli(QString::fromLatin1(line).split(u' '), {}, full);
        QVERIFY2(outcome.code == 1, line);
        QVERIFY2(outcome.err.contains("The output could not be written."), outcome.err.constData());
        QVERIFY2(outcome.err.contains("No space left on device."), outcome.err.constData());
    }
    const auto outcome =
        runCli({QStringLiteral("show"), QStringLiteral("1"), QStringLiteral("--json"),
                QStringLiteral("--notebook"), m_folder.filePath(QStringLiteral("none.napkin"))},
               {}, full);
    QCOMPARE(outcome.code, 5); // the first fault decides
    QVERIFY(outcome.err.contains("The output could not be written."));
}

void TestCliHelp::wrongInputAsJson()
{
    const auto outcome =
        runCli({QStringLiteral("measure"), QStringLiteral("throughput"), QStringLiteral("h"),
                QStringLiteral("--streams"), QStringLiteral("many"), QStringLiteral("--json")});
    QCOMPARE(outcome.code, 2);
    const auto document = outcome.document();
    QVERIFY(document.has_value());
    QCOMPARE(document->at("command").get<std::string>(), std::string("measure throughput"));
    QCOMPARE(document->at("ok").get<bool>(), false);
    QCOMPARE(document->at("error").at("code").get<std::string>(), std::string("invalid-argument"));
    QVERIFY(!document->at("error").at("advice").get<std::string>().empty());

    const auto unknown = runCli({QStringLiteral("--json"), QStringLiteral("frobnicate")});
    QCOMPARE(unknown.code, 2);
    QVERIFY(unknown.document().has_value());
}

void TestCliHelp::classes()
{
    const auto text = runCli({QStringLiteral("classes")});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains("ethernet-10g"));
    const auto json = runCli({QStringLiteral("classes"), QStringLiteral("--json")}).document();
    QVERIFY(json.has_value());
    QVERIFY(json->at("classes").size() > 5);
}

QTEST_GUILESS_MAIN(TestCliHelp)
#include "tst_clihelp.moc"
