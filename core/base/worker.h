// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/gate.h"

#include <QCoroTask>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace napkin {

// One thread that runs jobs in the order they came. Destroying it finishes the running job, drops
// the queued ones (whoever awaits those gets Cancelled) and joins.
class Worker
{
public:
    Worker();
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;

    void post(std::function<void()> job); // any thread

private:
    void loop(const std::stop_token& stop);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<std::function<void()>> m_jobs;
    std::jthread m_thread;
};

namespace detail {

// Shared between the job and the one who waits for it. Written by the worker before `announce` is
// destroyed, read by the waiter after the gate opened.
template <typename T>
struct JobSlot
{
    std::mutex mutex;
    std::optional<Result<T>> outcome;
};

class Announce
{
public:
    explicit Announce(std::function<void()> tell)
        : m_tell(std::move(tell))
    {}
    ~Announce() { m_tell(); }
    Announce(const Announce&) = delete;
    Announce& operator=(const Announce&) = delete;
    Announce(Announce&&) = delete;
    Announce& operator=(Announce&&) = delete;

private:
    std::function<void()> m_tell;
};

template <typename Outcome>
struct ValueOf;
template <typename T>
struct ValueOf<Result<T>>
{
    using type = T;
};

// `worker` is used before the first suspension and never after.
template <typename Job>
QCoro::Task<std::invoke_result_t<Job&>> runJob(Worker* worker, Job job)
{
    using Outcome = std::invoke_result_t<Job&>;
    using T = typename ValueOf<Outcome>::type;
    Gate gate;
    auto slot = std::make_shared<JobSlot<T>>();
    auto shared = std::make_shared<Job>(std::move(job));
    {
        auto announce = std::make_shared<Announce>(gate.opener());
        worker->post([slot, shared, announce]() mutable {
            Outcome outcome = fail(ErrorCode::Internal);
            try {
                outcome = (*shared)();
            } catch (const std::exception& e) {
                outcome = tl::unexpected(errorFrom(e));
            }
            shared.reset(); // what the job holds dies on the worker, before the waiter goes on
            const std::lock_guard lock(slot->mutex);
            slot->outcome.emplace(std::move(outcome));
        });
        shared.reset();
    }
    co_await gate;
    const std::lock_guard lock(slot->mutex);
    if (!slot->outcome)
        co_return fail(ErrorCode::Cancelled);
    co_return std::move(*slot->outcome);
}

} // namespace detail

// Runs `job` (which returns a Result<T>) on the worker and resumes here with what it returned. An
// exception that escapes the job becomes Internal; a job dropped by the worker's end becomes
// Cancelled, so destroying the worker ends the wait.
template <typename Job>
QCoro::Task<std::invoke_result_t<Job&>> runOn(Worker& worker, Job job)
{
    return detail::runJob(&worker, std::move(job));
}

} // namespace napkin
