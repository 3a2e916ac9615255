// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/storage/storagerun.h"

#include "core/measure/os/hostconditions.h"
#include "core/results/data.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::StorageRead)
};

constexpr Duration step = 20ms;
constexpr Duration sampleEvery = 100ms;
constexpr Duration silence = 10s;
constexpr Duration longestPreparing = 120s; // much may be waiting to be written
constexpr Duration longestJudging = 5s;

} // namespace

StorageRun::StorageRun(ProbeSpec spec, CancelToken cancel, Tell tell)
    : m_spec(std::move(spec))
    , m_options(std::get<StorageOptions>(m_spec.options))
    , m_cancel(std::move(cancel))
    , m_tell(std::move(tell))
    , m_reading(FileReading::make(m_options))
{}

Error StorageRun::late(const QString& what) const
{
    return {ErrorCode::ReadFailed, what, m_options.file, nullptr};
}

// For what was started. When it does not end, it is left to itself.
StorageRun::Waited StorageRun::wait(Duration longest)
{
    const auto until = std::chrono::steady_clock::now() + longest;
    while (!m_reading->waitFor(step)) {
        if (m_cancel.stop_requested())
            return Waited::Cancelled;
        if (std::chrono::steady_clock::now() > until)
            return Waited::Late;
    }
    return Waited::Ended;
}

Result<void> StorageRun::prepare()
{
    if (auto started = m_reading->startPreparing(); !started)
        return started;
    const Waited waited = wait(longestPreparing);
    if (waited != Waited::Ended)
        m_reading->stop();
    if (waited == Waited::Cancelled)
        return fail(ErrorCode::Cancelled);
    if (waited == Waited::Late)
        return tl::unexpected(late(Words::tr("it did not open within two minutes")));
    if (const auto fault = m_reading->fault())
        return tl::unexpected(*fault);
    return {};
}

void StorageRun::sample(SteadyTime now)
{
    const std::int64_t bytes = m_reading->bytesRead();
    if (now <= m_sampledAt)
        return;
    const StorageSample fresh{m_sampledAt - m_start, now - m_sampledAt,
                              ByteCount::bytes(bytes - m_sampled)};
    m_sampledAt = now;
    m_sampled = bytes;
    StorageData told = m_data;
    told.samples = {fresh};
    m_data.samples.push_back(fresh);
    const double byTime = inSeconds(now - m_start) / inSeconds(m_options.duration);
    const double bySize = static_cast<double>(bytes) / static_cast<double>(m_data.fileSize.bytes());
    m_tell({Phase::Measuring, std::clamp(std::max(byTime, bySize), 0.0, 1.0), std::move(told)});
}

// Why it ended before the end of the file or of its time.
std::optional<Error> StorageRun::watch()
{
    m_start = std::chrono::steady_clock::now();
    m_sampledAt = m_start;
    if (const auto started = m_reading->startReading(); !started)
        return started.error();
    while (!m_reading->waitFor(step)) {
        const SteadyTime now = std::chrono::steady_clock::now();
        std::optional<Error> why;
        if (m_cancel.stop_requested())
            why = Error{ErrorCode::Cancelled, {}, {}, nullptr};
        else if (now - m_reading->lastRead() > silence)
            why = late(Words::tr("nothing came for 10 s"));
        const bool isOver = now - m_start >= m_options.duration;
        if (why || isOver || now - m_sampledAt >= sampleEvery)
            sample(now);
        if (!why && !isOver)
            continue;
        m_reading->stop();
        return why;
    }
    sample(m_reading->lastRead());
    return m_reading->fault();
}

// Whether the page cache had a part in it; unknown it stays Cached.
void StorageRun::judge()
{
    auto samples = std::exchange(m_data.samples, {});
    m_tell({Phase::Finishing, 1, m_data});
    // The last requests are under way yet.
    if (m_reading->waitFor(m_cancel.stop_requested() ? Duration(150ms) : Duration(2s)) &&
        m_reading->startJudging())
        (void)m_reading->waitFor(m_cancel.stop_requested() ? Duration(200ms) : longestJudging);
    m_data = m_reading->facts();
    m_data.samples = std::move(samples);
}

Result<ProbeResult> StorageRun::run()
{
    m_tell({Phase::Connecting, 0, StorageData()});
    if (const auto ready = prepare(); !ready)
        return tl::unexpected(ready.error());
    m_data = m_reading->facts();
    const std::optional<Error> fault = watch();
    if (!hasMeasured(m_data))
        return tl::unexpected(fault.value_or(late(Words::tr("nothing came of it"))));
    judge();
    ProbeResult result;
    result.spec = m_spec;
    auto& kept = std::get<StorageOptions>(result.spec.options).file;
    kept = kept.section(u'/', -1, -1, QString::SectionSkipEmpty);
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = fault;
    if (result.fault && result.fault->context == m_options.file)
        result.fault->context = kept;
    result.conditions = conditionsOf(std::nullopt, std::nullopt);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
