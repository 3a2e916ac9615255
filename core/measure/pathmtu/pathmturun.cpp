// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/pathmturun.h"

#include "core/measure/os/hostconditions.h"
#include "core/measure/os/pathmtu.h"
#include "core/measure/pathmtu/bulkcheck.h"

#include <QCoreApplication>

#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PathMtu)
};

int versionOf(const SocketAddress& address)
{
    return address.family() == AF_INET ? 4 : 6;
}

} // namespace

PathMtuRun::PathMtuRun(ProbeSpec spec, Route route, CancelToken cancel, Tell tell,
                       std::optional<DataTicket> ticket)
    : m_spec(std::move(spec))
    , m_options(std::get<PathMtuOptions>(m_spec.options))
    , m_route(std::move(route))
    , m_cancel(std::move(cancel))
    , m_tell(std::move(tell))
    , m_interrupt(m_cancel)
    , m_ticket(std::move(ticket))
{}

Result<ProbeResult> PathMtuRun::run()
{
    m_tell({Phase::Connecting, 0, PathMtuData{}});
    Result<void> ended = m_ticket ? measureWithPeer() : measureWithEchoes();
    if (ended && m_options.bulkCheck)
        ended = checkBulk();
    return conclude(ended);
}

// A name with several addresses: the first that answers is the one to measure.
Result<void> PathMtuRun::measureWithEchoes()
{
    Result<void> ended;
    for (const SocketAddress& address : m_route.addresses) {
        m_data = PathMtuData();
        ended = measureTo(address);
        if (hasPassed() || (!ended && ended.error().isCancelled()))
            break;
    }
    return ended;
}

Result<void> PathMtuRun::measureTo(const SocketAddress& address)
{
    m_address = address;
    noteWay(address);
    EchoSizesOptions options;
    options.probe = m_options;
    options.interfaceMtu = m_data.nearInterfaceMtu;
    auto sizes = EchoSizes::open(address, m_route.by, std::move(options), m_interrupt);
    if (!sizes)
        return tl::unexpected(sizes.error());
    m_data.means = sizes->means();
    const int version = versionOf(address);
    return search(Direction::Forward, m_data.nearInterfaceMtu.value_or(largestPacket(version)),
                  [&sizes](int size) { return sizes->trySize(size); });
}

Result<void> PathMtuRun::measureWithPeer()
{
    auto peer = PeerSizes::open(m_route, *m_ticket, m_options, m_interrupt);
    if (!peer)
        return tl::unexpected(peer.error());
    m_peer.emplace(std::move(*peer));
    m_address = m_peer->far();
    noteWay(m_address);
    m_local = m_peer->local();
    m_data.means = QStringLiteral("UDP");
    m_data.farInterfaceMtu = m_peer->farInterfaceMtu();
    const int largest = largestPacket(versionOf(m_address));
    const auto searched =
        search(Direction::Forward, m_data.nearInterfaceMtu.value_or(largest),
               [this](int size) { return m_peer->trySize(Direction::Forward, size); });
    if (!searched || !hasPassed()) // the far end does not know yet where to send to
        return searched;
    return search(Direction::Reverse, m_data.farInterfaceMtu.value_or(largest),
                  [this](int size) { return m_peer->trySize(Direction::Reverse, size); });
}

void PathMtuRun::noteWay(const SocketAddress& to)
{
    m_data.ipVersion = versionOf(to);
    const auto path = kernelPath(to, m_route.by);
    if (!path)
        return;
    m_data.nearInterfaceMtu = path->interfaceMtu.value;
    if (const auto source = addressFromText(path->route.source, 0))
        m_local = *source;
}

Result<void> PathMtuRun::search(Direction direction, int most, const TrySize& trySize)
{
    const double begin = direction == Direction::Forward ? 0 : 0.4;
    const double share = m_ticket ? 0.4 : 0.8;
    return searchSizes(SizeSearch(m_data.ipVersion, most), trySize,
                       [&](const SizeProbe& found, double fraction) {
                           SizeProbe probe = found;
                           probe.direction = direction;
                           m_data.probes.push_back(probe);
                           PathMtuData fresh;
                           fresh.probes.push_back(std::move(probe));
                           tell(begin + fraction * share, std::move(fresh));
                       });
}

bool PathMtuRun::hasPassed() const
{
    return std::ranges::any_of(m_data.probes, [](const SizeProbe& probe) {
        return probe.fate == SizeProbe::Fate::Passed;
    });
}

void PathMtuRun::tell(double fraction, PathMtuData fresh)
{
    fresh.ipVersion = m_data.ipVersion;
    fresh.means = m_data.means;
    fresh.nearInterfaceMtu = m_data.nearInterfaceMtu;
    fresh.farInterfaceMtu = m_data.farInterfaceMtu;
    m_tell({Phase::Measuring, fraction, std::move(fresh)});
}

Result<void> PathMtuRun::checkBulk()
{
    for (const Direction direction : {Direction::Forward, Direction::Reverse}) {
        const auto transfer = bulkOf(direction);
        if (!transfer)
            return tl::unexpected(transfer.error());
        if (!*transfer)
            continue;
        m_data.bulk.push_back(**transfer);
        PathMtuData fresh;
        fresh.bulk.push_back(**transfer);
        tell(direction == Direction::Forward ? 0.9 : 1, std::move(fresh));
    }
    return {};
}

Result<std::optional<BulkTransfer>> PathMtuRun::bulkOf(Direction direction)
{
    if (m_peer) {
        if (auto there = m_peer->look(); !there)
            return tl::unexpected(there.error());
        const auto wrap = [](const BulkTransfer& transfer) { return std::optional(transfer); };
        return bulkWithPeer(m_address, m_route, *m_ticket, direction, m_interrupt).map(wrap);
    }
    if (m_spec.far.port <= 0)
        return std::nullopt;
    Route route = m_route;
    route.addresses = {m_address};
    const bool hasServed =
        !m_data.bulk.empty() && m_data.bulk.back().outcome != BulkTransfer::Outcome::NotMade;
    const auto seen = hasServed ? ServerSeen::JustServed : ServerSeen::NotYet;
    return bulkWithIperf3(m_spec, route, direction, seen, m_cancel)
        .map([](const BulkTransfer& made) { return std::optional(made); });
}

Result<ProbeResult> PathMtuRun::conclude(const Result<void>& ended)
{
    const bool isAnswered = std::ranges::any_of(m_data.probes, [](const SizeProbe& probe) {
        return probe.fate != SizeProbe::Fate::Silent;
    });
    std::optional<Error> fault;
    if (!ended) {
        fault = ended.error();
        if (fault->context.isEmpty())
            fault->context = m_route.peer;
        if (!isAnswered)
            return tl::unexpected(*fault);
    }
    ProbeResult result;
    result.spec = m_spec;
    result.completion = fault ? Completion::Partial : Completion::Complete;
    result.fault = fault;
    result.conditions = conditionsOf(m_local, m_address, m_route.by.interfaceName);
    result.data = std::move(m_data);
    return result;
}

} // namespace napkin
