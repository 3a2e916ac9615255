// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"

#include <QString>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace napkin {

enum class Direction;
enum class Flow;

// UDP in the iperf3 protocol: datagrams at a rate that is asked for, counted where they arrive.
struct UdpOptions
{
    Flow flow{};
    int streams = 1; // 1 to 128, per direction
    BitRate rate =
        BitRate::bitsPerSecond(100'000'000); // offered, of all streams of a direction together,
                                             // payload only; 10 kb/s to 400 Gb/s
    ByteCount datagramSize =
        ByteCount::bytes(0);                    // payload, 16 to 65,507 B; 0: what fits one packet
    std::chrono::milliseconds duration{10'000}; // without omit; 1 s to 86,400 s, whole seconds
    std::chrono::milliseconds omit{0}; // left out at the start; at most 600 s, whole seconds
    bool operator==(const UdpOptions&) const = default;
};

// One stream over one interval of about 100 ms. At a sender only what it sent is known, at a
// receiver only what came: unknown is nullopt, never zero.
struct UdpSample
{
    int stream = 0; // 0, 1, ... within its direction
    Direction direction{};
    Duration start{};
    Duration length{};
    ByteCount bytes; // payload sent or received, as `atReceiver` says
    std::int64_t packets = 0;
    bool atReceiver = false;
    std::optional<std::int64_t> lost; // may be negative: late packets take a loss back
    std::optional<std::int64_t> outOfOrder;
    std::optional<Duration> jitter; // RFC 1889, as it stands at the end of the interval
    bool omitted = false;
    bool operator==(const UdpSample&) const = default;
};

// One stream over the whole measured time, as the two ends told: figures of record. Where the ends
// contradict each other they are kept as told, and the summary says that they are not usable.
struct UdpTotal
{
    int stream = 0;
    Direction direction{};
    ByteCount received;
    std::optional<ByteCount> sent;
    std::int64_t packetsReceived = 0;
    std::optional<std::int64_t> packetsSent;
    std::int64_t lost = 0; // as the receiver counted gaps: a lost tail is not in it
    std::optional<std::int64_t> outOfOrder; // a stock iperf3 does not tell it
    std::optional<Duration> jitter;
    Duration duration{}; // the receiver's own time
    // The sender's own time, until its last datagram was due to be followed by another. Nullopt: it
    // did not tell.
    std::optional<Duration> sentOver;
    bool operator==(const UdpTotal&) const = default;
};

// What came of all streams of a direction together in one window, as a far end tells it.
struct UdpArrival
{
    Duration start{}; // since it began to count
    Duration length{};
    std::int64_t packets = 0;
    ByteCount bytes;
    bool operator==(const UdpArrival&) const = default;
};

struct UdpData
{
    std::vector<UdpSample> samples;
    std::vector<UdpTotal> totals; // in a partial run only if the far end could still be asked
    // Datagrams that reached the receiving machine and were dropped there because the socket's
    // buffer was full: not the wire's fault. Nullopt: the receiver did not tell.
    std::optional<std::int64_t> nearBufferDrops;
    std::optional<std::int64_t> farBufferDrops;
    std::vector<UdpArrival> farArrivals; // forward; empty: the far end told only its totals
    int datagramSize = 0;                // what was used, bytes of payload
    QString farProgram;
    bool operator==(const UdpData&) const = default;
};

} // namespace napkin
