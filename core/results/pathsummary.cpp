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

void takeVerdict(const PathMtuData& data, Direction direction, PathMtuSide& side)
{
    using Fate = SizeProbe::Fate;
    side.mtu = largestPassed(data, direction);
    if (!side.mtu)
        return;
    const SizeProbe* silent = smallestAbove(data, direction, *side.mtu, Fate::Silent);
    const SizeProbe* told = smallestAbove(data, direction, *side.mtu, Fate::TooBigOnWay);
    if (silent == nullptr && told == nullptr) {
        // Larger ones never left this machine, or were never tried.
        side.verdict = PathMtuSide::Verdict::Interface;
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
