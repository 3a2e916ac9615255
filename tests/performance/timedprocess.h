// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

#include <sys/types.h>

namespace napkin::test {

// A process whose own use of the processors is known once it has ended.
class TimedProcess
{
public:
    struct Outcome
    {
        int exitCode = -1; // -1: ended by a signal
        QByteArray output;
        double cpuSeconds = 0; // user and system, of all its threads
    };

    explicit TimedProcess(const QStringList& words); // throws std::runtime_error
    ~TimedProcess();
    TimedProcess(const TimedProcess&) = delete;
    TimedProcess& operator=(const TimedProcess&) = delete;

    void interrupt() const; // as Ctrl-C does
    Outcome wait();

private:
    pid_t m_pid = -1;
    int m_output = -1;
};

} // namespace napkin::test
