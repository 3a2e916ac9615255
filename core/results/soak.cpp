// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/soak.h"

#include "core/results/spec.h"

#include <algorithm>

namespace napkin {

namespace {

using namespace std::chrono_literals;

void addTo(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& more)
{
    if (more)
        sum = sum.value_or(0) + *more;
}

void addTotal(std::vector<SoakTotal>& totals, const SoakTotal& more)
{
    const auto same = std::ranges::find(totals, more.direction, &SoakTotal::direction);
    if (same == totals.end()) {
        totals.push_back(more);
        return;
    }
    same->received += more.received;
    same->checked += more.checked;
    same->blocks += more.blocks;
    same->corrupted += more.corrupted;
    same->lost += more.lost;
    same->duplicated += more.duplicated;
    addTo(same->retransmits, more.retransmits);
}

} // namespace

Duration soakSpanLength(std::chrono::milliseconds duration)
{
    if (duration <= 15min)
        return 1s;
    return duration <= 3h ? Duration(10s) : Duration(60s);
}

SoakData continuing(const SoakData& before, SoakData fresh)
{
    for (SoakSpan& span : fresh.spans)
        span.start += before.elapsed;
    for (SoakEvent& event : fresh.events)
        event.start += before.elapsed;
    const std::size_t room = mostSoakEvents - std::min(mostSoakEvents, before.events.size());
    if (fresh.events.size() > room) {
        fresh.eventsLeftOut += static_cast<std::int64_t>(fresh.events.size() - room);
        fresh.events.resize(room);
    }
    std::vector<SoakTotal> totals = before.totals;
    for (const SoakTotal& total : fresh.totals)
        addTotal(totals, total);
    fresh.totals = std::move(totals);
    fresh.stalls += before.stalls;
    fresh.dropOuts += before.dropOuts;
    fresh.resets += before.resets;
    fresh.programGaps += before.programGaps;
    fresh.heldUps += before.heldUps;
    fresh.eventsLeftOut += before.eventsLeftOut;
    fresh.elapsed += before.elapsed;
    fresh.withoutConnection += before.withoutConnection;
    fresh.programGap += before.programGap;
    return fresh;
}

SoakData interrupted(SoakData before, Duration gap)
{
    SoakEvent event;
    event.kind = SoakEvent::Kind::ProgramGap;
    event.start = before.elapsed;
    event.length = std::max(gap, Duration::zero());
    before.programGap += event.length;
    ++before.programGaps;
    if (before.events.size() < mostSoakEvents)
        before.events.push_back(event);
    else
        ++before.eventsLeftOut;
    return before;
}

} // namespace napkin
