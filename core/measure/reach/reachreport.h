// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/quantity.h"
#include "core/results/hostfacts.h"

#include <QString>

#include <optional>
#include <vector>

namespace napkin {

enum class ReachOutcome {
    Reachable,
    Refused,      // something answered, and said no
    NoAnswer,     // or no way there: the reason says which
    NotPermitted, // by this machine
};

// How echoes were sent.
enum class EchoMeans {
    Datagram,   // ICMP datagram socket: needs no privilege where ping_group_range allows it
    Raw,        // raw socket: needs CAP_NET_RAW
    SystemPing, // the program ping of the system
};

// A way to send echoes that was tried first and could not be used.
struct EchoNotUsed
{
    EchoMeans means = EchoMeans::Datagram;
    QString why;
    bool operator==(const EchoNotUsed&) const = default;
};

// ICMP echo ("ping"). An answer proves the IP path, and no answer proves nothing: many machines
// answer none.
struct EchoReport
{
    ReachOutcome outcome = ReachOutcome::NoAnswer;
    QString why; // a sentence without a full stop; empty when it answered
    std::optional<EchoMeans> used;
    std::vector<EchoNotUsed> notUsed; // in the order they were tried
    int sent = 0;
    int received = 0;
    std::optional<Duration> least; // RTT of those that were answered
    std::optional<Duration> median;
    bool operator==(const EchoReport&) const = default;
};

// Whether a TCP port takes connections. What listens there is not asked.
struct PortReport
{
    int port = 0;
    ReachOutcome outcome = ReachOutcome::NoAnswer;
    QString why;
    bool operator==(const PortReport&) const = default;
};

struct AddressReport
{
    QString address;           // with its scope
    Reading<RouteFacts> route; // the way that the kernel takes
    Reading<int> pathMtu;      // bytes; what the kernel believes, not verified
    Reading<int> interfaceMtu; // bytes; of the interface of the route
    EchoReport echo;
    PortReport iperf3;
    PortReport peer;

    // Something at that address answered, if only to refuse.
    [[nodiscard]] bool hasAnswered() const;
    bool operator==(const AddressReport&) const = default;
};

// What a far end answered to, with nothing of ours there or with it.
struct ReachReport
{
    QString host;                         // as asked for
    std::vector<AddressReport> addresses; // in the resolver's order, never empty
    int addressesLeftOut = 0;             // more than are tried at once

    [[nodiscard]] bool hasAnswered() const;
    bool operator==(const ReachReport&) const = default;
};

[[nodiscard]] QString reachOutcomeName(ReachOutcome outcome); // stable: "no-answer"
[[nodiscard]] QString reachOutcomeText(ReachOutcome outcome); // translated
[[nodiscard]] QString echoMeansName(EchoMeans means);         // stable: "datagram", "raw", "ping"
[[nodiscard]] QString echoMeansText(EchoMeans means);         // translated

} // namespace napkin
