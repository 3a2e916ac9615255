// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/memory/memoryrun.h"

#include "core/measure/os/cputime.h"
#include "core/measure/os/hostconditions.h"
#include "core/results/data.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::MemoryBandwidth)
};

constexpr Duration lookAtOthers = 300ms; // thirty of the kernel's ticks a core
constexpr Duration tellEvery = 100ms;

std::optional<Ratio> busyShare(const CoreTimes& before, const CoreTimes& after)
{
    std::uint64_t busy = 0;
    std::uint64_t all = 0;
    for (const auto& [core, now] : after) {
        const auto then = before.find(core);
        if (then == before.end() || now.busy < then->second.busy || now.idle < then->second.idle)
            continue;
        busy += now.busy - then->second.busy;
        all += now.busy - then->second.busy + now.idle - then->second.idle;
    }
    return all > 0 ? std::optional(Ratio::of(static_cast<double>(busy) / static_cast<double>(all)))
                   : std::nullopt;
}

Duration longestOf(const MemoryOptions& options)
{
    return options.duration + 20s;
}

} // namespace

MemoryRun::MemoryRun(ProbeSpec spec, MemoryPlan plan, CancelToken cancel, Tell tell,
                     MemoryCrew::Meddle meddle)
    : m_spec(std::move(spec))
    , m_options(std::get<MemoryOptions>(m_spec.options))
    , m_plan(std::move(plan))
    , m_cancel(std::move(cancel))
    , m_tell(std::move(tell))
    , m_meddle(std::move(meddle))
{
    m_data.threads = static_cast<int>(m_plan.processors.size());
    m_data.cores = m_plan.cores;
    m_data.arraySize =
        ByteCount::bytes(static_cast<std::int64_t>(m_plan.elements * sizeof(double)));
    m_data.cacheSize = m_plan.cacheSize;
}

// What runs here besides, before anything of ours does. False: cancelled.
bool MemoryRun::watchOthers()
{
    const CoreTimes before = readCoreTimes();
    const auto until = std::chrono::steady_clock::now() + lookAtOthers;
    while (std::chrono::steady_clock::now() < until) {
        if (m_cancel.stop_requested())
            return false;
        std::this_thread::sleep_for(20ms);
    }
    m_data.busyBefore = busyShare(before, readCoreTimes());
    return !m_cancel.stop_requested();
}

void MemoryRun::take(MemoryCrew& crew)
{
    MemoryData fresh = m_data;
    fresh.samples = crew.takeSamples();
    fresh.pinned = crew.isPinned();
    if (fresh.samples.empty())
        return;
    m_data.pinned = fresh.pinned;
    m_data.samples.insert(m_data.samples.end(), fresh.samples.begin(), fresh.samples.end());
    const MemorySample& last = fresh.samples.back();
    const double share = inSeconds(last.start + last.time) / inSeconds(m_options.duration);
    m_tell({last.warmUp ? Phase::Omitting : Phase::Measuring, std::clamp(share, 0.0, 1.0),
            std::move(fresh)});
}

// Until all have ended; whether the run was left in peace.
bool MemoryRun::watch(MemoryCrew& crew)
{
    bool isWhole = true;
    auto lastTold = std::chrono::steady_clock::now();
    while (!crew.waitFor(20ms)) {
        if (m_cancel.stop_requested() && isWhole) {
            crew.stop();
            isWhole = false;
        }
        const auto now = std::chrono::steady_clock::now();
        if (now - lastTold >= tellEvery) {
            take(crew);
            lastTold = now;
        }
    }
    take(crew);
    return isWhole;
}

Result<ProbeResult> MemoryRun::run()
{
    m_tell({Phase::Connecting, 0, m_data});
    if (!watchOthers())
        return fail(ErrorCode::Cancelled);
    const MemoryLimits limits{m_options.duration, 10, longestOf(m_options)};
    const auto started = MemoryCrew::start(m_plan, limits, m_meddle);
    if (!started)
        return tl::unexpected(started.error());
    MemoryCrew& crew = **started;
    const bool isWhole = watch(crew);
    m_data.ran = crew.ran();
    if (const auto wrong = crew.wrongElement())
        return fail(ErrorCode::WrongValues, Words::tr("The memory of this machine"),
                    Words::tr("element %1 of %2 is wrong")
                        .arg(QLocale().toString(static_cast<qulonglong>(*wrong)),
                             QLocale().toString(static_cast<qulonglong>(m_plan.elements))));
    if (!hasMeasured(m_data))
        return fail(ErrorCode::Cancelled);
    ProbeResult result;
    result.spec = m_spec;
    result.completion = isWhole ? Completion::Complete : Completion::Partial;
    if (!isWhole)
        result.fault = Error{ErrorCode::Cancelled, {}, {}, nullptr};
    result.conditions = conditionsOf(std::nullopt, std::nullopt);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
