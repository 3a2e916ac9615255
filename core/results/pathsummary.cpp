// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/pathsummary.h"

#include "core/results/spec.h"

#include <algorithm>

namespace napkin {

namespace {

constexpr int ipv6Version = 6;
constexpr int ipv4Header = 20;
constexpr int ipv6Header = 40;
constexpr int icmpHeader = 8;

// The smallest packet that was tried, larger than `passed`, with that fate.
const SizeProbe* smallestAbove(const PathMtuData& data, Direction direction, int passed,
                               SizeProbe::Fate fate)
{
    const SizeProbe* least = nullptr;
    for (const SizeProbe& probe : data.probes) {
        if (probe.direction == direction && probe.fate == fate && probe.size > passed &&
            (least == nullptr || probe.size < least->size))
            least = &probe;
    }
    return least;
}

std::optional<int> largestPassed(const PathMtuData& data, Direction direction)
{
    std::optional<int> largest;
    for (const SizeProbe& probe : data.probes) {
        if (probe.direction == direction && probe.fate == SizeProbe::Fate::Passed)
            largest = std::max(largest.value_or(0), probe.size);
    }
    return largest;
}

// Whether a packet of that size is as large as the sender's interface allows.
bool isWholeInterface(const PathMtuData& data, Direction direction, int passed)
{
    constexpr int largestPacket =
        65'535; // of IPv4; the loopback interface would allow one more byte
    const auto interface =
        direction == Direction::Forward ? data.nearInterfaceMtu : data.farInterfaceMtu;
    if (interface)
        return passed >= std::min(*interface, largestPacket);
    const SizeProbe* tooBig = smallestAbove(data, direction, passed, SizeProbe::Fate::TooBigHere);
    return tooBig != nullptr && tooBig->size == passed + 1;
}

void takeVerdict(const PathMtuData& data, Direction direction, PathMtuSide& side)
{
    using Fate = SizeProbe::Fate;
    side.mtu = largestPassed(data, direction);
    if (!side.mtu)
        return;
    const SizeProbe* silent = smallestAbove(data, direction, *side.mtu, Fate::Silent);
    const SizeProbe* told = smallestAbove(data, direction, *side.mtu, Fate::TooBigOnWay);
    if (silent == nullptr && told == nullptr) {
        side.verdict = isWholeInterface(data, direction, *side.mtu)
                           ? PathMtuSide::Verdict::Interface
                           : PathMtuSide::Verdict::AtLeast;
        return;
    }
    const bool isFound =
        (silent != nullptr && silent->size == *side.mtu + 1) ||
        (told != nullptr && (told->size == *side.mtu + 1 || told->told == side.mtu));
    if (!isFound) {
        side.verdict = PathMtuSide::Verdict::AtLeast;
        return;
    }
    side.verdict = PathMtuSide::Verdict::Known;
    // A router may be silent only sometimes (it limits its messages): one word is enough.
    side.isSilent = told == nullptr;
    if (told != nullptr)
        side.toldBy = told->by;
}

std::optional<PathMtuSide> sideOf(const PathMtuData& data, Direction direction)
{
    PathMtuSide side;
    const bool isTried =
        std::ranges::find(data.probes, direction, &SizeProbe::direction) != data.probes.end();
    side.verdict = isTried ? PathMtuSide::Verdict::Unanswered : PathMtuSide::Verdict::NotTried;
    if (isTried)
        takeVerdict(data, direction, side);
    const auto bulk = std::ranges::find(data.bulk, direction, &BulkTransfer::direction);
    if (bulk != data.bulk.end())
        side.bulk = *bulk;
    if (!isTried && !side.bulk)
        return std::nullopt;
    return side;
}

} // namespace

PathMtuSummary summarise(const PathMtuData& data)
{
    return {sideOf(data, Direction::Forward), sideOf(data, Direction::Reverse)};
}

int echoPayload(int mtu, int ipVersion)
{
    return mtu - (ipVersion == ipv6Version ? ipv6Header : ipv4Header) - icmpHeader;
}

QString pingCommand(int mtu, int ipVersion, const QString& host)
{
    return QStringLiteral("ping -%1 -M do -s %2 -c 3 %3")
        .arg(QString::number(ipVersion), QString::number(echoPayload(mtu, ipVersion)), host);
}

} // namespace napkin
