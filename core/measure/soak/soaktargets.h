// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/ticket.h"

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace napkin {

// Where a far end takes the connections of a soak, and the right to make them.
struct SoakTarget
{
    int port = 0;
    DataTicket ticket;
};

// Between a soak that can not connect any more, since the far end was started anew, and whoever can
// ask that for another offer. All functions from any thread.
class SoakTargets
{
public:
    // The soak's side.
    void ask()
    {
        const std::lock_guard lock(m_mutex);
        m_isAsked = true;
        if (m_wake)
            m_wake();
    }
    [[nodiscard]] std::optional<SoakTarget> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_fresh, std::nullopt);
    }

    // The other side. `wake` is called once, at the latest as soon as it is asked.
    void onAsked(std::function<void()> wake)
    {
        const std::lock_guard lock(m_mutex);
        m_wake = std::move(wake);
        if (m_isAsked && m_wake)
            m_wake();
    }
    [[nodiscard]] bool isAsked()
    {
        const std::lock_guard lock(m_mutex);
        return m_isAsked;
    }
    // Nullopt: there is none.
    void answer(std::optional<SoakTarget> target)
    {
        const std::lock_guard lock(m_mutex);
        m_isAsked = false;
        if (target)
            m_fresh = std::move(target);
    }

private:
    std::mutex m_mutex;
    bool m_isAsked = false;
    std::optional<SoakTarget> m_fresh;
    std::function<void()> m_wake;
};

} // namespace napkin
