// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace napkin::cli {

// Turns SIGINT, SIGTERM and SIGHUP into one Qt signal, and lets writes to a closed pipe fail
// instead of killing the program. A while after the first one the system's default is back, so that
// a second Ctrl-C ends a program that hangs. A SIGHUP that was ignored (nohup) stays so. At most
// one watch at a time.
class SignalWatch : public QObject
{
    Q_OBJECT
public:
    explicit SignalWatch(QObject* parent = nullptr);
    ~SignalWatch() override;

Q_SIGNALS:
    void interrupted();

private:
    void read();

    int m_readEnd = -1;
    int m_writeEnd = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace napkin::cli
