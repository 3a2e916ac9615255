// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace napkin {

// Lets a number of threads go on together. They first ask for a while, so that all start within a
// few hundred nanoseconds where each has a core, then sleep, so that they do not hold up the one
// that is late where they have not.
class SpinBarrier
{
public:
    explicit SpinBarrier(int threads)
        : m_threads(threads)
    {}

    // What a thread wrote before it arrived, all of them see after.
    void arrive()
    {
        const unsigned turn = m_turn.load(std::memory_order_acquire);
        if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m_threads) {
            m_arrived.store(0, std::memory_order_relaxed);
            m_turn.fetch_add(1, std::memory_order_release);
            m_turn.notify_all();
            return;
        }
        constexpr int patience = 20'000;
        for (int i = 0; i < patience; ++i) {
            if (m_turn.load(std::memory_order_acquire) != turn)
                return;
        }
        while (m_turn.load(std::memory_order_acquire) == turn)
            m_turn.wait(turn, std::memory_order_acquire);
    }

private:
    int m_threads;
    alignas(64) std::atomic<int> m_arrived{0};
    alignas(64) std::atomic<unsigned> m_turn{0};
};

} // namespace napkin
