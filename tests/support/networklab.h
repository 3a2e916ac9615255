// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTest>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace napkin::test {

// What a command printed, and how it ended.
struct CommandResult
{
    int exitCode = -1; // -1: it crashed, could not be started or had to be killed
    QByteArray output;
    QByteArray errors;
    std::chrono::milliseconds took{};
};

// A process that is killed, and waited for, when it goes out of scope.
class Running
{
public:
    Running(const QString& program, const QStringList& arguments);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    Running(Running&&) = default;
    Running& operator=(Running&&) = delete;

    [[nodiscard]] QProcess& process() { return *m_process; }
    // Kills it when it has not ended by then.
    CommandResult finish(std::chrono::milliseconds limit);

private:
    std::unique_ptr<QProcess> m_process;
    std::chrono::steady_clock::time_point m_started;
};

struct CableEnd
{
    QString host;
    QString interfaceName;
    QStringList addresses; // "10.0.0.1/24", "fd00::1/64"
};

// Machines (network namespaces) and cables (veth pairs) between them, for as long as the process
// lives. The process must have been started through networkMain(), which gives it network, mounts
// and processes of its own: nothing of it is seen from outside, and nothing is left behind however
// it ends. Members throw std::runtime_error with the command's own words.
class NetworkLab
{
public:
    NetworkLab() = default;
    ~NetworkLab(); // takes its hosts down; what runs in them must have ended
    NetworkLab(const NetworkLab&) = delete;
    NetworkLab& operator=(const NetworkLab&) = delete;

    void addHost(const QString& name);
    void addBridge(const QString& host, const QString& name, const QStringList& ports);
    void addCable(const CableEnd& a, const CableEnd& b, int mtu = 1500);

    // Limits what leaves through an interface. Burst and queue are chosen so that TCP gets the rate
    // to within 0.2 % from 100 Mbit/s to 5 Gbit/s.
    void shape(const QString& host, const QString& interfaceName, qint64 bitsPerSecond);

    // One command in a host; throws when it fails.
    QByteArray command(const QString& host, const QStringList& words);
    [[nodiscard]] qint64 counter(const QString& host, const QString& interfaceName,
                                 const QString& name);

    [[nodiscard]] Running start(const QString& host, const QStringList& words);
    CommandResult run(const QString& host, const QStringList& words,
                      std::chrono::milliseconds limit = std::chrono::seconds(30));

    // Runs the job on a thread that lives in that host, and so does every thread and socket that it
    // makes. Waits for its end.
    static void inHost(const QString& host, const std::function<void()>& job);

    // Until something listens on the TCP port there; throws after five seconds.
    void waitForListener(const QString& host, int port);

private:
    static void must(const QStringList& words);

    QStringList m_hosts;
};

// Starts this program again with namespaces of its own, as root or, where users may do that, as an
// ordinary user. Comes back only inside (true), or when that cannot be had (false, said on stderr).
[[nodiscard]] bool enterNetworkLab(int argc, char** argv);

// main() of a test that uses a NetworkLab.
template <typename TestObject>
int networkMain(int argc, char** argv)
{
    if (!enterNetworkLab(argc, argv))
        return 1;
    const QCoreApplication application(argc, argv);
    TestObject test;
    try {
        return QTest::qExec(&test, argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what()); // the test it came from has been named already
        return 1;
    }
}

} // namespace napkin::test
