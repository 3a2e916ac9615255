// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/signalwatch.h"

#include <QTimer>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace napkin::cli {

namespace {

constexpr std::array watched{SIGINT, SIGTERM, SIGHUP};
constexpr std::chrono::seconds patience(2);

// A signal handler can reach nothing but globals.
std::atomic<int> wakeDescriptor = -1;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void onSignal(int)
{
    const int saved = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(wakeDescriptor.load(), &byte, 1);
    errno = saved;
}

bool isIgnored(int signal)
{
    struct sigaction action = {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void handle(int signal, void (*handler)(int))
{
    if (signal == SIGHUP && isIgnored(signal))
        return;
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

} // namespace

SignalWatch::SignalWatch(QObject* parent)
    : QObject(parent)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // out of descriptors: the system's default handling stays
    m_readEnd = ends[0];
    m_writeEnd = ends[1];
    wakeDescriptor = m_writeEnd;
    m_notifier = std::make_unique<QSocketNotifier>(m_readEnd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SignalWatch::read);
    for (const int signal : watched)
        handle(signal, onSignal);
}

SignalWatch::~SignalWatch()
{
    if (m_readEnd < 0)
        return;
    for (const int signal : watched)
        handle(signal, SIG_DFL);
    m_notifier.reset();
    wakeDescriptor = -1;
    ::close(m_readEnd);
    ::close(m_writeEnd);
}

void SignalWatch::read()
{
    std::array<char, 16> bytes{};
    while (::read(m_readEnd, bytes.data(), bytes.size()) > 0) {
    }
    QTimer::singleShot(patience, this, [] {
        for (const int signal : watched)
            handle(signal, SIG_DFL);
    });
    Q_EMIT interrupted();
}

} // namespace napkin::cli
