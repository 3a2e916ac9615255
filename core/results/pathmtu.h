// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/quantity/quantity.h"

#include <QString>

#include <chrono>
#include <optional>
#include <vector>

namespace napkin {

enum class Direction;

// How large a packet may be on the way, found with packets that must not be fragmented.
struct PathMtuOptions
{
    std::chrono::milliseconds timeout{500}; // of one packet; 50 ms to 10 s
    int attempts = 3;                       // before silence counts; 1 to 10
    bool bulkCheck =
        true; // then one transfer each way, to see whether it gets through; needs a port
    bool operator==(const PathMtuOptions&) const = default;
};

// One size, tried until an answer came or the attempts were used up.
struct SizeProbe
{
    enum class Fate {
        Passed,
        TooBigHere,  // the sender's own interface is smaller
        TooBigOnWay, // a router said so
        Silent,      // nothing came back: dropped without a word
    };
    Direction direction{};
    int size = 0; // of the whole IP packet, bytes
    Fate fate = Fate::Passed;
    int attempts = 1;
    std::optional<int> told; // the MTU that the "too big" named
    QString by;              // the address that said it
    bool operator==(const SizeProbe&) const = default;
};

// A transfer that a path with a hole would not finish although its handshake passes.
struct BulkTransfer
{
    enum class Outcome {
        Finished,
        Stalled,      // the connection stood, then nothing more was acknowledged
        NotConnected, // not even the handshake was answered
        NotMade       // the far end did not take it: nothing is known of the path
    };
    Direction direction{};
    Outcome outcome = Outcome::Finished;
    ByteCount arrived; // acknowledged or received
    ByteCount asked;
    Duration time{};
    std::optional<ErrorCode> whyNot; // of NotMade
    QString whyNotDetail;
    bool operator==(const BulkTransfer&) const = default;
};

struct PathMtuData
{
    int ipVersion = 4;             // 4 or 6
    std::vector<SizeProbe> probes; // in the order of trying
    std::vector<BulkTransfer> bulk;
    std::optional<int> nearInterfaceMtu; // of the interface that the packets leave by
    std::optional<int> farInterfaceMtu;
    QString means; // "ICMP socket", "raw socket", "ping program", "UDP"
    bool operator==(const PathMtuData&) const = default;
};

} // namespace napkin
