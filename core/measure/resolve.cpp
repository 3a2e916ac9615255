// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/resolve.h"

#include "core/base/gate.h"
#include "core/measure/os/hostconditions.h"

#include <QCoreApplication>
#include <QUrl>

#include <netdb.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

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

// "eth0" of "fe80::1%eth0": an interface of this machine.
QString scopeOf(const QString& host)
{
    const QString address = host.trimmed();
    return address.contains(QLatin1Char(':')) ? address.section(QLatin1Char('%'), 1) : QString();
}

// Addresses there are, but none that fits what was asked for.
tl::unexpected<Error> noneFits(const QString& host, const LeaveBy& by)
{
    if (by.source)
        return fail(ErrorCode::InvalidArgument,
                    Words::tr("The source address %1").arg(by.source->text()),
                    Words::tr("%1 has no address of that IP version").arg(host));
    return fail(ErrorCode::NameNotResolved, host,
                Words::tr("it has no address of the IP version asked for"));
}

Result<LeaveBy> leaveBy(const ProbeSpec& spec)
{
    LeaveBy by;
    by.interfaceName = spec.interfaceName.trimmed();
    if (!by.interfaceName.isEmpty() && !interfaceExists(by.interfaceName))
        return fail(ErrorCode::NoSuchInterface, by.interfaceName);
    if (const QString scope = scopeOf(spec.far.host); !scope.isEmpty() && !interfaceExists(scope))
        return fail(ErrorCode::NoSuchInterface, scope);
    QString source = spec.sourceAddress.trimmed();
    if (source.isEmpty())
        return by;
    auto address = addressFromText(source, 0);
    if (address && address->wantsScope()) {
        const QString scope =
            by.interfaceName.isEmpty() ? scopeOf(spec.far.host) : by.interfaceName;
        if (scope.isEmpty())
            return fail(ErrorCode::InvalidArgument, Words::tr("The source address %1").arg(source),
                        Words::tr("it is local to a link and needs the interface, as in %1%eth0 "
                                  "with eth0 the interface of this machine")
                            .arg(source));
        source += u'%' + scope;
        address = addressFromText(source, 0);
    }
    if (!address)
        return fail(ErrorCode::AddressNotAvailable, source,
                    Words::tr("it is not written as an IPv4 or IPv6 address"));
    if (!isOwnAddress(*address))
        return fail(ErrorCode::AddressNotAvailable, source);
    by.source = *address;
    return by;
}

// What a lookup found; shared with its thread, which may end after the waiter has gone.
struct Lookup
{
    std::mutex mutex;
    std::vector<SocketAddress> found;
};

std::vector<SocketAddress> askResolver(const QByteArray& host, const QByteArray& service)
{
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (::getaddrinfo(host.constData(), service.constData(), &hints, &list) != 0)
        return {};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
    std::vector<SocketAddress> found;
    for (const addrinfo* item = list; item != nullptr; item = item->ai_next) {
        SocketAddress address;
        std::memcpy(&address.storage, item->ai_addr, item->ai_addrlen);
        address.length = item->ai_addrlen;
        found.push_back(address);
    }
    return found;
}

// Ends by itself within the limit. The system's resolver may try for half a minute and cannot be
// stopped: a thread of its own, which nobody waits for, lets the program end in the meantime.
QCoro::Task<Result<std::vector<SocketAddress>>> lookUp(QString host, int port, CancelToken cancel)
{
    Gate gate;
    auto lookup = std::make_shared<Lookup>();
    const QByteArray ascii = QUrl::toAce(host);
    const auto ask = [lookup, name = ascii.isEmpty() ? host.toUtf8() : ascii,
                      service = QByteArray::number(port), open = gate.opener()] {
        std::vector<SocketAddress> found = askResolver(name, service);
        {
            const std::lock_guard lock(lookup->mutex);
            lookup->found = std::move(found);
        }
        open();
    };
    try {
        std::thread(ask).detach();
    } catch (const std::system_error& error) {
        co_return tl::unexpected(errorFrom(error));
    }
    gate.after(resolveLimit).on(cancel);
    const Gate::Opened opened = co_await gate;
    if (opened == Gate::Opened::Cancelled)
        co_return fail(ErrorCode::Cancelled);
    if (opened != Gate::Opened::Signal)
        co_return fail(ErrorCode::NameNotResolved, host,
                       Words::tr("no name server answered in time"));
    const std::lock_guard lock(lookup->mutex);
    if (lookup->found.empty())
        co_return fail(ErrorCode::NameNotResolved, host);
    co_return lookup->found;
}

} // namespace

QString peerName(const ProbeSpec& spec)
{
    return endpointText(spec.far.host, spec.far.port);
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
        Result<std::vector<SocketAddress>> asked = co_await lookUp(host, spec.far.port, cancel);
        if (!asked)
            co_return tl::unexpected(asked.error());
        found = std::move(*asked);
    }
    for (const SocketAddress& address : found) {
        if (fits(address, spec.ipVersion, route.by))
            route.addresses.push_back(address);
    }
    if (route.addresses.empty())
        co_return noneFits(host, route.by);
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
