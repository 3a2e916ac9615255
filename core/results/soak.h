// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace napkin {

enum class Direction;

// Times of a soak run on its own clock: from its beginning, without the time between a program's
// end and its being continued by another.

// One direction over one span of time, as its receiver saw it. Time without a connection is in no
// span.
struct SoakSpan
{
    Direction direction{};
    Duration start{};
    Duration length{};
    ByteCount bytes; // payload that came
    // Of the rates of the seconds in it.
    BitRate least;
    BitRate median;
    BitRate most;
    std::optional<std::int64_t> retransmits; // segments; only a sender knows
    std::optional<Duration> rtt;             // smoothed, as the sender's kernel has it
    bool operator==(const SoakSpan&) const = default;
};

// Something that should not have happened.
struct SoakEvent
{
    enum class Kind {
        Stall,         // the connection stood, and not a byte came for longer than was allowed
        DropOut,       // the connection was lost; until there was another one
        Corrupted,     // a block that is not as it should be
        OutOfSequence, // a block was missing, came again or came too early
        ProgramGap,    // the program had ended, and another went on with it
        HeldUp,        // the program ran, and the machine did not let it
    };
    // Why a connection was lost.
    enum class Cause {
        Other,
        Reset,  // by the far end or by something on the way
        Closed, // without a word
        Silent, // nothing came any more
        Framing // so much was wrong that no block could be told from the next
    };
    enum class Part { Payload, Header, Report };

    Kind kind = Kind::Stall;
    std::optional<Direction> direction; // nullopt: both, or not known
    Duration start{};
    Duration length{};   // of a fault of one moment zero
    bool isOpen = false; // it had not ended as the run did
    Cause cause = Cause::Other;
    int connection = 0;           // the first is 0
    std::int64_t block = 0;       // within its connection, in the order of sending
    Part part = Part::Payload;    // where the first wrong byte is
    std::int64_t offset = 0;      // of the first wrong byte in that part
    int expected = 0;             // what that byte should be; of OutOfSequence nothing
    int got = 0;                  // and is
    std::int64_t wrongBytes = 0;  // in the part
    std::int64_t wantedBlock = 0; // OutOfSequence: the one whose turn it was
    bool isSenders = false;       // its check fits what came: it was so before it was sent
    bool operator==(const SoakEvent&) const = default;
};

// One direction over the whole run.
struct SoakTotal
{
    Direction direction{};
    ByteCount received; // payload that came
    ByteCount checked;  // in blocks that came whole and were compared
    std::int64_t blocks = 0;
    std::int64_t corrupted = 0;  // blocks
    std::int64_t lost = 0;       // blocks that never came over a connection that stood
    std::int64_t duplicated = 0; // that came again
    std::optional<std::int64_t> retransmits;
    bool operator==(const SoakTotal&) const = default;
};

// So many events are kept, the first ones; of the others only the counts.
inline constexpr std::size_t mostSoakEvents = 1'000;

struct SoakData
{
    // One span after the other, each direction for itself. While the run goes on the newest grows:
    // one that begins where the last of its direction does takes its place.
    std::vector<SoakSpan> spans;
    std::vector<SoakEvent> events; // as they ended
    std::vector<SoakTotal> totals; // one for each direction that was asked for
    std::int64_t stalls = 0;
    std::int64_t dropOuts = 0;
    std::int64_t resets = 0; // those of them by a reset
    std::int64_t programGaps = 0;
    std::int64_t heldUps = 0;
    std::int64_t eventsLeftOut = 0;
    Duration elapsed{};
    Duration withoutConnection{};
    Duration programGap{}; // all of them together; not in `elapsed`
    bool operator==(const SoakData&) const = default;
};

// How long a span of a run of that duration is: 1 s to 15 minutes, 10 s to 3 hours, else a minute.
[[nodiscard]] Duration soakSpanLength(std::chrono::milliseconds duration);

// What a run tells that goes on with an earlier one: `fresh` on the clock of both, with counts and
// totals of both; spans and events of `fresh` alone.
[[nodiscard]] SoakData continuing(const SoakData& before, SoakData fresh);

// The earlier part, and that the program was away for so long after it.
[[nodiscard]] SoakData interrupted(SoakData before, Duration gap);

} // namespace napkin
