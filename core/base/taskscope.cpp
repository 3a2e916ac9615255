// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/taskscope.h"

#include "core/base/logging.h"

#include <QPointer>

#include <exception>

namespace napkin {

TaskScope::TaskScope(QObject* parent)
    : QObject(parent)
{}

TaskScope::~TaskScope()
{
    m_cancel.request_stop();
}

void TaskScope::start(QCoro::Task<void> task)
{
    ++m_running;
    [](QCoro::Task<void> inner, QPointer<TaskScope> scope) -> QCoro::Task<void> {
        try {
            co_await inner;
        } catch (const std::exception& e) {
            qCCritical(lcBase, "a task ended with an exception: %s", e.what());
        }
        if (scope && --scope->m_running == 0)
            Q_EMIT scope->idle();
    }(std::move(task), this);
}

void TaskScope::cancel()
{
    m_cancel.request_stop();
}

} // namespace napkin
