// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoroTask>
#include <QEventLoop>
#include <QTimer>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <variant>

namespace napkin::test {

// Runs a task to its end on an event loop, rethrows what it threw, and throws when it takes longer
// than `limit`. (QCoro::waitFor hangs for ever when the task throws.) For tests only.
template <typename T>
T sync(QCoro::Task<T> task, std::chrono::milliseconds limit = std::chrono::seconds(10))
{
    using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
    struct State
    {
        QEventLoop loop;
        std::optional<Value> value;
        std::exception_ptr error;
        bool done = false;
    };
    auto state = std::make_shared<State>();
    [](QCoro::Task<T> inner, std::shared_ptr<State> s) -> QCoro::Task<void> {
        try {
            if constexpr (std::is_void_v<T>) {
                co_await inner;
                s->value.emplace();
            } else {
                s->value.emplace(co_await inner);
            }
        } catch (...) {
            s->error = std::current_exception();
        }
        s->done = true;
        s->loop.quit();
    }(std::move(task), state);
    QTimer::singleShot(limit, &state->loop, &QEventLoop::quit);
    if (!state->done)
        state->loop.exec();
    if (!state->done)
        throw std::runtime_error("the task did not end in time");
    if (state->error)
        std::rethrow_exception(state->error);
    if constexpr (!std::is_void_v<T>)
        return std::move(*state->value);
}

} // namespace napkin::test
