// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/cputime.h"

#include <QFile>

#include <unistd.h>

#include <algorithm>

namespace napkin {

namespace {

constexpr int mostCores = 1'024;

// "cpu3 user nice system idle iowait irq softirq steal guest guest_nice"; a guest's time is part
// of the user's.
CoreTime timeOf(const QList<QByteArray>& words)
{
    CoreTime time;
    for (int i = 1; i <= 8 && i < words.size(); ++i)
        (i == 4 || i == 5 ? time.idle : time.busy) += words[i].toULongLong();
    return time;
}

} // namespace

CoreTimes readCoreTimes(const QString& root)
{
    CoreTimes times;
    QFile file(root + QStringLiteral("/proc/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return times;
    for (int i = 0; i <= mostCores; ++i) {
        const QByteArray line = file.readLine(4'096).simplified();
        if (!line.startsWith("cpu"))
            break;
        const QList<QByteArray> words = line.split(' ');
        bool isCore = false;
        const int core = words.front().mid(3).toInt(&isCore);
        if (isCore) // the first line is all of them together
            times[core] = timeOf(words);
    }
    return times;
}

std::optional<Duration> readProgramTime(const QString& root)
{
    QFile file(root + QStringLiteral("/proc/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QList<QByteArray> words = file.readLine(4'096).simplified().split(' ');
    const long ticksPerSecond = ::sysconf(_SC_CLK_TCK);
    if (words.front() != "cpu" || words.size() < 4 || ticksPerSecond <= 0)
        return std::nullopt;
    std::int64_t ticks = 0;
    for (int i = 1; i <= 3; ++i) // user, nice, system
        ticks += words[i].toLongLong();
    return Duration(std::chrono::seconds(1)) / ticksPerSecond * ticks;
}

std::optional<Ratio> busiestCore(const CoreTimes& before, const CoreTimes& after)
{
    constexpr std::uint64_t leastTicks = 10;
    std::optional<Ratio> busiest;
    for (const auto& [core, now] : after) {
        const auto then = before.find(core);
        if (then == before.end() || now.busy < then->second.busy || now.idle < then->second.idle)
            continue;
        const std::uint64_t busy = now.busy - then->second.busy;
        const std::uint64_t all = busy + now.idle - then->second.idle;
        if (all < leastTicks)
            continue;
        const Ratio share = Ratio::of(static_cast<double>(busy) / static_cast<double>(all));
        busiest = busiest ? std::max(*busiest, share) : share;
    }
    return busiest;
}

} // namespace napkin
