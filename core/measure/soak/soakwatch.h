// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/soak.h"

#include <optional>
#include <vector>

namespace napkin::soak {

// Sees stalls: looks at how much has moved in each direction, and for how long nothing did.
class StallWatch
{
public:
    StallWatch(std::vector<Direction> directions, Duration stallAfter, Duration lostAfter);

    // A connection begins: nothing has moved over it.
    void restart(Duration now);
    // The program was held up until now: nobody knows what moved meanwhile.
    void forgive(Duration now);
    void saw(Direction direction, std::int64_t bytes, Duration now);

    // Stalls that ended since the last call.
    [[nodiscard]] std::vector<SoakEvent> takeEnded() { return std::exchange(m_ended, {}); }
    [[nodiscard]] std::int64_t begun() const
    {
        return m_begun;
    } // without those that were withdrawn
    // A direction in which nothing has moved for so long that the connection is given up.
    [[nodiscard]] bool isSilent(Duration now) const;
    // The connection is lost: stalls that go on are part of that. Since when nothing moved in one
    // of them; nullopt: none goes on.
    [[nodiscard]] std::optional<Duration> withdraw();
    // The run ends: those that go on, open.
    [[nodiscard]] std::vector<SoakEvent> close(Duration now);

private:
    struct Way
    {
        Direction direction{};
        std::int64_t bytes = 0;
        Duration movedAt{};
        bool isStalled = false;
    };
    [[nodiscard]] static SoakEvent eventOf(const Way& way, Duration now);

    std::vector<Way> m_ways;
    Duration m_stallAfter;
    Duration m_lostAfter;
    std::vector<SoakEvent> m_ended;
    std::int64_t m_begun = 0;
};

} // namespace napkin::soak
