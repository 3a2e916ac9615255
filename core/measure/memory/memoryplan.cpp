// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/memory/memoryplan.h"

#include "core/measure/os/cores.h"
#include "core/quantity/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::MemoryBandwidth)
};

constexpr std::int64_t arrays = 3;
constexpr std::int64_t timesTheCache = 4;
constexpr ByteCount unknownCache = ByteCount::mebibytes(32);
constexpr ByteCount usualArray = ByteCount::mebibytes(128);
constexpr ByteCount usualPart = ByteCount::mebibytes(32); // of a thread
constexpr std::int64_t line = 64;                         // bytes that caches move at once

} // namespace

Result<MemoryPlan> planMemory(const MemoryOptions& options, const QString& root)
{
    return planMemory(options, allowedProcessors(), root);
}

Result<MemoryPlan> planMemory(const MemoryOptions& options, const std::vector<int>& allowed,
                              const QString& root)
{
    if (allowed.empty())
        return fail(ErrorCode::Unsupported, Words::tr("Memory bandwidth"),
                    Words::tr("the system does not tell which processors may be used"));
    const ProcessorOrder order = byCores(allowed, root);
    const int threads = options.threads > 0 ? options.threads : order.cores;
    if (threads > static_cast<int>(allowed.size()))
        return fail(ErrorCode::InvalidArgument, Words::tr("A number of %1 threads").arg(threads),
                    Words::tr("this machine lets the program use %Ln processors", nullptr,
                              static_cast<int>(allowed.size())));
    MemoryPlan plan;
    plan.cores = order.cores;
    plan.processors.assign(order.processors.begin(), order.processors.begin() + threads);
    plan.cacheSize = lastLevelCaches(plan.processors, root);
    const std::int64_t least = timesTheCache * plan.cacheSize.value_or(unknownCache).bytes();
    const std::int64_t wished = std::max({least, usualArray.bytes(), threads * usualPart.bytes()});
    std::int64_t size = wished;
    if (const auto free = availableMemory(root)) {
        const std::int64_t most = free->bytes() / 4 * 3 / arrays;
        if (most < least)
            return fail(
                ErrorCode::OutOfMemory, Words::tr("memory bandwidth"),
                Words::tr("three arrays of %1 are needed, four times the caches; %2 are free, of "
                          "which no more than three quarters are taken")
                    .arg(formatBytesBinary(ByteCount::bytes(least)), formatBytesBinary(*free)));
        size = std::min(wished, most);
    }
    // Each thread's part begins with a line of its own.
    const std::int64_t step = line * threads;
    plan.elements = static_cast<std::size_t>((size + step - 1) / step * step) / sizeof(double);
    return plan;
}

} // namespace napkin
