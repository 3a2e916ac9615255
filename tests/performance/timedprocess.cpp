// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/performance/timedprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace napkin::test {

namespace {

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

} // namespace

TimedProcess::TimedProcess(const QStringList& words)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error(std::strerror(errno));
    std::vector<std::string> texts;
    for (const QString& word : words)
        texts.push_back(word.toStdString());
    std::vector<char*> raw;
    for (std::string& text : texts)
        raw.push_back(text.data());
    raw.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure = posix_spawnp(&m_pid, raw.front(), &actions, nullptr, raw.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    m_output = ends[0];
    if (failure != 0)
        throw std::runtime_error(texts.front() + ": " + std::strerror(failure));
}

TimedProcess::~TimedProcess()
{
    if (m_pid > 0) {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    if (m_output >= 0)
        close(m_output);
}

void TimedProcess::interrupt() const
{
    kill(m_pid, SIGINT);
}

TimedProcess::Outcome TimedProcess::wait()
{
    Outcome outcome;
    std::array<char, 65536> piece{};
    for (;;) {
        const ssize_t count = read(m_output, piece.data(), piece.size());
        if (count > 0)
            outcome.output.append(piece.data(), count);
        else if (count == 0 || errno != EINTR)
            break;
    }
    int status = 0;
    rusage usage{};
    while (wait4(m_pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    if (WIFEXITED(status))
        outcome.exitCode = WEXITSTATUS(status);
    outcome.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return outcome;
}

} // namespace napkin::test
