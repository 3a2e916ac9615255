// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/reach/reach.h"

#include "core/base/worker.h"
#include "core/measure/os/pathmtu.h"
#include "core/measure/reach/echo.h"
#include "core/measure/resolve.h"

#include <QCoreApplication>

#include <netinet/in.h>

#include <functional>
#include <thread>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Reach)
};

constexpr auto wholeLimit = 5'800ms;
constexpr auto portLimit = 3'500ms; // longer than finding a neighbour takes to fail
constexpr size_t mostAddresses = 8;

// Resolving does what it does for a measurement.
ProbeSpec probeSpecOf(const ReachSpec& spec)
{
    ProbeSpec probe;
    probe.far.host = spec.host;
    probe.far.port = spec.iperfPort;
    probe.interfaceName = spec.interfaceName;
    probe.sourceAddress = spec.sourceAddress;
    probe.ipVersion = spec.ipVersion;
    probe.options = ConnectOptions{};
    return probe;
}

SocketAddress withPort(SocketAddress address, int port)
{
    const auto inOrder = htons(static_cast<std::uint16_t>(port));
    if (address.family() == AF_INET)
        reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port = inOrder;
    else
        reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port = inOrder;
    return address;
}

bool lacksScope(const SocketAddress& address, const LeaveBy& by)
{
    if (address.family() != AF_INET6 || !by.interfaceName.isEmpty())
        return false;
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    return IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr) && v6->sin6_scope_id == 0;
}

// The kernel's words for what came back while connecting.
QString reasonOf(const Error& error)
{
    switch (error.code) {
    case ErrorCode::ConnectionRefused:
        return Words::tr("nothing listens there, or a firewall refuses");
    case ErrorCode::TimedOut:
        return Words::tr("no answer in %1 s; the machine may be off, or a firewall may drop it")
            .arg(static_cast<double>(portLimit.count()) / 1000);
    default:
        return error.detail.isEmpty() ? error.context : error.detail;
    }
}

ReachOutcome outcomeOf(const Error& error)
{
    switch (error.code) {
    case ErrorCode::ConnectionRefused:
        return ReachOutcome::Refused;
    case ErrorCode::PermissionDenied:
        return ReachOutcome::NotPermitted;
    default:
        return ReachOutcome::NoAnswer;
    }
}

// Closed in the ordinary way: a reset would make a busy iperf3 server fail while it says so.
PortReport tryPort(const SocketAddress& address, int port, const LeaveBy& by, Deadline deadline,
                   const Interrupt& interrupt)
{
    const auto socket =
        connectTcp(withPort(address, port), by, deadline.within(portLimit), interrupt);
    if (socket)
        return {port, ReachOutcome::Reachable, {}};
    return {port, outcomeOf(socket.error()), reasonOf(socket.error())};
}

void describeWay(AddressReport& report, const SocketAddress& address, const LeaveBy& by)
{
    const auto path = kernelPath(address, by);
    if (!path) {
        report.route.whyNot = path.error().detail;
        report.pathMtu.whyNot = path.error().detail;
        report.interfaceMtu.whyNot = path.error().detail;
        return;
    }
    report.route.value = path->route;
    report.pathMtu = path->pathMtu;
    report.interfaceMtu = path->interfaceMtu;
}

AddressReport reportFor(const SocketAddress& address, const ReachSpec& spec)
{
    AddressReport report;
    report.address = address.text();
    report.iperf3.port = spec.iperfPort;
    report.peer.port = spec.peerPort;
    return report;
}

void refuseWithoutScope(AddressReport& report)
{
    const QString why =
        Words::tr("a link-local address needs its interface, such as %1%eth0").arg(report.address);
    for (QString* reason :
         {&report.route.whyNot, &report.pathMtu.whyNot, &report.interfaceMtu.whyNot,
          &report.echo.why, &report.iperf3.why, &report.peer.why})
        *reason = why;
}

// Blocks until everything has ended. Each part has a thread of its own and writes to its own place.
Result<ReachReport> testAll(const ReachSpec& spec, const Route& route, Deadline deadline,
                            const CancelToken& cancel)
{
    ReachReport report;
    report.host = spec.host.trimmed();
    const size_t count = std::min(route.addresses.size(), mostAddresses);
    report.addressesLeftOut = static_cast<int>(route.addresses.size() - count);
    for (size_t i = 0; i < count; ++i)
        report.addresses.push_back(reportFor(route.addresses[i], spec));
    const Interrupt interrupt(cancel);
    std::vector<std::function<void()>> parts;
    for (size_t i = 0; i < count; ++i) {
        const SocketAddress& address = route.addresses[i];
        AddressReport& one = report.addresses[i];
        if (lacksScope(address, route.by)) {
            refuseWithoutScope(one);
            continue;
        }
        parts.emplace_back([&] {
            describeWay(one, address, route.by);
            one.echo = echo(address, route.by, {}, deadline, interrupt);
        });
        parts.emplace_back(
            [&] { one.iperf3 = tryPort(address, spec.iperfPort, route.by, deadline, interrupt); });
        parts.emplace_back(
            [&] { one.peer = tryPort(address, spec.peerPort, route.by, deadline, interrupt); });
    }
    {
        std::vector<std::jthread> threads;
        threads.reserve(parts.size());
        for (const auto& part : parts)
            threads.emplace_back(part);
    }
    if (cancel.stop_requested())
        return fail(ErrorCode::Cancelled);
    return report;
}

} // namespace

QCoro::Task<Result<ReachReport>> reach(ReachSpec spec, CancelToken cancel)
{
    const Deadline deadline(wholeLimit);
    ProbeSpec probe = probeSpecOf(spec);
    probe.far.port = spec.peerPort;
    if (const auto valid = validate(probe); !valid) // the other port's turn comes in findRoute()
        co_return tl::unexpected(valid.error());
    probe.far.port = spec.iperfPort;
    Result<Route> route = co_await findRoute(std::move(probe), cancel);
    if (!route)
        co_return tl::unexpected(route.error());
    Worker worker;
    co_return co_await runOn(worker, [spec = std::move(spec), route = std::move(*route), deadline,
                                      cancel] { return testAll(spec, route, deadline, cancel); });
}

} // namespace napkin
