// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/results/hostfacts.h"

#include <memory>

namespace napkin {

// Watches this machine from construction until stop(): its interfaces' counters before and after,
// and how busy the busiest core was, once a second on a thread of its own.
class ActivityWatch
{
public:
    ActivityWatch();
    ~ActivityWatch(); // ends without waiting for anything
    ActivityWatch(ActivityWatch&&) noexcept;
    ActivityWatch& operator=(ActivityWatch&&) noexcept;
    ActivityWatch(const ActivityWatch&) = delete;
    ActivityWatch& operator=(const ActivityWatch&) = delete;

    // What was seen. A second call hands back the same.
    [[nodiscard]] HostActivity stop();

private:
    class Watcher;
    std::unique_ptr<Watcher> m_watcher;
    HostActivity m_seen;
};

} // namespace napkin
