// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/networklab.h"

#include <QElapsedTimer>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

namespace napkin::test {

namespace {

using namespace std::chrono_literals;

constexpr const char* insideMark = "NAPKIN_INSIDE_NETWORK_LAB";

[[noreturn]] void refuse(const QStringList& words, const CommandResult& result)
{
    const QString said = QString::fromUtf8(result.errors + result.output).trimmed();
    throw std::runtime_error(QStringLiteral("%1: %2").arg(words.join(u' '), said).toStdString());
}

QStringList inside(const QString& host, const QStringList& words)
{
    return QStringList{QStringLiteral("ip"), QStringLiteral("netns"), QStringLiteral("exec"),
                       host} +
           words;
}

CommandResult runHere(const QStringList& words, std::chrono::milliseconds limit)
{
    Running running(words.first(), words.mid(1));
    return running.finish(limit);
}

// The child is killed with its parent, and all its descendants with it.
QStringList unshareWords(bool asUser)
{
    QStringList words{QStringLiteral("unshare"), QStringLiteral("--net"),
                      QStringLiteral("--mount"), QStringLiteral("--pid"),
                      QStringLiteral("--fork"),  QStringLiteral("--kill-child")};
    if (asUser)
        words += {QStringLiteral("--user"), QStringLiteral("--map-root-user")};
    return words;
}

bool canUnshare(bool asUser)
{
    // All that the lab needs: a place for names of its own, and a namespace with a shaped cable.
    const QString tryIt = QStringLiteral("mount -t tmpfs lab /run && ip netns add try && "
                                         "ip -n try link set lo up && ip netns exec try true");
    const QStringList words =
        unshareWords(asUser) + QStringList{QStringLiteral("sh"), QStringLiteral("-c"), tryIt};
    return runHere(words, 10s).exitCode == 0;
}

void becomeInside(int argc, char** argv, bool asUser)
{
    std::vector<std::string> words;
    for (const QString& word : unshareWords(asUser))
        words.push_back(word.toStdString());
    words.emplace_back("/proc/self/exe");
    // unshare's own /proc/self/exe would be unshare: resolve it now.
    std::string program(4096, '\0');
    const auto length = readlink("/proc/self/exe", program.data(), program.size());
    program.resize(length > 0 ? static_cast<size_t>(length) : 0);
    words.back() = program;
    words.insert(words.end(), argv + 1, argv + argc);
    std::vector<char*> raw;
    for (std::string& word : words)
        raw.push_back(word.data());
    raw.push_back(nullptr);
    setenv(insideMark, "1", 1);
    execvp(raw.front(), raw.data());
}

} // namespace

Running::Running(const QString& program, const QStringList& arguments)
    : m_process(std::make_unique<QProcess>())
    , m_started(std::chrono::steady_clock::now())
{
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->start(program, arguments);
    m_process->waitForStarted();
}

Running::~Running()
{
    if (m_process && m_process->state() != QProcess::NotRunning) {
        m_process->kill();
        m_process->waitForFinished();
    }
}

CommandResult Running::finish(std::chrono::milliseconds limit)
{
    CommandResult result;
    const bool ended = m_process->state() == QProcess::NotRunning ||
                       m_process->waitForFinished(static_cast<int>(limit.count()));
    if (!ended) {
        m_process->kill();
        m_process->waitForFinished();
    } else if (m_process->error() != QProcess::FailedToStart &&
               m_process->exitStatus() == QProcess::NormalExit) {
        result.exitCode = m_process->exitCode();
    }
    result.took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - m_started);
    result.output = m_process->readAllStandardOutput();
    result.errors = m_process->readAllStandardError();
    if (m_process->error() == QProcess::FailedToStart)
        result.errors += m_process->errorString().toUtf8();
    return result;
}

NetworkLab::~NetworkLab()
{
    for (const QString& host : m_hosts)
        runHere({QStringLiteral("ip"), QStringLiteral("netns"), QStringLiteral("del"), host}, 10s);
}

void NetworkLab::must(const QStringList& words)
{
    const CommandResult result = runHere(words, 10s);
    if (result.exitCode != 0)
        refuse(words, result);
}

void NetworkLab::addHost(const QString& name)
{
    must({QStringLiteral("ip"), QStringLiteral("netns"), QStringLiteral("add"), name});
    m_hosts += name;
    // A bridge would hand packets to the packet filter, where the kernel has that, and it would
    // fragment them.
    command(name, {QStringLiteral("sh"), QStringLiteral("-c"),
                   QStringLiteral("ip link set lo up; for f in iptables ip6tables arptables; do "
                                  "f=/proc/sys/net/bridge/bridge-nf-call-$f; "
                                  "[ ! -e $f ] || echo 0 >$f; done")});
}

void NetworkLab::addBridge(const QString& host, const QString& name, const QStringList& ports)
{
    const QString ip = QStringLiteral("ip");
    const QString link = QStringLiteral("link");
    command(host, {ip, link, QStringLiteral("add"), QStringLiteral("name"), name,
                   QStringLiteral("type"), QStringLiteral("bridge")});
    for (const QString& port : ports)
        command(host, {ip, link, QStringLiteral("set"), port, QStringLiteral("master"), name});
    command(host, {ip, link, QStringLiteral("set"), name, QStringLiteral("up")});
}

void NetworkLab::addCable(const CableEnd& a, const CableEnd& b, int mtu)
{
    must({QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("add"), a.interfaceName,
          QStringLiteral("netns"), a.host, QStringLiteral("mtu"), QString::number(mtu),
          QStringLiteral("type"), QStringLiteral("veth"), QStringLiteral("peer"),
          QStringLiteral("name"), b.interfaceName, QStringLiteral("netns"), b.host,
          QStringLiteral("mtu"), QString::number(mtu)});
    for (const CableEnd* end : {&a, &b}) {
        // Without duplicate address detection an IPv6 address is usable at once.
        QString script = QStringLiteral("ip link set %1 up").arg(end->interfaceName);
        for (const QString& address : end->addresses)
            script += QStringLiteral(" && ip addr add %1 dev %2 %3")
                          .arg(address, end->interfaceName,
                               address.contains(u':') ? QStringLiteral("nodad") : QString());
        command(end->host, {QStringLiteral("sh"), QStringLiteral("-c"), script});
    }
}

void NetworkLab::shape(const QString& host, const QString& interfaceName, qint64 bitsPerSecond)
{
    // 1.6 ms worth of burst, at least 128 KiB: less, and the shaper starves between its ticks.
    const qint64 burst = std::max<qint64>(128 * 1024, bitsPerSecond / 8 * 16 / 10'000);
    const qint64 limit = bitsPerSecond <= 100'000'000 ? 1'000'000 : 4'000'000;
    command(host, {QStringLiteral("tc"), QStringLiteral("qdisc"), QStringLiteral("add"),
                   QStringLiteral("dev"), interfaceName, QStringLiteral("root"),
                   QStringLiteral("tbf"), QStringLiteral("rate"),
                   QStringLiteral("%1bit").arg(bitsPerSecond), QStringLiteral("burst"),
                   QString::number(burst), QStringLiteral("limit"), QString::number(limit)});
}

QByteArray NetworkLab::command(const QString& host, const QStringList& words)
{
    const CommandResult result = run(host, words, 10s);
    if (result.exitCode != 0)
        refuse(words, result);
    return result.output;
}

qint64 NetworkLab::counter(const QString& host, const QString& interfaceName, const QString& name)
{
    const QByteArray text =
        command(host, {QStringLiteral("cat"),
                       QStringLiteral("/sys/class/net/%1/statistics/%2").arg(interfaceName, name)});
    return text.trimmed().toLongLong();
}

Running NetworkLab::start(const QString& host, const QStringList& words)
{
    const QStringList all = inside(host, words);
    return {all.first(), all.mid(1)};
}

CommandResult NetworkLab::run(const QString& host, const QStringList& words,
                              std::chrono::milliseconds limit)
{
    return runHere(inside(host, words), limit);
}

void NetworkLab::inHost(const QString& host, const std::function<void()>& job)
{
    std::exception_ptr fault;
    std::thread([&] {
        try {
            const int space =
                open(("/run/netns/" + host.toStdString()).c_str(), O_RDONLY | O_CLOEXEC);
            const bool isIn = space >= 0 && setns(space, CLONE_NEWNET) == 0;
            close(space);
            if (!isIn)
                throw std::runtime_error("no way into " + host.toStdString());
            job();
        } catch (...) {
            fault = std::current_exception();
        }
    }).join();
    if (fault)
        std::rethrow_exception(fault);
}

void NetworkLab::waitForListener(const QString& host, int port)
{
    QElapsedTimer waited;
    waited.start();
    const QByteArray wanted = QByteArray(":") + QByteArray::number(port) + ' ';
    while (waited.elapsed() < 5000) {
        if (command(host, {QStringLiteral("ss"), QStringLiteral("-Hltn")}).contains(wanted))
            return;
        QTest::qSleep(10);
    }
    throw std::runtime_error("nothing listens on port " + std::to_string(port));
}

bool enterNetworkLab(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet(insideMark)) {
        // Names of namespaces live below /run: in one of our own they meet nobody else's.
        if (mount("lab", "/run", "tmpfs", 0, nullptr) == 0)
            return true;
        std::perror("mounting /run in the lab");
        return false;
    }
    for (const bool asUser : {false, true}) {
        if (canUnshare(asUser))
            becomeInside(argc, argv, asUser);
    }
    std::fputs("These tests need network namespaces: run them as root, or allow users to make "
               "namespaces (sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu "
               "kernel.apparmor_restrict_unprivileged_userns=0).\n",
               stderr);
    return false;
}

} // namespace napkin::test
