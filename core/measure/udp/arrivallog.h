// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/udp.h"

#include <vector>

namespace napkin {

// What arrives over time, in fewer than 240 windows however long it goes on: each two become one
// then. For one thread.
class ArrivalLog
{
public:
    static constexpr size_t most = 240;

    void restart(Duration now, std::int64_t packets, std::int64_t bytes);
    // The counts so far, at `now` on the same clock. A window ends here when the time has come.
    void look(Duration now, std::int64_t packets, std::int64_t bytes);
    // From the last restart().
    [[nodiscard]] const std::vector<UdpArrival>& windows() const { return m_windows; }

private:
    void halve();

    Duration m_start{};
    Duration m_from{};
    std::int64_t m_packets = 0;
    std::int64_t m_bytes = 0;
    int m_looks = 0;     // since the window began
    int m_perWindow = 1; // looks
    std::vector<UdpArrival> m_windows;
};

} // namespace napkin
