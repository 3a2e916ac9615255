// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace napkin {

// Which wire a run took and what else went over it, from the interfaces' own counters before and
// after. Counters are of whole frames, with acknowledgements and headers; nothing is said where
// they were not read.

enum class End { Near, Far };

// The interface through which the data was meant to go at that end: the port as drawn where that
// end has an interface of this name, else the one that holds the address meant. Empty: nothing is
// known, or the address belongs to no wire (loopback).
[[nodiscard]] QString expectedInterface(const ProbeResult& result, End end);

// Payload of all samples of a direction, what was left out at the start included.
[[nodiscard]] std::uint64_t movedBytes(const ProbeResult& result, Direction direction);

// The bytes of a direction took another interface than the one expected.
struct WrongWire
{
    End end = End::Near;
    Direction direction = Direction::Forward;
    QString expected;
    QString taken;
    // Bytes of a throughput run; of handshakes packets, at least one each way for each.
    std::uint64_t moved = 0;           // by the run
    std::uint64_t expectedCarried = 0; // counted there
    std::uint64_t takenCarried = 0;
};
// The first one found: the expected interface carried less than half of what the run moved, and
// another one at least half.
[[nodiscard]] std::optional<WrongWire> wrongWire(const ProbeResult& result);

// More than this run's bytes went over an interface.
struct OtherTraffic
{
    End end = End::Near;
    QString interfaceName;
    bool isSent = false;       // by that end; else received
    std::uint64_t carried = 0; // counted there
    std::uint64_t other = 0;   // of it, what was not this run's: an estimate
    BitRate rate;              // of the other traffic, over the time between the two readings
};
// More than 10 % and 1 MB above what the run moved that way, with 6 % of what it moved the other
// way for acknowledgements.
[[nodiscard]] std::vector<OtherTraffic> otherTraffic(const ProbeResult& result);

} // namespace napkin
