// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QDeadlineTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace napkin::test;
using Json = nlohmann::json;

// Pairing, the list of paired machines, serving them, and the service of the user, with two
// machines in two folders.
class TestCliPeers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void anEmptyListSaysWhatToDo();
    void pairedByACodeFromStandardInput();
    void renamedAndRevoked();
    void anUnknownCodeIsLogged();
    void wrongUse_data();
    void wrongUse();
    void exposedKeysAreRefused();
    void servingPeersOnly();
    void installWithoutAServiceManager();
    void installWithAServiceManager();
    void uninstallWithoutAService();

private:
    [[nodiscard]] QStringList near() const { return machine("near"); }
    [[nodiscard]] QStringList far() const { return machine("far"); }
    [[nodiscard]] QStringList machine(const char* name) const
    {
        return {QStringLiteral("NAPKIN_PEERS=%1").arg(path(name))};
    }
    [[nodiscard]] QString path(const char* name) const
    {
        return m_folder->filePath(QString::fromLatin1(name) + QStringLiteral("/peers.json"));
    }
    // A line of what the server says with --json, the next of this event.
    static Json next(RunningCli& server, const char* event);
    [[nodiscard]] QString invite() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

QStringList words(const char* line)
{
    return QString::fromUtf8(line).split(u' ');
}

CliOutcome runWithInput(const QStringList& arguments, const QStringList& environment,
                        const QByteArray& input)
{
    RunningCli cli(arguments, environment);
    cli.process().write(input);
    cli.process().closeWriteChannel();
    return cli.outcome();
}

} // namespace

void TestCliPeers::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

Json TestCliPeers::next(RunningCli& server, const char* event)
{
    QProcess& process = server.process();
    process.setReadChannel(QProcess::StandardOutput);
    const QDeadlineTimer deadline(10'000);
    while (!deadline.hasExpired()) {
        while (process.canReadLine()) {
            auto said = Json::parse(process.readLine().toStdString(), nullptr, false);
            if (said.is_object() && said.value("event", "") == event)
                return said;
        }
        process.waitForReadyRead(static_cast<int>(deadline.remainingTime()));
    }
    return {};
}

QString TestCliPeers::invite() const
{
    const auto document = runCli(words("peers invite --json"), far()).document();
    return document ? QString::fromStdString(document->value("code", "")) : QString();
}

void TestCliPeers::anEmptyListSaysWhatToDo()
{
    const auto text = runCli(words("peers"), near());
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("napkin-cli peers invite"), text.out.constData());
    const auto json = runCli(words("peers list --json"), near());
    QVERIFY(json.document());
    QCOMPARE(json.document()->at("peers").size(), 0U);
    QVERIFY(!QFileInfo::exists(path("near"))); // looking makes nothing
}

void TestCliPeers::pairedByACodeFromStandardInput()
{
    RunningCli server(words("serve --peer --no-iperf3 --peer-port 0 --bind 127.0.0.1 --json"),
                      far());
    const Json listening = next(server, "peer-listening");
    QVERIFY(listening.is_object());
    const QString host = QStringLiteral("127.0.0.1:%1").arg(listening.at("port").get<int>());
    const auto wrong = runWithInput({QStringLiteral("peers"), QStringLiteral("pair"), host,
                                     QStringLiteral("-"), QStringLiteral("--json")},
                                    near(), "napkin-what\n");
    QCOMPARE(wrong.code, 2);
    QCOMPARE(wrong.document()->at("error").at("code").get<std::string>(), "parse-failed");

    const QString code = invite();
    QVERIFY(code.startsWith(QStringLiteral("napkin-")));
    const auto paired = runWithInput({QStringLiteral("peers"), QStringLiteral("pair"), host,
                                      QStringLiteral("-"), QStringLiteral("--name"),
                                      QStringLiteral("spark b"), QStringLiteral("--json")},
                                     near(), code.toUtf8() + "\n");
    QVERIFY2(paired.code == 0, paired.err.constData());
    QCOMPARE(paired.document()->at("peer").at("name").get<std::string>(), "spark b");
    QVERIFY(next(server, "peer-paired").is_object());
    QVERIFY(QFileInfo::exists(path("near")));

    const auto list = runCli(words("peers"), near());
    QCOMPARE(list.code, 0);
    QVERIFY2(list.out.contains("spark b") && list.out.contains(host.toUtf8()),
             list.out.constData());
    // The key is in the file, and nowhere else.
    QFile file(path("near"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto key = Json::parse(file.readAll().toStdString()).at("peers")[0].at("key");
    QVERIFY(!list.out.contains(QByteArray::fromStdString(key.get<std::string>())));
    const auto json = runCli(words("peers --json"), near());
    QVERIFY(!json.out.contains(QByteArray::fromStdString(key.get<std::string>())));
    QVERIFY(!json.document()->at("peers")[0].contains("key"));

    // The code is used up.
    const auto again = runCli(
        {QStringLiteral("peers"), QStringLiteral("pair"), host, code, QStringLiteral("--json")},
        near());
    QCOMPARE(again.code, 3);
    QCOMPARE(again.document()->at("error").at("code").get<std::string>(), "peer-refused");

    server.signal(SIGTERM);
    QCOMPARE(server.outcome().code, 0);
}

void TestCliPeers::renamedAndRevoked()
{
    pairedByACodeFromStandardInput();
    if (QTest::currentTestFailed())
        return;
    auto outcome = runCli({QStringLiteral("peers"), QStringLiteral("rename"),
                           QStringLiteral("Spark B"), QStringLiteral("studio")},
                          near());
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    outcome = runCli(words("peers rename nobody x"), near());
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("studio"), outcome.err.constData()); // those that there are
    outcome = runCli(words("peers revoke studio --json"), near());
    QCOMPARE(outcome.code, 0);
    QCOMPARE(runCli(words("peers --json"), near()).document()->at("peers").size(), 0U);
    QCOMPARE(runCli(words("peers revoke studio"), near()).code, 2);
}

void TestCliPeers::anUnknownCodeIsLogged()
{
    RunningCli server(words("serve --peer --no-iperf3 --peer-port 0 --bind 127.0.0.1 --json"),
                      far());
    const Json listening = next(server, "peer-listening");
    const QString host = QStringLiteral("127.0.0.1:%1").arg(listening.at("port").get<int>());
    // A code of another machine.
    const QString code = invite();
    const auto dropped = runCli(
        {QStringLiteral("peers"), QStringLiteral("pair"), host, QStringLiteral("napkin-aaaaa")},
        near());
    QCOMPARE(dropped.code, 2);
    QVERIFY(QFile::remove(path("far")));
    const auto refused =
        runCli({QStringLiteral("peers"), QStringLiteral("pair"), host, code}, near());
    QCOMPARE(refused.code, 3);
    const Json said = next(server, "peer-refused");
    QVERIFY(said.is_object());
    QCOMPARE(said.at("address").get<std::string>(), "127.0.0.1");
    QVERIFY(!said.at("why").get<std::string>().empty());
}

void TestCliPeers::wrongUse_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* line, const char* message) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(message);
    };
    add("peers frobnicate", "no such command or argument");
    add("peers pair", "HOST cannot be used.");
    add("peers pair h", "CODE cannot be used.");
    add("peers pair h napkin-abc", "copy the whole line");
    add("peers pair h:0 napkin-abc", "1 to 65,535");
    add("peers revoke nobody", "No machine is paired with this one yet");
    add("serve --peer-port 5210", "It needs --peer");
    add("serve --no-iperf3", "nothing would be served");
    add("serve --peer --peer-port 70000", "1 to 65,535 are possible");
    add("serve --peer --no-iperf3 --port 5201", "--peer-port");
    add("serve --install --uninstall", "Choose one of them");
}

void TestCliPeers::wrongUse()
{
    QFETCH(QString, line);
    QFETCH(QString, message);
    const auto outcome = runCli(line.split(u' '), near());
    QVERIFY2(outcome.err.contains(message.toUtf8()), outcome.err.constData());
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
}

void TestCliPeers::exposedKeysAreRefused()
{
    QVERIFY(!invite().isEmpty());
    QVERIFY(QFile::setPermissions(path("far"), QFile::ReadOwner | QFile::ReadOther));
    const auto outcome = runCli(words("peers"), far());
    QCOMPARE(outcome.code, 5);
    QVERIFY2(outcome.err.contains("chmod 600 " + path("far").toUtf8()), outcome.err.constData());
    QCOMPARE(runCli(words("serve --peer --no-iperf3 --peer-port 0"), far()).code, 5);
}

void TestCliPeers::servingPeersOnly()
{
    RunningCli server(words("serve --peer --port 0 --peer-port 0 --bind 127.0.0.1 --json"), far());
    QVERIFY(next(server, "peer-listening").is_object());
    QVERIFY(next(server, "listening").is_object());
    server.signal(SIGINT);
    QCOMPARE(server.outcome().code, 0);

    RunningCli alone(words("serve --peer --no-iperf3 --peer-port 0 --bind 127.0.0.1"), far());
    alone.process().setReadChannel(QProcess::StandardOutput);
    QVERIFY(alone.process().waitForReadyRead(10'000));
    const QByteArray said = alone.process().readAllStandardOutput();
    QVERIFY2(said.contains("paired machines only") && !said.contains("measure throughput"),
             said.constData());
}

void TestCliPeers::installWithoutAServiceManager()
{
    const QStringList environment =
        far() + QStringList{QStringLiteral("XDG_CONFIG_HOME=%1").arg(m_folder->path()),
                            QStringLiteral("PATH=/nowhere")};
    const auto outcome = runCli(
        words("serve --peer --peer-port 6000 --bind 127.0.0.1 --install --json"), environment);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto document = outcome.document();
    QVERIFY(document);
    QCOMPARE(document->at("enabled").get<bool>(), false);
    QVERIFY(document->at("commands").size() >= 2);
    QVERIFY(document->at("linger").get<std::string>().starts_with("loginctl enable-linger"));
    QFile unit(m_folder->filePath(QStringLiteral("systemd/user/napkin.service")));
    QVERIFY(unit.open(QIODevice::ReadOnly));
    const QByteArray text = unit.readAll();
    const QByteArray start = QByteArray("ExecStart=\"") + NAPKIN_CLI +
                             "\" \"serve\" \"--bind\" \"127.0.0.1\" \"--peer\" \"--peer-port\" "
                             "\"6000\" \"--peers\" \"" +
                             path("far").toUtf8() + "\"\n";
    QVERIFY2(text.contains(start), text.constData());
    QVERIFY(text.contains("NoNewPrivileges=yes"));
}

void TestCliPeers::installWithAServiceManager()
{
    // One that writes down what it is told.
    const QString log = m_folder->filePath(QStringLiteral("told"));
    QFile script(m_folder->filePath(QStringLiteral("systemctl")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho \"$@\" >>" + log.toUtf8() + "\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QStringList environment =
        far() + QStringList{QStringLiteral("XDG_CONFIG_HOME=%1").arg(m_folder->path()),
                            QStringLiteral("PATH=%1:/usr/bin:/bin").arg(m_folder->path())};
    const auto installed = runCli(words("serve --install --json"), environment);
    QVERIFY2(installed.code == 0, installed.err.constData());
    QCOMPARE(installed.document()->at("enabled").get<bool>(), true);
    const auto removed = runCli(words("serve --uninstall --json"), environment);
    QVERIFY2(removed.code == 0, removed.err.constData());
    QFile told(log);
    QVERIFY(told.open(QIODevice::ReadOnly));
    QCOMPARE(told.readAll(), QByteArray("--user daemon-reload\n"
                                        "--user enable napkin.service\n"
                                        "--user restart napkin.service\n"
                                        "--user disable --now napkin.service\n"
                                        "--user daemon-reload\n"));
    QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("systemd/user/napkin.service"))));
}

void TestCliPeers::uninstallWithoutAService()
{
    const auto outcome =
        runCli(words("serve --uninstall"),
               far() + QStringList{QStringLiteral("XDG_CONFIG_HOME=%1").arg(m_folder->path())});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("not installed"), outcome.err.constData());
}

QTEST_GUILESS_MAIN(TestCliPeers)
#include "tst_clipeers.moc"
