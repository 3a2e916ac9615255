// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/data.h"
#include "core/results/result.h"

#include <optional>

namespace napkin {

// One direction of a path.
struct PathMtuSide
{
    enum class Verdict {
        Known,      // packets of `mtu` pass, and the next larger does not
        Interface,  // packets as large as the sender's own interface allows pass
        AtLeast,    // packets of `mtu` pass, and the run ended before more was known
        Unanswered, // not even small ones came back: nothing is known
        NotTried    // no packet sizes were tried in this direction, only a transfer
    };
    Verdict verdict = Verdict::Unanswered;
    std::optional<int> mtu; // bytes of the whole IP packet
    // Larger packets vanish without a word: a black hole. Nullopt where the next larger was not
    // tried.
    std::optional<bool> isSilent;
    QString toldBy; // the router that said "too big"; empty: none
    std::optional<BulkTransfer> bulk;
};
struct PathMtuSummary
{
    std::optional<PathMtuSide> forward;
    std::optional<PathMtuSide> reverse; // only with a paired machine
};
[[nodiscard]] PathMtuSummary summarise(const PathMtuData& data);

// The payload of an ICMP echo that makes a packet of `mtu` bytes: 1,472 of 1,500 with IPv4, 1,452
// with IPv6.
[[nodiscard]] int echoPayload(int mtu, int ipVersion);
// The command that shows the same on Linux: "ping -4 -M do -s 1472 -c 3 192.168.1.7".
[[nodiscard]] QString pingCommand(int mtu, int ipVersion, const QString& host);

// One direction of a UDP run.
struct UdpDirectionSummary
{
    // Payload that was sent, over the sender's own time; where that is not known, over the time
    // that was asked for. Nullopt: neither is known.
    std::optional<BitRate> offered;
    bool isOfferedNominal = false;    // over the time that was asked for
    std::optional<BitRate> arrived;   // payload that was received, over the receiver's time
    bool fromTotals = false;          // false: a partial run, from the samples
    std::optional<std::int64_t> sent; // datagrams
    std::int64_t received = 0;
    // sent - received where both are known and agree with the gaps; it has the lost tail. Else the
    // gaps.
    std::optional<std::int64_t> lost;
    std::optional<Ratio> lossRatio;       // of what was sent
    std::optional<std::int64_t> lostTail; // at the end, which no gap shows
    std::optional<std::int64_t> outOfOrder;
    std::optional<Duration> jitter; // the largest of the streams
    std::optional<std::int64_t>
        bufferDrops; // of the lost ones, dropped by the receiver's full buffer
    // Why datagrams were lost, as far as the counts tell.
    enum class Cause { None, Unknown, ReceiverBuffer, OfferedTooMuch };
    Cause cause = Cause::None;
    bool isContradictory = false; // the counts can not all be true: no ratio is given
};
struct UdpSummary
{
    std::optional<UdpDirectionSummary> forward;
    std::optional<UdpDirectionSummary> reverse;
};
// `asked`: how long the datagrams were to be sent.
[[nodiscard]] UdpSummary summarise(const UdpData& data,
                                   std::optional<Duration> asked = std::nullopt);
// With the time that was asked for. Of another kind of result: nothing.
[[nodiscard]] UdpSummary summariseUdp(const ProbeResult& result);

} // namespace napkin
