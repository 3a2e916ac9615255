// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>

namespace napkin {

// Waits for the first of several things: a signal, a failure signal, the sender's death, a
// time-out, a cancellation. It always opens once one of them happens, and it never resumes the
// coroutine from inside the sender's emit. QCoro's own signal wrapper never resumes when the sender
// dies; this one does.
//
// Lives in the awaiting coroutine's frame and belongs to its thread. Only the cancellation and what
// opener() made may come from another thread. Await it once.
class Gate : public QObject
{
    Q_OBJECT
public:
    enum class Opened { Signal, Error, Destroyed, TimedOut, Cancelled };

    Gate() = default;
    ~Gate() override;
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    Gate(Gate&&) = delete;
    Gate& operator=(Gate&&) = delete;

    template <typename Sender, typename SignalFunction>
    Gate& on(Sender* sender, SignalFunction signal, Opened as = Opened::Signal)
    {
        connect(sender, signal, this, [this, as] { open(as); });
        connect(sender, &QObject::destroyed, this, [this] { open(Opened::Destroyed); });
        return *this;
    }
    Gate& after(std::chrono::milliseconds timeout);
    Gate& on(CancelToken token);
    void open(Opened how);

    // Opens this gate from any thread, even after the gate is gone.
    [[nodiscard]] std::function<void()> opener();

    auto operator co_await() noexcept
    {
        struct Awaiter
        {
            Gate& gate;
            [[nodiscard]] bool await_ready() const noexcept { return gate.m_opened.has_value(); }
            void await_suspend(std::coroutine_handle<> handle) const noexcept
            {
                gate.m_waiting = handle;
            }
            Opened await_resume() const noexcept { return *gate.m_opened; }
        };
        return Awaiter{*this};
    }

private:
    struct Remote;
    void resumeSoon();
    const std::shared_ptr<Remote>& remote();

    std::optional<Opened> m_opened;
    std::coroutine_handle<> m_waiting;
    QTimer m_timer;
    std::shared_ptr<Remote> m_remote;
    std::optional<std::stop_callback<std::function<void()>>> m_cancel;
};

} // namespace napkin
