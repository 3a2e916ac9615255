// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"

#include <QCoroTask>
#include <QObject>

namespace napkin {

// Owns tasks that nobody awaits: only the window's task runner and the command line's main start
// such tasks. To end: cancel(), wait for idle() (with a deadline), destroy. An exception that
// escapes a task is logged.
class TaskScope : public QObject
{
    Q_OBJECT
public:
    explicit TaskScope(QObject* parent = nullptr);
    ~TaskScope() override; // cancels; tasks still running go on without the scope until they see it

    [[nodiscard]] CancelToken token() const { return m_cancel.get_token(); }
    [[nodiscard]] int running() const { return m_running; }
    void start(QCoro::Task<void> task);
    void
    cancel(); // every task that took token(); the scope can not be used for new work afterwards

Q_SIGNALS:
    void idle(); // the last task ended

private:
    CancelSource m_cancel;
    int m_running = 0;
};

} // namespace napkin
