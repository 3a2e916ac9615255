// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/wire.h"

#include <algorithm>
#include <array>

namespace napkin {

namespace {

// Of payload: Ethernet, IP and TCP headers at an MTU of 1,500 with time stamps, and one
// acknowledgement for two segments.
constexpr double headerShare = 66.0 / 1448.0;
constexpr double ackShare = 66.0 / (2 * 1448.0);
// Above which more than this run must have been on the wire.
constexpr double payloadAllowance = 1.10;
constexpr double ackAllowance = 0.06;
constexpr double fixedAllowance = 1e6;

const HostConditions& hostOf(const ProbeResult& result, End end)
{
    return end == End::Near ? result.conditions.near : result.conditions.far;
}

bool isHeldBy(const InterfaceFacts& interface, const QString& address)
{
    const QString plain = address.section(u'%', 0, 0).trimmed();
    return std::ranges::any_of(interface.addresses, [&plain](const QString& held) {
        return !plain.isEmpty() &&
               held.section(u'/', 0, 0).compare(plain, Qt::CaseInsensitive) == 0;
    });
}

QString holderOf(const HostFacts& facts, const QString& address)
{
    for (const InterfaceFacts& interface : facts.interfaces) {
        if (interface.kind != InterfaceKind::Loopback && isHeldBy(interface, address))
            return interface.name;
    }
    return {};
}

bool hasInterface(const HostConditions& host, const QString& name)
{
    if (name.isEmpty())
        return false;
    if (host.facts && std::ranges::find(host.facts->interfaces, name, &InterfaceFacts::name) !=
                          host.facts->interfaces.end())
        return true;
    return host.activity && trafficOf(*host.activity, name).has_value();
}

bool isSentBy(End end, Direction direction)
{
    return (end == End::Near) == (direction == Direction::Forward);
}

std::uint64_t bytesOf(const InterfaceCounters& counters, bool isSent)
{
    return isSent ? counters.sentBytes : counters.receivedBytes;
}

std::uint64_t packetsOf(const InterfaceCounters& counters, bool isSent)
{
    return isSent ? counters.sentPackets : counters.receivedPackets;
}

// Payload as it was sent, where that is known, else as it arrived.
std::uint64_t movedDatagrams(const UdpData& data, Direction direction)
{
    std::uint64_t sent = 0;
    std::uint64_t arrived = 0;
    for (const UdpSample& sample : data.samples) {
        if (sample.direction == direction)
            (sample.atReceiver ? arrived : sent) +=
                static_cast<std::uint64_t>(std::max<std::int64_t>(0, sample.bytes.bytes()));
    }
    return std::max(sent, arrived);
}

// Fewer say nothing: name resolution and the like look the same.
constexpr std::uint64_t fewestHandshakes = 5;

std::uint64_t handshakesOf(const ConnectData& data)
{
    const auto count = static_cast<std::uint64_t>(std::ranges::count(
        data.samples, ConnectSample::Outcome::Connected, &ConnectSample::outcome));
    return count < fewestHandshakes ? 0 : count;
}

std::optional<WrongWire> wrongWireAt(const ProbeResult& result, End end, Direction direction)
{
    const HostConditions& host = hostOf(result, end);
    WrongWire wrong{end, direction, expectedInterface(result, end), {}, 0, 0, 0};
    const auto* connects = std::get_if<ConnectData>(&result.data);
    const auto carriedBy = connects != nullptr ? packetsOf : bytesOf;
    wrong.moved = connects != nullptr ? handshakesOf(*connects) : movedBytes(result, direction);
    if (!host.activity || wrong.expected.isEmpty() || wrong.moved == 0)
        return std::nullopt;
    const auto expected = trafficOf(*host.activity, wrong.expected);
    if (!expected)
        return std::nullopt;
    const bool isSent = isSentBy(end, direction);
    wrong.expectedCarried = carriedBy(*expected, isSent);
    if (wrong.expectedCarried >= wrong.moved / 2)
        return std::nullopt;
    for (const InterfaceCounters& counters : host.activity->after) {
        const auto traffic = trafficOf(*host.activity, counters.name);
        if (traffic && carriedBy(*traffic, isSent) > wrong.takenCarried) {
            wrong.taken = counters.name;
            wrong.takenCarried = carriedBy(*traffic, isSent);
        }
    }
    // Adapters that refresh their counters late look as if nothing had gone anywhere.
    if (wrong.takenCarried < wrong.moved / 2)
        return std::nullopt;
    return wrong;
}

std::optional<OtherTraffic> otherTrafficAt(const ProbeResult& result, End end, Direction direction,
                                           const QString& interfaceName)
{
    const HostConditions& host = hostOf(result, end);
    const auto traffic = trafficOf(*host.activity, interfaceName);
    if (!traffic)
        return std::nullopt;
    const auto own = static_cast<double>(movedBytes(result, direction));
    const auto acknowledged = static_cast<double>(movedBytes(
        result, direction == Direction::Forward ? Direction::Reverse : Direction::Forward));
    OtherTraffic other{end, interfaceName, isSentBy(end, direction), 0, 0, {}};
    other.carried = bytesOf(*traffic, other.isSent);
    const auto carried = static_cast<double>(other.carried);
    if (carried <= own * payloadAllowance + acknowledged * ackAllowance + fixedAllowance)
        return std::nullopt;
    other.other = static_cast<std::uint64_t>(
        std::max(0.0, carried - own * (1 + headerShare) - acknowledged * ackShare));
    if (host.activity->length > Duration::zero())
        other.rate = BitRate::of(ByteCount::bytes(static_cast<std::int64_t>(other.other)),
                                 host.activity->length);
    return other;
}

} // namespace

QString expectedInterface(const ProbeResult& result, End end)
{
    const HostConditions& host = hostOf(result, end);
    const Endpoint& drawn = end == End::Near ? result.spec.near : result.spec.far;
    if (hasInterface(host, drawn.interfaceName))
        return drawn.interfaceName;
    if (!host.facts)
        return {};
    const QStringList meant =
        end == End::Near
            ? QStringList{drawn.address, result.spec.sourceAddress}
            : QStringList{drawn.address, result.spec.far.host, result.conditions.far.address};
    for (const QString& address : meant) {
        if (const QString holder = holderOf(*host.facts, address); !holder.isEmpty())
            return holder;
    }
    return {};
}

std::uint64_t movedBytes(const ProbeResult& result, Direction direction)
{
    const auto* data = std::get_if<ThroughputData>(&result.data);
    std::uint64_t sum = 0;
    if (const auto* udp = std::get_if<UdpData>(&result.data))
        return movedDatagrams(*udp, direction);
    if (const auto* soak = std::get_if<SoakData>(&result.data)) {
        for (const SoakTotal& total : soak->totals) {
            if (total.direction == direction)
                sum +=
                    static_cast<std::uint64_t>(std::max<std::int64_t>(0, total.received.bytes()));
        }
    }
    if (data == nullptr)
        return sum;
    for (const ThroughputSample& sample : data->samples) {
        if (sample.direction == direction)
            sum += static_cast<std::uint64_t>(std::max<std::int64_t>(0, sample.bytes.bytes()));
    }
    return sum;
}

std::optional<WrongWire> wrongWire(const ProbeResult& result)
{
    for (const End end : {End::Near, End::Far}) {
        for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
            if (auto wrong = wrongWireAt(result, end, direction))
                return wrong;
        }
    }
    return std::nullopt;
}

std::vector<OtherTraffic> otherTraffic(const ProbeResult& result)
{
    std::vector<OtherTraffic> found;
    if (!std::holds_alternative<ThroughputData>(result.data))
        return found;
    for (const End end : {End::Near, End::Far}) {
        const HostConditions& host = hostOf(result, end);
        if (!host.activity)
            continue;
        QString interfaceName = expectedInterface(result, end);
        if (interfaceName.isEmpty())
            interfaceName = host.interfaceName;
        if (interfaceName.isEmpty() || interfaceName == QStringLiteral("lo"))
            continue;
        for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
            if (auto other = otherTrafficAt(result, end, direction, interfaceName))
                found.push_back(*other);
        }
    }
    return found;
}

} // namespace napkin
