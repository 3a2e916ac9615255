// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/result.h"

#include <vector>

// The rules of quality, one family a file. Each adds its notes, with the figures it rests on, and
// says nothing where these are not known.
namespace napkin::quality {

using Notes = std::vector<QualityNote>;

// How the data flowed: TooShort, StreamsUnequal, NotSteady, LongWarmUp, Contradictory.
void assessFlow(const ProbeResult& result, Notes& notes);

// Where it flowed: Loopback, WrongInterface, BackgroundTraffic.
void assessWire(const ProbeResult& result, Notes& notes);

// What the machines were at: CpuBound, CpuTaken, PeerOverloaded. After assessWire.
void assessLoad(const ProbeResult& result, Notes& notes);

// How it was timed: ClockTooCoarse, IntervalAnomaly.
void assessTiming(const ProbeResult& result, Notes& notes);

// What was found of the link: MessagesLost, BlackHole.
void assessFindings(const ProbeResult& result, Notes& notes);

} // namespace napkin::quality
