// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/memory/memorycrew.h"

#include "core/measure/memory/triad.h"
#include "core/measure/os/cores.h"

#include <QCoreApplication>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::MemoryBandwidth)
};

// Between two looks at whether to stop: under a millisecond.
constexpr std::size_t stride = 256 * 1024;
// The arrays begin at different places within a page, so that processors do not take a load for one
// of a store before it.
constexpr std::size_t apart = 20 * 64;
constexpr std::size_t pageSize = 4096;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::size_t periodOfB = 1024;
constexpr std::size_t periodOfC = 255;

// Whole numbers, so that sums and products are exact; an element that went astray shows.
double valueB(std::size_t i)
{
    return static_cast<double>(i % periodOfB);
}

double valueC(std::size_t i)
{
    return static_cast<double>(i % periodOfC + 1);
}

// A pass leaves other values than the one before it.
double scalarOf(int pass)
{
    return 2.0 + pass % 4;
}

Error noRoom(const QString& what)
{
    return {ErrorCode::OutOfMemory, what, Words::tr("memory bandwidth"), nullptr};
}

} // namespace

Result<TriadArrays> TriadArrays::allocate(std::size_t elements)
{
    const std::size_t one = (elements * sizeof(double) + pageSize - 1) / pageSize * pageSize;
    const std::size_t size = 3 * (one + pageSize);
    void* memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return tl::unexpected(noRoom(Words::tr("the arrays were refused by the system")));
    return TriadArrays(memory, size, elements);
}

TriadArrays::~TriadArrays()
{
    if (m_memory != nullptr)
        ::munmap(m_memory, m_size);
}

TriadArrays::TriadArrays(TriadArrays&& other) noexcept
    : m_memory(std::exchange(other.m_memory, nullptr))
    , m_size(other.m_size)
    , m_elements(other.m_elements)
{}

TriadArrays& TriadArrays::operator=(TriadArrays&& other) noexcept
{
    std::swap(m_memory, other.m_memory);
    std::swap(m_size, other.m_size);
    std::swap(m_elements, other.m_elements);
    return *this;
}

std::span<double> TriadArrays::array(std::size_t n) const
{
    char* begin = static_cast<char*>(m_memory) + n * (m_size / 3) + n * apart;
    return {reinterpret_cast<double*>(begin), m_elements};
}

MemoryCrew::MemoryCrew(const MemoryPlan& plan, const MemoryLimits& limits, TriadArrays arrays,
                       Meddle meddle)
    : m_plan(plan)
    , m_limits(limits)
    , m_arrays(std::move(arrays))
    , m_meddle(std::move(meddle))
    , m_barrier(static_cast<int>(plan.processors.size()))
    , m_times(plan.processors.size())
    , m_wrong(none)
    , m_working(plan.processors.size())
{}

Result<std::unique_ptr<MemoryCrew>> MemoryCrew::start(const MemoryPlan& plan,
                                                      const MemoryLimits& limits, Meddle meddle)
{
    auto arrays = TriadArrays::allocate(plan.elements);
    if (!arrays)
        return tl::unexpected(arrays.error());
    std::unique_ptr<MemoryCrew> crew(
        new MemoryCrew(plan, limits, std::move(*arrays), std::move(meddle)));
    MemoryCrew* self = crew.get(); // joins its threads before it goes
    try {
        for (std::size_t i = 0; i < plan.processors.size(); ++i)
            crew->m_threads.emplace_back([self, i] { self->work(i); });
    } catch (const std::exception&) {
        crew->m_order.store(Order::GoHome);
        crew->m_order.notify_all();
        return tl::unexpected(noRoom(Words::tr("a thread was refused by the system")));
    }
    crew->m_order.store(Order::Go);
    crew->m_order.notify_all();
    return crew;
}

MemoryCrew::~MemoryCrew()
{
    stop();
    m_threads.clear();
}

bool MemoryCrew::waitFor(Duration time)
{
    std::unique_lock lock(m_mutex);
    return m_ended.wait_for(lock, time, [this] { return m_working == 0; });
}

std::vector<MemorySample> MemoryCrew::takeSamples()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_fresh, {});
}

std::optional<Ratio> MemoryCrew::ran() const
{
    if (m_wall <= Duration::zero())
        return std::nullopt;
    return Ratio::of(std::min(1.0, inSeconds(m_cpu) / inSeconds(m_wall)));
}

std::optional<std::size_t> MemoryCrew::wrongElement() const
{
    const std::size_t wrong = m_wrong.load();
    return wrong == none ? std::nullopt : std::optional(wrong);
}

std::size_t MemoryCrew::partSize() const
{
    return m_plan.elements / m_plan.processors.size();
}

bool MemoryCrew::touch(std::size_t first, std::size_t end)
{
    const auto a = m_arrays.a();
    const auto b = m_arrays.b();
    const auto c = m_arrays.c();
    for (std::size_t i = first; i < end; ++i) {
        if (i % stride == 0 && m_stop.load(std::memory_order_relaxed))
            return false;
        a[i] = -1;
        b[i] = valueB(i);
        c[i] = valueC(i);
    }
    return true;
}

bool MemoryCrew::pass(std::size_t first, std::size_t end, double s)
{
    for (std::size_t at = first; at < end; at += stride) {
        if (m_stop.load(std::memory_order_relaxed))
            return false;
        triad(m_arrays.a().data() + at, m_arrays.b().data() + at, m_arrays.c().data() + at, s,
              std::min(stride, end - at));
    }
    return true;
}

// On the first thread, while the others wait.
void MemoryCrew::conclude(int pass)
{
    if (m_stop.load()) { // it may have been cut short
        m_goOn = false;
        return;
    }
    SteadyTime start = m_times.front().start;
    SteadyTime end = m_times.front().end;
    for (const Times& times : m_times) {
        start = std::min(start, times.start);
        end = std::max(end, times.end);
    }
    m_lastPass = pass;
    const bool isWarmUp = pass == 0;
    if (isWarmUp)
        m_first = start;
    else
        ++m_counted;
    for (const Times& times : m_times) {
        m_cpu += isWarmUp ? Duration::zero() : times.cpu;
        m_wall += isWarmUp ? Duration::zero() : times.end - times.start;
    }
    const Duration since = end - m_first;
    m_goOn =
        since < m_limits.longest && (since < m_limits.duration || m_counted < m_limits.leastPasses);
    const std::lock_guard lock(m_mutex);
    m_fresh.push_back({start - m_first, end - start, isWarmUp});
}

// STREAM, too, looks at its values in the end. Of a run that was stopped, elements may hold the
// values of the pass that was cut short.
void MemoryCrew::check(std::size_t first, std::size_t end)
{
    const auto a = m_arrays.a();
    const double s = scalarOf(m_lastPass);
    const double cut = scalarOf(m_lastPass + 1);
    const bool isCut = m_stop.load();
    for (std::size_t i = first; i < end; ++i) {
        const double b = valueB(i);
        const double c = valueC(i);
        if (a[i] == b + s * c || (isCut && a[i] == b + cut * c))
            continue;
        m_wrong.store(i);
        return;
    }
}

// All threads at once give the memory back sooner than one.
void MemoryCrew::release(std::size_t first, std::size_t end) const
{
    for (const std::span<double> array : {m_arrays.a(), m_arrays.b(), m_arrays.c()}) {
        const auto from = reinterpret_cast<std::uintptr_t>(array.data() + first);
        const auto to = reinterpret_cast<std::uintptr_t>(array.data() + end);
        const std::uintptr_t inner = (from + pageSize - 1) / pageSize * pageSize;
        if (to > inner + pageSize)
            ::madvise(reinterpret_cast<void*>(inner), (to - inner) / pageSize * pageSize,
                      MADV_DONTNEED);
    }
}

void MemoryCrew::work(std::size_t index)
{
    m_order.wait(Order::Wait);
    const std::size_t first = index * partSize();
    const std::size_t end = first + partSize();
    if (m_order.load() == Order::Go) {
        if (!pinThisThread(m_plan.processors[index]))
            m_pinned.store(false);
        touch(first, end); // when it is stopped, the first pass is, too
        Times& times = m_times[index];
        for (int n = 0; m_goOn; ++n) {
            m_barrier.arrive();
            const Duration before = threadTime();
            times.start = std::chrono::steady_clock::now();
            pass(first, end, scalarOf(n));
            times.end = std::chrono::steady_clock::now();
            times.cpu = threadTime() - before;
            m_barrier.arrive();
            if (index == 0)
                conclude(n);
            m_barrier.arrive();
        }
        if (index == 0 && m_meddle)
            m_meddle(m_arrays.a());
        m_barrier.arrive();
        if (m_lastPass >= 0)
            check(first, end);
        release(first, end);
    }
    const std::lock_guard lock(m_mutex);
    --m_working;
    m_ended.notify_all();
}

} // namespace napkin
