// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/childprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

extern char** environ;

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr qsizetype mostText = 64 * 1024;

// Killed and waited for, unless it has ended.
class Child
{
public:
    explicit Child(pid_t pid)
        : m_pid(pid)
    {}
    ~Child()
    {
        if (m_pid < 0)
            return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    Child(Child&&) = delete;
    Child& operator=(Child&&) = delete;

    // Its exit code once it has ended by itself; -1 when that takes longer.
    int endSoon()
    {
        constexpr int tries = 50;
        for (int i = 0; i < tries; ++i) {
            int status = 0;
            if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
                m_pid = -1;
                return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            }
            ::poll(nullptr, 0, 5);
        }
        return -1;
    }

private:
    pid_t m_pid;
};

class SpawnActions
{
public:
    explicit SpawnActions(int output)
    {
        ::posix_spawn_file_actions_init(&m_actions);
        ::posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&m_actions, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&m_actions, output, STDERR_FILENO);
    }
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&m_actions); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    SpawnActions(SpawnActions&&) = delete;
    SpawnActions& operator=(SpawnActions&&) = delete;
    [[nodiscard]] const posix_spawn_file_actions_t* raw() const { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> raw;
    raw.reserve(words.size() + 1);
    for (std::string& word : words)
        raw.push_back(word.data());
    raw.push_back(nullptr);
    return raw;
}

std::vector<std::string> environmentInC()
{
    std::vector<std::string> all{"LC_ALL=C"};
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (!text.starts_with("LC_") && !text.starts_with("LANG"))
            all.push_back(text);
    }
    return all;
}

Result<pid_t> spawn(const QString& program, const QStringList& arguments, int output)
{
    std::vector<std::string> words{program.toStdString()};
    for (const QString& argument : arguments)
        words.push_back(argument.toStdString());
    std::vector<std::string> environment = environmentInC();
    const SpawnActions actions(output);
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, words.front().c_str(), actions.raw(), nullptr,
                                     pointersTo(words).data(), pointersTo(environment).data());
    if (error == ENOENT)
        return fail(ErrorCode::NotFound, program, textOfErrno(error));
    if (error != 0)
        return fail(codeOfErrno(error), program, textOfErrno(error));
    return pid;
}

} // namespace

Result<ChildOutput> followChild(const QString& program, const QStringList& arguments,
                                Deadline deadline, const Interrupt& interrupt,
                                const TakeOutput& take)
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return fail(codeOfErrno(errno), program, textOfErrno(errno));
    const Socket reading(ends[0]);
    Socket writing(ends[1]);
    const auto pid = spawn(program, arguments, writing.fd());
    if (!pid)
        return tl::unexpected(pid.error());
    Child child(*pid);
    writing.close();
    ChildOutput output;
    std::array<char, 4096> chunk{};
    while (true) {
        const Ready ready = waitReady(reading.fd(), POLLIN, deadline, interrupt);
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled);
        if (ready == Ready::TimedOut)
            return output;
        const ssize_t got = ::read(reading.fd(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (take({chunk.data(), got}) == GoOn::No)
            return output;
    }
    output.exitCode = child.endSoon();
    return output;
}

Result<ChildOutput> runChild(const QString& program, const QStringList& arguments,
                             Deadline deadline, const Interrupt& interrupt)
{
    QByteArray text;
    const auto keep = [&text](QByteArrayView piece) {
        text += piece;
        return text.size() < mostText ? GoOn::Yes : GoOn::No;
    };
    return followChild(program, arguments, deadline, interrupt, keep)
        .map([&text](ChildOutput output) {
            output.text = std::move(text);
            return output;
        });
}

} // namespace napkin
