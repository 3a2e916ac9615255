// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QString>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace napkin {

// What is sent there and back.
enum class EchoMethod {
    Icmp, // echo request and reply: answered by the far end's kernel, nothing of ours is needed
          // there
    Tcp,  // one message a write, TCP_NODELAY; the far end is a paired machine
    Udp,  // one message a datagram; the far end is a paired machine
};

// How both ends wait for the next message.
enum class WaitMode {
    Blocking, // asleep until the kernel wakes them, as most programs do
    BusyPoll, // asking all the time: a core each, and no wake-up in the time
};

// When a run ends.
enum class Ending {
    FixedTime, // when its time is over
    WhenSure,  // as soon as the result is known to plus or minus 1 %; at most its time
};

// One message there and back.
struct RoundTrip
{
    enum class Outcome {
        Answered,
        Lost, // nothing came within the time limit: `time` is that limit
    };
    Duration start{}; // since the first was sent
    Duration time{};  // RTT: there and back
    Outcome outcome = Outcome::Answered;
    bool operator==(const RoundTrip&) const = default;
};

struct LatencyOptions
{
    EchoMethod method = EchoMethod::Icmp;
    WaitMode wait = WaitMode::Blocking;           // Icmp: only Blocking
    ByteCount messageSize = ByteCount::bytes(64); // Icmp: the payload of the echo, 16 to 65,507 B;
                                                  // Udp: 16 to 65,507 B; Tcp: 1 B to 4 MiB
    std::chrono::milliseconds duration{5'000};    // at most, with the warm-up; 1 s to 1 h
    std::chrono::microseconds interval{
        0}; // from one start to the next, at least; Icmp: at least 2 ms
    std::chrono::milliseconds timeout{1'000}; // of one message; 10 ms to 60 s
    Ending ending = Ending::WhenSure;
    bool operator==(const LatencyOptions&) const = default;
};

// At most so many are kept: a run ends there.
inline constexpr std::int64_t mostRoundTrips = 1'000'000;

struct LatencyData
{
    std::vector<RoundTrip> samples;    // in the order of sending, the warm-up included
    std::int64_t duplicates = 0;       // answers that came again
    std::int64_t reordered = 0;        // answers that came after one to a later message
    std::optional<Duration> clockStep; // the clock's smallest step, measured before the run
    QString means; // how: "ICMP socket", "raw socket", "ping program", "TCP", "UDP"
    bool operator==(const LatencyData&) const = default;
};

} // namespace napkin
