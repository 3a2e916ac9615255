// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/quality/rules.h"

#include <algorithm>

namespace napkin::quality {

namespace {

constexpr double coreLimit = 0.95;
// A program of one thread can not use more than one core, but for what rounding adds.
constexpr double oneThreadAtMost = 1.02;
constexpr double overload = 1.5; // runnable tasks a core
// Of other programs, on average over the run, in cores: less of it does not fill one.
constexpr double othersThatTell = 0.5;

int dataThreads(const ProbeSpec& spec)
{
    const auto& options = std::get<ThroughputOptions>(spec.options);
    return options.flow == Flow::Bidirectional ? 2 * options.streams : options.streams;
}

QString share(double value)
{
    return QString::number(value, 'f', 2);
}

// With several threads only their sum is known: it tells something when all are at their limit.
bool isAtLimit(const CpuUse& use, int threads)
{
    return use.total.value() >= coreLimit * threads;
}

void assessProcess(const ProbeResult& result, Notes& notes)
{
    const auto* data = std::get_if<ThroughputData>(&result.data);
    if (data == nullptr || !std::holds_alternative<ThroughputOptions>(result.spec.options))
        return;
    const int threads = dataThreads(result.spec);
    if (data->nearCpu && isAtLimit(*data->nearCpu, threads))
        notes.push_back({QualityFlag::CpuBound,
                         QStringLiteral("near end: the measuring program used %1 cores with %2 "
                                        "data threads")
                             .arg(share(data->nearCpu->total.value()))
                             .arg(threads)});
    if (!data->farCpu)
        return;
    const double far = data->farCpu->total.value();
    // iperf3 before 3.16 serves all streams with one thread; it does not tell its version.
    const bool mayBeOneThread = !data->farProgram.startsWith(QStringLiteral("napkin"));
    if (isAtLimit(*data->farCpu, threads) ||
        (mayBeOneThread && far >= coreLimit && far <= oneThreadAtMost))
        notes.push_back(
            {QualityFlag::CpuBound,
             QStringLiteral("far end: %1 used %2 cores for %3 streams")
                 .arg(data->farProgram.isEmpty() ? QStringLiteral("its program") : data->farProgram,
                      share(far))
                 .arg(threads)});
}

// Whether what others did explains a full core better than the measuring itself. Of a machine that
// talks to itself one end is another program to the other.
bool isOthersWork(const HostActivity& activity, bool isLoopback)
{
    return !isLoopback && activity.ownCores && activity.otherCores &&
           *activity.otherCores >= othersThatTell && *activity.otherCores > *activity.ownCores;
}

void assessCores(const HostConditions& host, const QString& end, Notes& notes)
{
    if (!host.activity || !host.activity->busiestCore ||
        host.activity->busiestCore->value() < coreLimit)
        return;
    const bool isLoopback =
        std::ranges::find(notes, QualityFlag::Loopback, &QualityNote::flag) != notes.end();
    const bool isTaken = isOthersWork(*host.activity, isLoopback);
    QString evidence = QStringLiteral("%1: a core was busy for %2 of a second")
                           .arg(end, share(host.activity->busiestCore->value()));
    if (host.activity->ownCores && host.activity->otherCores)
        evidence += QStringLiteral(", the measuring program used %1 cores, other programs %2")
                        .arg(share(*host.activity->ownCores), share(*host.activity->otherCores));
    notes.push_back({isTaken ? QualityFlag::CpuTaken : QualityFlag::CpuBound, evidence});
}

void assessOverload(const HostConditions& host, const QString& end, Notes& notes)
{
    if (!host.activity || !host.activity->loadBefore || !host.facts ||
        host.facts->logicalCores <= 0 ||
        *host.activity->loadBefore <= overload * host.facts->logicalCores)
        return;
    notes.push_back(
        {QualityFlag::PeerOverloaded, QStringLiteral("%1: a load of %2 on %3 cores before the run")
                                          .arg(end, share(*host.activity->loadBefore))
                                          .arg(host.facts->logicalCores)});
}

// Several witnesses of one flag make one note.
void join(Notes& notes, QualityFlag flag)
{
    const auto first = std::ranges::find(notes, flag, &QualityNote::flag);
    if (first == notes.end())
        return;
    for (auto next = first + 1; next != notes.end();) {
        if (next->flag != flag) {
            ++next;
            continue;
        }
        first->evidence += QStringLiteral("; ") + next->evidence;
        next = notes.erase(next);
    }
}

} // namespace

void assessLoad(const ProbeResult& result, Notes& notes)
{
    const QString near = QStringLiteral("near end");
    const QString far = QStringLiteral("far end");
    if (std::holds_alternative<ThroughputData>(result.data)) {
        assessProcess(result, notes);
        assessCores(result.conditions.near, near, notes);
        assessCores(result.conditions.far, far, notes);
        join(notes, QualityFlag::CpuBound);
        join(notes, QualityFlag::CpuTaken);
    }
    assessOverload(result.conditions.near, near, notes);
    assessOverload(result.conditions.far, far, notes);
    join(notes, QualityFlag::PeerOverloaded);
}

} // namespace napkin::quality
