// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/host/activitywatch.h"

#include "core/measure/host/counters.h"
#include "core/measure/os/cputime.h"
#include "core/measure/os/machine.h"
#include "core/measure/throughput/cpumeter.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace napkin {

using namespace std::chrono_literals;

class ActivityWatch::Watcher
{
public:
    Watcher();
    ~Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    Watcher(Watcher&&) = delete;
    Watcher& operator=(Watcher&&) = delete;

    HostActivity finish();

private:
    void watch(const std::stop_token& stop);
    void closeWindow(const CoreTimes& now);
    void closeShares();

    HostActivity m_activity;
    SteadyTime m_start;
    CoreTimes m_windowStart; // as is the busiest core: the thread's, until it has ended
    std::optional<Ratio> m_busiest;
    std::optional<Duration> m_programs; // as it began
    CpuMeter m_own;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread; // last: it ends before what it uses goes
};

ActivityWatch::Watcher::Watcher()
    : m_windowStart(readCoreTimes())
    , m_programs(readProgramTime())
{
    m_activity.loadBefore = readLoad().value;
    m_activity.before = readCounters();
    m_start = std::chrono::steady_clock::now();
    m_thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void ActivityWatch::Watcher::watch(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    for (auto next = m_start + 1s;; next += 1s) {
        m_wake.wait_until(lock, stop, next, [] { return false; });
        if (stop.stop_requested())
            return;
        closeWindow(readCoreTimes());
        next = std::max(next, std::chrono::steady_clock::now() - 1s); // after a suspend
    }
}

void ActivityWatch::Watcher::closeWindow(const CoreTimes& now)
{
    if (const auto share = busiestCore(m_windowStart, now))
        m_busiest = m_busiest ? std::max(*m_busiest, *share) : share;
    m_windowStart = now;
}

void ActivityWatch::Watcher::closeShares()
{
    const double own = m_own.use().total.value();
    m_activity.ownCores = own;
    const auto programs = readProgramTime();
    if (!programs || !m_programs || *programs < *m_programs ||
        m_activity.length <= Duration::zero())
        return;
    const double all = inSeconds(*programs - *m_programs) / inSeconds(m_activity.length);
    m_activity.otherCores = std::max(0.0, all - own);
}

HostActivity ActivityWatch::Watcher::finish()
{
    const SteadyTime end = std::chrono::steady_clock::now();
    m_activity.after = readCounters();
    const CoreTimes last = readCoreTimes();
    m_thread.request_stop();
    m_thread.join();
    m_activity.length = end - m_start;
    closeShares();
    // What is left of the last second counts when it is long enough to say something, and when
    // there is nothing else.
    const Duration rest = m_activity.length % 1s;
    if (rest >= 500ms || !m_busiest)
        closeWindow(last);
    m_activity.busiestCore = m_busiest;
    return std::move(m_activity);
}

ActivityWatch::ActivityWatch()
    : m_watcher(std::make_unique<Watcher>())
{}

ActivityWatch::~ActivityWatch() = default;
ActivityWatch::ActivityWatch(ActivityWatch&&) noexcept = default;
ActivityWatch& ActivityWatch::operator=(ActivityWatch&&) noexcept = default;

HostActivity ActivityWatch::stop()
{
    if (m_watcher)
        m_seen = m_watcher->finish();
    m_watcher.reset();
    return m_seen;
}

} // namespace napkin
