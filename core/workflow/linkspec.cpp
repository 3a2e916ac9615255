// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/linkspec.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QNetworkInterface>
#include <QSysInfo>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::LinkSpec)
};

struct End
{
    const Machine* machine = nullptr;
    const Port* port = nullptr;

    [[nodiscard]] QString address() const { return port->address.trimmed(); }
    [[nodiscard]] QString title() const
    {
        return port->name.isEmpty() ? machine->name : machine->name + u' ' + port->name;
    }
};

enum class Where { Nowhere, Here, Loopback, Elsewhere };

bool isLocalName(const QString& address, const LocalHost& local)
{
    return address.compare(local.name, Qt::CaseInsensitive) == 0 ||
           address.compare(QStringLiteral("localhost"), Qt::CaseInsensitive) == 0;
}

Where whereIs(const End& end, const LocalHost& local)
{
    const QString address = end.address();
    if (address.isEmpty())
        return Where::Nowhere;
    QHostAddress literal(address);
    if (literal.isNull())
        return isLocalName(address, local) ? Where::Here : Where::Elsewhere;
    if (literal.isLoopback())
        return Where::Loopback;
    literal.setScopeId({});
    return local.addresses.contains(literal.toString()) ? Where::Here : Where::Elsewhere;
}

std::optional<PeerId> peerOf(const End& end, const LocalHost& local)
{
    const auto& peer = end.machine->peer;
    const bool isKnown = peer && peer != local.self && std::ranges::count(local.peers, *peer) > 0;
    return isKnown ? peer : std::nullopt;
}

bool isSelf(const End& end, const LocalHost& local)
{
    return local.self && end.machine->peer == local.self;
}

Endpoint endpointOf(const End& end, const LocalHost& local)
{
    Endpoint endpoint;
    endpoint.name = end.machine->name;
    endpoint.machine = end.machine->id;
    endpoint.portId = end.port->id;
    endpoint.peer = peerOf(end, local);
    endpoint.interfaceName = end.port->name.trimmed();
    endpoint.address = end.address();
    return endpoint;
}

// 0 or 1: which of the ends is the far one.
Result<int> farEnd(const End& a, const End& b, const LocalHost& local)
{
    const Where atA = whereIs(a, local);
    const Where atB = whereIs(b, local);
    const auto isThere = [](Where w) { return w == Where::Elsewhere; };
    const QString cable = a.title() + QStringLiteral(" ⇄ ") + b.title();
    if (atA == Where::Nowhere && atB == Where::Nowhere)
        return fail(
            ErrorCode::InvalidArgument, cable,
            Words::tr(
                "neither end has an address; give the port of the other machine its address"));
    if (isThere(atA) && isThere(atB)) {
        if (isLocalName(a.machine->name, local))
            return 1;
        if (isLocalName(b.machine->name, local))
            return 0;
        return fail(ErrorCode::InvalidArgument, cable,
                    Words::tr("both ends have addresses that this machine does not have; open the "
                              "notebook on one "
                              "of the two machines to measure this cable"));
    }
    if (isThere(atA) || isThere(atB))
        return isThere(atA) ? 0 : 1;
    if (atA == Where::Nowhere || atB == Where::Nowhere) {
        const bool aIsEmpty = atA == Where::Nowhere;
        if ((aIsEmpty ? atB : atA) == Where::Loopback)
            return aIsEmpty ? 1 : 0;
        return fail(
            ErrorCode::InvalidArgument, cable,
            Words::tr("%1 has an address of this machine; give %2 the address of the other one")
                .arg(aIsEmpty ? b.title() : a.title(), aIsEmpty ? a.title() : b.title()));
    }
    return 1; // both here: this machine talks to itself, and the run will say so
}

Result<int> withAddress(int far, const End& end)
{
    if (end.address().isEmpty())
        return fail(ErrorCode::InvalidArgument, end.title(),
                    Words::tr("the port that is measured towards needs an address"));
    return far;
}

// The same with what is known of paired machines.
Result<int> farEndAmongPeers(const End& a, const End& b, const LocalHost& local, NearEnd near)
{
    const bool isPeerA = peerOf(a, local).has_value();
    const bool isPeerB = peerOf(b, local).has_value();
    if (isPeerA && isPeerB) {
        const bool fromB =
            near == NearEnd::B || (near == NearEnd::Automatic && b.address().isEmpty());
        return withAddress(fromB ? 0 : 1, fromB ? a : b);
    }
    if (isSelf(a, local) || isSelf(b, local))
        return isSelf(a, local) ? withAddress(1, b) : withAddress(0, a);
    if (!isPeerA && !isPeerB)
        return farEnd(a, b, local);
    const End& other = isPeerA ? b : a;
    if (whereIs(other, local) == Where::Elsewhere && !isLocalName(other.machine->name, local))
        return fail(ErrorCode::InvalidArgument, other.title(),
                    Words::tr("it is neither this machine nor paired with it; pair it, or open the "
                              "notebook on it, to measure this cable"));
    return withAddress(isPeerA ? 0 : 1, isPeerA ? a : b);
}

Result<int> chosenFarEnd(const End& a, const End& b, const LocalHost& local, NearEnd near)
{
    auto far = farEndAmongPeers(a, b, local, near);
    const int wanted = near == NearEnd::A ? 1 : 0;
    if (!far || near == NearEnd::Automatic || *far == wanted)
        return far;
    return fail(ErrorCode::InvalidArgument, (near == NearEnd::A ? a : b).title(),
                Words::tr("only this machine, or one that it is paired with, can be the near end; "
                          "measure in reverse from the other end instead"));
}

// An IPv6 address that is local to a link means nothing without the interface: fe80::1%eth0.
bool wantsScope(const QString& address)
{
    const QHostAddress literal(address);
    return literal.protocol() == QAbstractSocket::IPv6Protocol && literal.isLinkLocal() &&
           literal.scopeId().isEmpty();
}

// The interface of this machine that is meant by the near port: the one it is named after, the one
// that an address names, or else the only one that has its address.
QString interfaceFor(const End& near, const End& far, const LocalHost& local)
{
    if (local.interfaces.contains(near.port->name))
        return near.port->name;
    for (const End& end : {near, far}) {
        if (const QString scope = QHostAddress(end.address()).scopeId(); !scope.isEmpty())
            return scope;
    }
    QHostAddress literal(near.address());
    literal.setScopeId({});
    const QStringList having = local.interfacesOf.values(literal.toString());
    return having.size() == 1 ? having.front() : QString();
}

Result<void> addScope(QString& address, const QString& interface, const End& end)
{
    if (!wantsScope(address))
        return {};
    if (interface.isEmpty())
        return fail(ErrorCode::InvalidArgument, Words::tr("The address “%1”").arg(address),
                    Words::tr("it is local to a link: write %1 of %2 with the interface of this "
                              "machine, as in %1%eth0, or name the port of this machine after "
                              "its interface")
                        .arg(address, end.title()));
    address += u'%' + interface;
    return {};
}

Result<void> bindTo(const End& near, const End& far, const LocalHost& local, ProbeSpec& spec)
{
    const QHostAddress address(near.address());
    if (!address.isNull() && whereIs(near, local) == Where::Here)
        spec.sourceAddress = near.address();
    if (local.interfaces.contains(near.port->name))
        spec.interfaceName = near.port->name;
    const QString interface = interfaceFor(near, far, local);
    return addScope(spec.sourceAddress, interface, near).and_then([&] {
        return addScope(spec.far.host, interface, far);
    });
}

} // namespace

LocalHost LocalHost::current()
{
    LocalHost local;
    local.name = QSysInfo::machineHostName();
    const auto interfaces = QNetworkInterface::allInterfaces();
    for (const QNetworkInterface& interface : interfaces) {
        local.interfaces << interface.name();
        const auto entries = interface.addressEntries();
        for (const QNetworkAddressEntry& entry : entries) {
            QHostAddress address = entry.ip();
            address.setScopeId({});
            local.addresses << address.toString();
            local.interfacesOf.insert(address.toString(), interface.name());
        }
    }
    return local;
}

LocalHost LocalHost::current(const PeerBook& book)
{
    LocalHost local = current();
    if (!book.self.isNull())
        local.self = book.self;
    for (const PairedPeer& peer : book.peers)
        local.peers.push_back(peer.id);
    return local;
}

Endpoint thisMachine()
{
    Endpoint endpoint;
    endpoint.name = QSysInfo::machineHostName();
    return endpoint;
}

Endpoint machineEnd(const PairedPeer& peer)
{
    Endpoint endpoint;
    endpoint.name = peer.name;
    endpoint.peer = peer.id;
    return endpoint;
}

std::optional<MachineId> drawnMachine(const Drawing& drawing, const std::optional<PeerId>& peer,
                                      const LocalHost& local)
{
    const std::optional<PeerId>& wanted = peer ? peer : local.self;
    std::optional<MachineId> named;
    int count = 0;
    for (const Machine& machine : drawing.machines) {
        if (wanted && machine.peer == wanted)
            return machine.id;
        if (!peer && !machine.peer && isLocalName(machine.name, local)) {
            named = machine.id;
            ++count;
        }
    }
    return count == 1 ? named : std::nullopt;
}

Result<ProbeSpec> specForLink(const Drawing& drawing, LinkId linkId, ProbeOptions options,
                              const LocalHost& local, NearEnd near)
{
    const Link* link = drawing.link(linkId);
    if (link == nullptr)
        return fail(ErrorCode::NotFound, Words::tr("The cable"));
    const End a{drawing.machineOf(link->a), drawing.port(link->a)};
    const End b{drawing.machineOf(link->b), drawing.port(link->b)};
    if (a.machine == nullptr || b.machine == nullptr || a.port == nullptr || b.port == nullptr)
        return fail(ErrorCode::InvalidArgument, link->name,
                    Words::tr("one of its ends is missing"));
    const auto far = chosenFarEnd(a, b, local, near);
    if (!far)
        return tl::unexpected(far.error());
    const End& farSide = *far == 0 ? a : b;
    const End& nearSide = *far == 0 ? b : a;

    ProbeSpec spec;
    spec.controller = thisMachine();
    spec.near = endpointOf(nearSide, local);
    spec.far = endpointOf(farSide, local);
    spec.far.host = farSide.address();
    spec.far.port = defaultThroughputPort;
    spec.link = link->id;
    spec.linkPeriod = link->period;
    spec.options = std::move(options);
    if (auto bound = spec.near.peer ? addScope(spec.far.host, spec.near.interfaceName, farSide)
                                    : bindTo(nearSide, farSide, local, spec);
        !bound)
        return tl::unexpected(bound.error());
    return spec;
}

} // namespace napkin
