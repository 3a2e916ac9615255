// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakwatch.h"

#include <algorithm>

namespace napkin::soak {

StallWatch::StallWatch(std::vector<Direction> directions, Duration stallAfter, Duration lostAfter)
    : m_stallAfter(stallAfter)
    , m_lostAfter(lostAfter)
{
    for (const Direction direction : directions)
        m_ways.push_back({direction, 0, {}, false});
}

void StallWatch::restart(Duration now)
{
    for (Way& way : m_ways) {
        way.bytes = 0;
        way.movedAt = now;
        way.isStalled = false;
    }
}

void StallWatch::forgive(Duration now)
{
    for (Way& way : m_ways) {
        if (!way.isStalled)
            way.movedAt = now;
    }
}

SoakEvent StallWatch::eventOf(const Way& way, Duration now)
{
    SoakEvent event;
    event.kind = SoakEvent::Kind::Stall;
    event.direction = way.direction;
    event.start = way.movedAt;
    event.length = now - way.movedAt;
    return event;
}

void StallWatch::saw(Direction direction, std::int64_t bytes, Duration now)
{
    const auto found = std::ranges::find(m_ways, direction, &Way::direction);
    if (found == m_ways.end())
        return;
    Way& way = *found;
    if (bytes == way.bytes) {
        if (!way.isStalled && now - way.movedAt >= m_stallAfter) {
            way.isStalled = true;
            ++m_begun;
        }
        return;
    }
    if (way.isStalled)
        m_ended.push_back(eventOf(way, now));
    way.isStalled = false;
    way.bytes = bytes;
    way.movedAt = now;
}

bool StallWatch::isSilent(Duration now) const
{
    return std::ranges::any_of(m_ways,
                               [&](const Way& way) { return now - way.movedAt >= m_lostAfter; });
}

std::optional<Duration> StallWatch::withdraw()
{
    std::optional<Duration> since;
    for (Way& way : m_ways) {
        if (!way.isStalled)
            continue;
        since = std::min(since.value_or(way.movedAt), way.movedAt);
        way.isStalled = false;
        --m_begun;
    }
    return since;
}

std::vector<SoakEvent> StallWatch::close(Duration now)
{
    std::vector<SoakEvent> open;
    for (Way& way : m_ways) {
        if (!way.isStalled)
            continue;
        open.push_back(eventOf(way, now));
        open.back().isOpen = true;
        way.isStalled = false;
    }
    return open;
}

} // namespace napkin::soak
