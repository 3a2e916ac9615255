// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/latency.h"

namespace napkin {

// Ping-pong with messages of many sizes, over TCP, to a paired machine. Sizes: every power of two
// from the least to the most, and between each two of them one that is no power of two (3/4 of the
// larger, rounded to an odd number); in random order, anew in every round.
struct SweepOptions
{
    WaitMode wait = WaitMode::Blocking;
    ByteCount least = ByteCount::bytes(1);    // 1 B to `most`
    ByteCount most = ByteCount::mebibytes(4); // to 16 MiB
    int rounds = 30;                          // messages of each size; 5 to 1,000
    std::chrono::milliseconds duration{
        20'000}; // at most; 2 s to 1 h. Rounds are ended by it, never a round cut
    bool operator==(const SweepOptions&) const = default;
};

struct SweepSample
{
    int round = 0; // 0, 1, ...; round 0 is the warm-up and part of no figure
    ByteCount size;
    Duration start{}; // since the first was sent
    Duration time{};  // RTT: the message there and one of the same size back
    bool operator==(const SweepSample&) const = default;
};

struct SweepData
{
    std::vector<SweepSample> samples; // as they were sent
    std::optional<Duration> clockStep;
    bool operator==(const SweepData&) const = default;
};

// What is done to the link while the latency is taken.
enum class Load { Idle, Sending, Receiving, Both };

// RTT idle, while sending, while receiving and both, with one method; the load is TCP throughput to
// the same far end (a stock iperf3 server or a paired machine).
struct LoadedLatencyOptions
{
    EchoMethod method = EchoMethod::Icmp; // Icmp, or Udp with a paired machine
    ByteCount messageSize = ByteCount::bytes(64);
    std::chrono::milliseconds phase{4'000};    // of each of the four; 2 s to 600 s, whole seconds
    std::chrono::microseconds interval{5'000}; // from one message to the next; at least 2 ms
    std::chrono::milliseconds timeout{2'000};
    int streams = 1; // of the load, per direction; 1 to 128
    bool operator==(const LoadedLatencyOptions&) const = default;
};

struct LoadPhase
{
    Load load = Load::Idle;
    std::vector<RoundTrip> samples; // only those sent while the load ran, its first second left out
    std::optional<BitRate> forward; // what arrived meanwhile; nullopt where nothing was sent
    std::optional<BitRate> reverse;
    std::int64_t duplicates = 0;
    std::int64_t reordered = 0;
    bool operator==(const LoadPhase&) const = default;
};

struct LoadedLatencyData
{
    std::vector<LoadPhase> phases; // in the order of Load; a partial run has fewer
    std::optional<Duration> clockStep;
    QString means;
    bool operator==(const LoadedLatencyData&) const = default;
};

} // namespace napkin
