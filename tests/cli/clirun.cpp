// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/clirun.h"

#include <QDeadlineTimer>
#include <QTcpServer>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace napkin::test {

std::optional<nlohmann::json> CliOutcome::document() const
{
    if (!out.endsWith('\n') || out.count('\n') != 1)
        return std::nullopt;
    auto parsed = nlohmann::json::parse(out.toStdString(), nullptr, false);
    if (!parsed.is_object() || parsed.value("format", "") != "napkin-cli")
        return std::nullopt;
    return parsed;
}

RunningCli::RunningCli(const QStringList& arguments, const QStringList& environment,
                       const QString& outputFile)
{
    if (!outputFile.isEmpty())
        m_process.setStandardOutputFile(outputFile);
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const QString& entry : environment)
        all.insert(entry.section(u'=', 0, 0), entry.section(u'=', 1));
    m_process.setProcessEnvironment(all);
    m_process.start(QStringLiteral(NAPKIN_CLI), arguments);
    m_process.waitForStarted();
}

RunningCli::~RunningCli()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

void RunningCli::signal(int number)
{
    ::kill(static_cast<pid_t>(m_process.processId()), number);
}

bool RunningCli::hasSaid(const QByteArray& text)
{
    const QDeadlineTimer deadline(10'000);
    while (!m_err.contains(text) && !deadline.hasExpired()) {
        m_process.setReadChannel(QProcess::StandardError);
        if (!m_process.waitForReadyRead(static_cast<int>(deadline.remainingTime())))
            break;
        m_err += m_process.readAllStandardError();
    }
    return m_err.contains(text);
}

CliOutcome RunningCli::outcome()
{
    CliOutcome outcome;
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(30'000))
        return outcome;
    outcome.code = m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    outcome.out = m_process.readAllStandardOutput();
    outcome.err = m_err + m_process.readAllStandardError();
    return outcome;
}

CliOutcome runCli(const QStringList& arguments, const QStringList& environment,
                  const QString& outputFile)
{
    RunningCli cli(arguments, environment, outputFile);
    return cli.outcome();
}

namespace {

// One side of a pseudo terminal.
class Descriptor
{
public:
    explicit Descriptor(int fd)
        : m_fd(fd)
    {}
    ~Descriptor() { ::close(m_fd); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] QByteArray readAll() const
    {
        QByteArray all;
        std::array<char, 4096> part{};
        for (ssize_t n = 0; (n = ::read(m_fd, part.data(), part.size())) > 0;)
            all.append(part.data(), n);
        return all;
    }

private:
    int m_fd;
};

} // namespace

CliOutcome runCliOnTerminal(const QStringList& arguments, int columns)
{
    const Descriptor master(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK));
    ::grantpt(master.fd());
    ::unlockpt(master.fd());
    const QString name = QString::fromLocal8Bit(::ptsname(master.fd()));
    const Descriptor held(::open(name.toLocal8Bit().constData(), O_RDWR | O_NOCTTY));
    termios mode{};
    ::tcgetattr(held.fd(), &mode);
    ::cfmakeraw(&mode);
    ::tcsetattr(held.fd(), TCSANOW, &mode);
    const winsize size{50, static_cast<unsigned short>(columns), 0, 0};
    ::ioctl(held.fd(), TIOCSWINSZ, &size);
    RunningCli cli(arguments, {}, name);
    QByteArray out;
    const QDeadlineTimer deadline(20'000);
    while (cli.process().state() != QProcess::NotRunning && !deadline.hasExpired()) {
        cli.process().waitForFinished(20);
        out += master.readAll();
    }
    CliOutcome outcome = cli.outcome();
    outcome.out = out + master.readAll();
    return outcome;
}

ServingCli::ServingCli()
    : m_cli({QStringLiteral("serve"), QStringLiteral("--port"), QStringLiteral("0"),
             QStringLiteral("--bind"), QStringLiteral("127.0.0.1"), QStringLiteral("--json")})
{
    QProcess& process = m_cli.process();
    process.setReadChannel(QProcess::StandardOutput);
    const QDeadlineTimer deadline(10'000);
    while (!process.canReadLine() && !deadline.hasExpired()) {
        if (!process.waitForReadyRead(static_cast<int>(deadline.remainingTime())))
            return;
    }
    const auto said = nlohmann::json::parse(process.readLine().toStdString(), nullptr, false);
    if (said.is_object() && said.value("event", "") == "listening")
        m_port = QString::number(said.at("port").get<int>());
}

StockServer::StockServer()
{
    const QString port = freePort();
    m_process.start(QStringLiteral("iperf3"),
                    {QStringLiteral("--server"), QStringLiteral("--bind"),
                     QStringLiteral("127.0.0.1"), QStringLiteral("--port"), port,
                     QStringLiteral("--forceflush")});
    QByteArray said;
    while (!said.contains("listening") && m_process.waitForReadyRead(10'000))
        said += m_process.readAllStandardOutput();
    if (said.contains("listening"))
        m_port = port;
}

StockServer::~StockServer()
{
    m_process.kill();
    m_process.waitForFinished();
}

QString freePort()
{
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost, 0);
    return QString::number(probe.serverPort());
}

} // namespace napkin::test
