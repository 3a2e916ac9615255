// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/cores.h"

#include "core/measure/os/sysfile.h"

#include <QFile>
#include <QStringList>

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <ctime>
#include <set>

namespace napkin {

namespace {

constexpr int mostProcessors = 8'192;

QString processorPath(const QString& root, int processor, const char* part)
{
    return QStringLiteral("%1/sys/devices/system/cpu/cpu%2/%3")
        .arg(root)
        .arg(processor)
        .arg(QLatin1StringView(part));
}

// "32768K", "32M".
std::optional<std::int64_t> sizeOf(QByteArray text)
{
    std::int64_t unit = 1;
    if (text.endsWith('K'))
        unit = 1024;
    else if (text.endsWith('M'))
        unit = 1024LL * 1024;
    else if (text.endsWith('G'))
        unit = 1024LL * 1024 * 1024;
    if (unit > 1)
        text.chop(1);
    bool isNumber = false;
    const qlonglong number = text.toLongLong(&isNumber);
    constexpr std::int64_t most = 1'000'000'000'000;
    return isNumber && number > 0 && number < most / unit
               ? std::optional<std::int64_t>(number * unit)
               : std::nullopt;
}

// A cache and those that share it: of one level they are told apart by the latter.
struct Cache
{
    std::int64_t level = 0;
    QByteArray sharedBy;
    std::int64_t size = 0;
};

std::optional<Cache> readCache(const QString& folder)
{
    const auto level = readSysNumber(folder + QStringLiteral("/level"));
    const auto type = readSysFile(folder + QStringLiteral("/type"));
    const auto size = readSysFile(folder + QStringLiteral("/size"));
    const auto shared = readSysFile(folder + QStringLiteral("/shared_cpu_list"));
    if (!level || !size || !shared || type == "Instruction")
        return std::nullopt;
    const auto bytes = sizeOf(*size);
    return bytes ? std::optional(Cache{*level, *shared, *bytes}) : std::nullopt;
}

std::optional<Cache> lastCacheOf(const QString& root, int processor)
{
    constexpr int mostCaches = 16;
    std::optional<Cache> last;
    for (int i = 0; i < mostCaches; ++i) {
        const auto one =
            readCache(processorPath(root, processor, "cache/index") + QString::number(i));
        if (one && (!last || one->level > last->level))
            last = one;
    }
    return last;
}

std::optional<std::int64_t> numberAfter(const QByteArray& text, const QByteArray& key)
{
    for (const QByteArray& line : text.split('\n')) {
        if (!line.startsWith(key))
            continue;
        bool isNumber = false;
        const qlonglong number =
            line.mid(key.size()).trimmed().split(' ').front().toLongLong(&isNumber);
        return isNumber ? std::optional<std::int64_t>(number) : std::nullopt;
    }
    return std::nullopt;
}

// What one group still allows; nullopt: it sets no limit.
std::optional<std::int64_t> leftIn(const QString& folder, const char* limit, const char* used)
{
    const auto most = readSysNumber(folder + QLatin1Char('/') + QLatin1StringView(limit));
    const auto now = readSysNumber(folder + QLatin1Char('/') + QLatin1StringView(used));
    if (!most || !now) // "max" is no number
        return std::nullopt;
    const auto stat = readSysFile(folder + QStringLiteral("/memory.stat")).value_or(QByteArray());
    // Files that were read lately are given up first.
    const auto files = numberAfter(stat, "inactive_file ").value_or(0);
    return std::max<std::int64_t>(0, *most - *now + std::clamp<std::int64_t>(files, 0, *now));
}

// A group and all above it.
std::optional<std::int64_t> leastLeft(const QString& base, QString group, const char* limit,
                                      const char* used)
{
    std::optional<std::int64_t> least;
    while (true) {
        if (const auto left = leftIn(base + group, limit, used))
            least = std::min(least.value_or(*left), *left);
        if (group.isEmpty() || group == QStringLiteral("/"))
            return least;
        group = group.section(QLatin1Char('/'), 0, -2);
    }
}

std::optional<std::int64_t> leftInGroups(const QString& root)
{
    const QByteArray own =
        readSysFile(root + QStringLiteral("/proc/self/cgroup")).value_or(QByteArray());
    const QString base = root + QStringLiteral("/sys/fs/cgroup");
    std::optional<std::int64_t> least;
    const auto take = [&least](std::optional<std::int64_t> left) {
        if (left)
            least = std::min(least.value_or(*left), *left);
    };
    for (const QByteArray& line : own.split('\n')) {
        const QString text = QString::fromUtf8(line);
        const QString group = text.section(QLatin1Char(':'), 2);
        const QStringList kinds = text.section(QLatin1Char(':'), 1, 1).split(QLatin1Char(','));
        if (text.startsWith(QLatin1StringView("0::")))
            take(leastLeft(base, group, "memory.max", "memory.current"));
        else if (kinds.contains(QLatin1StringView("memory")))
            take(leastLeft(base + QStringLiteral("/memory"), group, "memory.limit_in_bytes",
                           "memory.usage_in_bytes"));
    }
    return least;
}

} // namespace

std::vector<int> allowedProcessors()
{
    std::vector<int> processors;
    cpu_set_t* set = CPU_ALLOC(mostProcessors);
    if (set == nullptr)
        return processors;
    const size_t size = CPU_ALLOC_SIZE(mostProcessors);
    CPU_ZERO_S(size, set);
    if (::sched_getaffinity(0, size, set) == 0) {
        for (int i = 0; i < mostProcessors; ++i) {
            if (CPU_ISSET_S(static_cast<size_t>(i), size, set))
                processors.push_back(i);
        }
    }
    CPU_FREE(set);
    return processors;
}

ProcessorOrder byCores(const std::vector<int>& processors, const QString& root)
{
    ProcessorOrder order;
    std::vector<int> others;
    std::set<QByteArray> seen;
    for (const int processor : processors) {
        auto siblings = readSysFile(processorPath(root, processor, "topology/core_cpus_list"));
        if (!siblings)
            siblings = readSysFile(processorPath(root, processor, "topology/thread_siblings_list"));
        const bool isFirst = !siblings || seen.insert(*siblings).second;
        (isFirst ? order.processors : others).push_back(processor);
    }
    order.cores = static_cast<int>(order.processors.size());
    order.processors.insert(order.processors.end(), others.begin(), others.end());
    return order;
}

std::optional<ByteCount> lastLevelCaches(const std::vector<int>& processors, const QString& root)
{
    std::set<std::pair<std::int64_t, QByteArray>> seen;
    std::int64_t sum = 0;
    for (const int processor : processors) {
        const auto last = lastCacheOf(root, processor);
        if (last && seen.emplace(last->level, last->sharedBy).second)
            sum += last->size;
    }
    return sum > 0 ? std::optional(ByteCount::bytes(sum)) : std::nullopt;
}

std::optional<ByteCount> availableMemory(const QString& root)
{
    const auto told = readSysFile(root + QStringLiteral("/proc/meminfo"));
    std::optional<std::int64_t> least;
    if (const auto kibibytes = told ? numberAfter(*told, "MemAvailable:") : std::nullopt)
        least = *kibibytes * 1024;
    if (const auto left = leftInGroups(root))
        least = std::min(least.value_or(*left), *left);
    return least ? std::optional(ByteCount::bytes(*least)) : std::nullopt;
}

bool pinThisThread(int processor)
{
    cpu_set_t* set = CPU_ALLOC(mostProcessors);
    if (set == nullptr)
        return false;
    const size_t size = CPU_ALLOC_SIZE(mostProcessors);
    CPU_ZERO_S(size, set);
    CPU_SET_S(static_cast<size_t>(processor), size, set);
    const bool isPinned = ::pthread_setaffinity_np(::pthread_self(), size, set) == 0;
    CPU_FREE(set);
    return isPinned;
}

Duration threadTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
}

} // namespace napkin
