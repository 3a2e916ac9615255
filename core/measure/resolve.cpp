// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/resolve.h"

#include "core/base/gate.h"
#include "core/measure/os/hostconditions.h"

#include <QCoreApplication>
#include <QHostInfo>

#include <memory>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Route)
};

constexpr auto resolveLimit = 4500ms;

bool fits(const SocketAddress& address, IpVersion version, const LeaveBy& by)
{
    if (version == IpVersion::V4 && address.family() != AF_INET)
        return false;
    if (version == IpVersion::V6 && address.family() != AF_INET6)
        return false;
    return !by.source || by.source->family() == address.family();
}

Result<LeaveBy> leaveBy(const ProbeSpec& spec)
{
    LeaveBy by;
    by.interfaceName = spec.interfaceName.trimmed();
    if (!by.interfaceName.isEmpty() && !interfaceExists(by.interfaceName))
        return fail(ErrorCode::NoSuchInterface, by.interfaceName);
    const QString source = spec.sourceAddress.trimmed();
    if (source.isEmpty())
        return by;
    const auto address = addressFromText(source, 0);
    if (!address)
        return fail(ErrorCode::AddressNotAvailable, source,
                    Words::tr("it is not written as an IPv4 or IPv6 address"));
    if (!isOwnAddress(*address))
        return fail(ErrorCode::AddressNotAvailable, source);
    by.source = *address;
    return by;
}

// What a lookup found; shared with the callback, which may come after the waiter has gone.
struct Lookup
{
    QHostInfo info;
    QObject receiver;
};

// Ends by itself within the limit; the resolver's thread may take longer and is then ignored.
QCoro::Task<Result<QHostInfo>> lookUp(QString host, CancelToken cancel)
{
    Gate gate;
    auto lookup = std::make_shared<Lookup>();
    const int id = QHostInfo::lookupHost(
        host, &lookup->receiver,
        [lookup = std::weak_ptr(lookup), open = gate.opener()](const QHostInfo& info) {
            if (const auto alive = lookup.lock())
                alive->info = info;
            open();
        });
    gate.after(resolveLimit).on(cancel);
    const Gate::Opened opened = co_await gate;
    if (opened != Gate::Opened::Signal)
        QHostInfo::abortHostLookup(id);
    if (opened == Gate::Opened::Cancelled)
        co_return fail(ErrorCode::Cancelled);
    if (opened != Gate::Opened::Signal)
        co_return fail(ErrorCode::NameNotResolved, host,
                       Words::tr("no name server answered in time"));
    if (lookup->info.error() != QHostInfo::NoError || lookup->info.addresses().isEmpty())
        co_return fail(ErrorCode::NameNotResolved, host);
    co_return lookup->info;
}

} // namespace

QString peerName(const ProbeSpec& spec)
{
    const QString host = spec.far.host.trimmed();
    const QString shape =
        host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2");
    return shape.arg(host).arg(spec.far.port);
}

QCoro::Task<Result<Route>> findRoute(ProbeSpec spec, CancelToken cancel)
{
    if (const auto valid = validate(spec); !valid)
        co_return tl::unexpected(valid.error());
    Route route;
    route.peer = peerName(spec);
    Result<LeaveBy> by = leaveBy(spec);
    if (!by)
        co_return tl::unexpected(by.error());
    route.by = std::move(*by);
    const QString host = spec.far.host.trimmed();
    std::vector<SocketAddress> found;
    if (const auto numeric = addressFromText(host, spec.far.port)) {
        found.push_back(*numeric);
    } else {
        const Result<QHostInfo> info = co_await lookUp(host, cancel);
        if (!info)
            co_return tl::unexpected(info.error());
        const QList<QHostAddress> addresses = info->addresses();
        for (const QHostAddress& address : addresses) {
            if (const auto usable = addressFromText(address.toString(), spec.far.port))
                found.push_back(*usable);
        }
    }
    for (const SocketAddress& address : found) {
        if (fits(address, spec.ipVersion, route.by))
            route.addresses.push_back(address);
    }
    if (route.addresses.empty())
        co_return fail(ErrorCode::NameNotResolved, host,
                       Words::tr("it has no address of the IP version asked for"));
    co_return route;
}

Result<Socket> connectAny(const Route& route, Deadline deadline, const Interrupt& interrupt)
{
    Error last;
    for (const SocketAddress& address : route.addresses) {
        Result<Socket> socket = connectTcp(address, route.by, deadline.within(5s), interrupt);
        if (socket)
            return socket;
        last = socket.error();
        if (last.isCancelled() || last.code == ErrorCode::PermissionDenied)
            break;
    }
    if (last.context.isEmpty())
        last.context = route.peer;
    return tl::unexpected(last);
}

} // namespace napkin
