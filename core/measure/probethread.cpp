// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/probethread.h"

#include "core/base/gate.h"

#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace napkin {

namespace {

// Between the probe's thread, which puts, and the caller's, which takes.
class Mailbox
{
public:
    void put(Progress progress)
    {
        const std::lock_guard lock(m_mutex);
        m_progress.push_back(std::move(progress));
        wake();
    }
    void put(Result<ProbeResult> outcome)
    {
        const std::lock_guard lock(m_mutex);
        m_outcome = std::move(outcome);
        wake();
    }
    // `opener` is called once, as soon as there is something to take.
    void wait(std::function<void()> opener)
    {
        const std::lock_guard lock(m_mutex);
        m_opener = std::move(opener);
        if (!m_progress.empty() || m_outcome)
            wake();
    }
    std::pair<std::deque<Progress>, std::optional<Result<ProbeResult>>> take()
    {
        const std::lock_guard lock(m_mutex);
        return {std::exchange(m_progress, {}), std::exchange(m_outcome, std::nullopt)};
    }

private:
    void wake()
    {
        if (auto open = std::exchange(m_opener, nullptr))
            open();
    }

    std::mutex m_mutex;
    std::deque<Progress> m_progress;
    std::optional<Result<ProbeResult>> m_outcome;
    std::function<void()> m_opener;
};

Result<ProbeResult> runGuarded(const ProbeJob& job, const std::shared_ptr<Mailbox>& mailbox)
{
    try {
        return job([mailbox](Progress progress) { mailbox->put(std::move(progress)); });
    } catch (const std::exception& e) {
        return tl::unexpected(errorFrom(e));
    }
}

} // namespace

QCoro::Task<Result<ProbeResult>> runOnThread(ProbeJob job, ProgressSink sink)
{
    auto mailbox = std::make_shared<Mailbox>();
    std::jthread thread;
    try {
        thread = std::jthread(
            [job = std::move(job), mailbox] { mailbox->put(runGuarded(job, mailbox)); });
    } catch (const std::exception& e) {
        mailbox->put(tl::unexpected(errorFrom(e)));
    }
    while (true) {
        Gate gate;
        mailbox->wait(gate.opener());
        co_await gate;
        auto [progress, outcome] = mailbox->take();
        for (const Progress& item : progress) {
            if (sink)
                sink(item);
        }
        if (outcome)
            co_return std::move(*outcome);
    }
}

} // namespace napkin
