// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/measure/memory/memoryplan.h"
#include "core/measure/memory/spinbarrier.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <thread>

namespace napkin {

// Three arrays of doubles that nobody has touched yet: each page comes to the memory that is
// nearest to the thread which writes it first.
class TriadArrays
{
public:
    // OutOfMemory.
    [[nodiscard]] static Result<TriadArrays> allocate(std::size_t elements);
    ~TriadArrays();
    TriadArrays(TriadArrays&& other) noexcept;
    TriadArrays& operator=(TriadArrays&& other) noexcept;
    TriadArrays(const TriadArrays&) = delete;
    TriadArrays& operator=(const TriadArrays&) = delete;

    [[nodiscard]] std::span<double> a() const { return array(0); }
    [[nodiscard]] std::span<double> b() const { return array(1); }
    [[nodiscard]] std::span<double> c() const { return array(2); }

private:
    TriadArrays(void* memory, std::size_t size, std::size_t elements)
        : m_memory(memory)
        , m_size(size)
        , m_elements(elements)
    {}
    [[nodiscard]] std::span<double> array(std::size_t n) const;

    void* m_memory = nullptr;
    std::size_t m_size = 0;
    std::size_t m_elements = 0;
};

// What ends the passes.
struct MemoryLimits
{
    Duration duration{};
    int leastPasses = 10;
    Duration longest{}; // whatever the number of passes
};

// The threads of a run, each on its own processor and with its own part of the arrays. For one
// thread, which starts it and asks until it has ended.
class MemoryCrew
{
public:
    // For tests only: is called with the array a before its values are checked.
    using Meddle = std::function<void(std::span<double> a)>;

    // OutOfMemory where the arrays or the threads can not be had.
    [[nodiscard]] static Result<std::unique_ptr<MemoryCrew>>
    start(const MemoryPlan& plan, const MemoryLimits& limits, Meddle meddle = {});
    ~MemoryCrew(); // stops them and waits
    MemoryCrew(const MemoryCrew&) = delete;
    MemoryCrew& operator=(const MemoryCrew&) = delete;
    MemoryCrew(MemoryCrew&&) = delete;
    MemoryCrew& operator=(MemoryCrew&&) = delete;

    void stop() { m_stop.store(true); }
    // Sleeps until all have ended, at most that long; whether they have.
    [[nodiscard]] bool waitFor(Duration time);
    // Passes that were ended since the last call.
    [[nodiscard]] std::vector<MemorySample> takeSamples();
    [[nodiscard]] bool isPinned() const { return m_pinned.load(); }
    // Of the passes that count, when all have ended; nullopt: there was none.
    [[nodiscard]] std::optional<Ratio> ran() const;
    // Whether an element held what it should not, when all have ended.
    [[nodiscard]] std::optional<std::size_t> wrongElement() const;

private:
    struct alignas(64) Times
    {
        SteadyTime start;
        SteadyTime end;
        Duration cpu{};
    };
    MemoryCrew(const MemoryPlan& plan, const MemoryLimits& limits, TriadArrays arrays,
               Meddle meddle);
    void work(std::size_t index);
    [[nodiscard]] std::size_t partSize() const;
    bool touch(std::size_t first, std::size_t end);
    bool pass(std::size_t first, std::size_t end, double s);
    void conclude(int pass);
    void check(std::size_t first, std::size_t end);
    void release(std::size_t first, std::size_t end) const;

    MemoryPlan m_plan;
    MemoryLimits m_limits;
    TriadArrays m_arrays;
    Meddle m_meddle;
    SpinBarrier m_barrier;
    std::vector<Times> m_times;
    enum class Order { Wait, Go, GoHome };
    std::atomic<Order> m_order{Order::Wait};
    std::atomic<bool> m_stop{false};
    std::atomic<bool> m_pinned{true};
    std::atomic<std::size_t> m_wrong;
    // Written by the first thread between two barriers.
    bool m_goOn = true;
    int m_lastPass = -1;
    int m_counted = 0;
    SteadyTime m_first;
    Duration m_cpu{};
    Duration m_wall{};

    mutable std::mutex m_mutex; // of what follows
    std::condition_variable m_ended;
    std::vector<MemorySample> m_fresh;
    std::size_t m_working = 0;
    std::vector<std::jthread> m_threads; // last: they end before what they use goes
};

} // namespace napkin
