// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/peerdesk.h"

#include "core/peer/peerpairing.h"
#include "core/results/hostfactsjson.h"

#include <QSysInfo>

#include <algorithm>

namespace napkin {

namespace {

constexpr std::chrono::seconds factsLimit{10};

QString callText(const PeerIdentity& peer, const QString& method)
{
    return PeerDesk::tr("%1: %2", "machine, what it asks for").arg(peer.name, method);
}

} // namespace

Result<PeerPlace> peerPlaceFromText(const QString& text)
{
    QString host = text.trimmed();
    QString port;
    const auto colon = host.lastIndexOf(QLatin1Char(':'));
    const auto bracket = host.lastIndexOf(QLatin1Char(']'));
    if (host.startsWith(QLatin1Char('['))) {
        if (bracket < 0)
            return fail(ErrorCode::InvalidArgument, text, PeerDesk::tr("“]” is missing"));
        if (colon > bracket)
            port = host.mid(colon + 1);
        host = host.mid(1, bracket - 1);
    } else if (host.count(QLatin1Char(':')) == 1) { // more of them: an IPv6 address
        port = host.mid(colon + 1);
        host = host.left(colon);
    }
    if (host.isEmpty())
        return fail(ErrorCode::InvalidArgument, PeerDesk::tr("The other machine"),
                    PeerDesk::tr("type its address or name"));
    PeerPlace place{host};
    if (colon >= 0 && (!port.isEmpty() || text.trimmed().endsWith(QLatin1Char(':')))) {
        bool ok = false;
        place.port = port.toInt(&ok);
        if (!ok || place.port < 1 || place.port > 65'535)
            return fail(ErrorCode::InvalidArgument, text,
                        PeerDesk::tr("the port is a number from 1 to 65,535"));
    }
    return place;
}

PeerDesk::PeerDesk(Parts parts, QObject* parent)
    : QObject(parent)
    , m_parts(std::move(parts))
{}

PeerDesk::~PeerDesk()
{
    // What the servers say while they end is for nobody any more.
    if (m_server)
        m_server->disconnect(this);
    if (m_throughput)
        m_throughput->disconnect(this);
}

const PeerEntry* PeerDesk::find(PeerId id) const
{
    const auto at =
        std::ranges::find_if(m_peers, [id](const PeerEntry& one) { return one.peer.id == id; });
    return at == m_peers.end() ? nullptr : &*at;
}

PeerEntry* PeerDesk::entry(PeerId id)
{
    return const_cast<PeerEntry*>(std::as_const(*this).find(id));
}

QString PeerDesk::ownName() const
{
    return m_book.name.isEmpty() ? QSysInfo::machineHostName() : m_book.name;
}

void PeerDesk::refresh()
{
    const auto book = m_parts.store->read();
    if (!book) {
        Q_EMIT failed(book.error());
        return;
    }
    std::vector<PeerEntry> fresh;
    for (const PairedPeer& peer : book->peers) {
        const PeerEntry* known = find(peer.id);
        PeerEntry one = known ? *known : PeerEntry{};
        one.peer = peer;
        fresh.push_back(std::move(one));
    }
    const auto same = [](const PeerEntry& a, const PeerEntry& b) { return a.peer == b.peer; };
    const bool changed = !std::ranges::equal(fresh, m_peers, same) || !(m_book.self == book->self);
    m_book = *book;
    m_peers = std::move(fresh);
    if (changed)
        Q_EMIT peersChanged();
}

void PeerDesk::askAll()
{
    for (PeerEntry& one : m_peers) {
        if (one.reach == PeerEntry::Reach::Asking)
            continue;
        one.reach = PeerEntry::Reach::Asking;
        m_scope.start(ask(this, m_parts.store, one.peer.id, m_scope.token()));
    }
    Q_EMIT peersChanged();
}

QCoro::Task<void> PeerDesk::ask(QPointer<PeerDesk> self, std::shared_ptr<PeerStore> store,
                                PeerId id, CancelToken cancel)
{
    const auto channel = co_await PeerChannel::open(std::move(store), id, cancel);
    PeerEntry* known = self ? self->entry(id) : nullptr;
    if (!known)
        co_return;
    known->reach = channel ? PeerEntry::Reach::Reachable : PeerEntry::Reach::NotReachable;
    known->version = channel ? (*channel)->peer().version : QString();
    known->why = channel ? std::nullopt : std::optional(channel.error());
    Q_EMIT self->peersChanged();
}

QCoro::Task<Result<PairedPeer>> PeerDesk::pair(QPointer<PeerDesk> self, PeerPlace place,
                                               QString code, CancelToken cancel)
{
    const auto parsed = PairingCode::fromText(code);
    if (!parsed)
        co_return tl::unexpected(parsed.error());
    const auto store = self->m_parts.store;
    auto paired = co_await pairWith(store, place.host, place.port, *parsed, cancel);
    if (self && paired) {
        self->refresh();
        self->askAll();
    }
    co_return paired;
}

Result<PairingCode> PeerDesk::invite()
{
    if (const auto serving = startServing(); !serving)
        return tl::unexpected(serving.error());
    return m_parts.store->invite();
}

Result<void> PeerDesk::rename(PeerId id, const QString& name)
{
    const auto done = m_parts.store->rename(id, name);
    refresh();
    return done;
}

Result<void> PeerDesk::revoke(PeerId id)
{
    const auto done = m_parts.store->revoke(id);
    refresh();
    return done;
}

QCoro::Task<Result<HostFacts>> PeerDesk::facts(QPointer<PeerDesk> self, std::optional<PeerId> id,
                                               CancelToken cancel)
{
    if (!id) {
        if (!self->m_parts.ownFacts)
            co_return fail(ErrorCode::Unsupported, self->ownName());
        co_return co_await self->m_parts.ownFacts();
    }
    const auto store = self->m_parts.store;
    const auto channel = co_await PeerChannel::open(store, *id, cancel);
    if (!channel)
        co_return tl::unexpected(channel.error());
    const auto answer = co_await (*channel)->call(QStringLiteral("facts"), nlohmann::json::object(),
                                                  factsLimit, cancel, {});
    if (!answer)
        co_return tl::unexpected(answer.error());
    co_return hostFactsFromJson(*answer);
}

QCoro::Task<Result<std::vector<FoundPeer>>> PeerDesk::lookAround(QPointer<PeerDesk> self,
                                                                 CancelToken cancel)
{
    if (!self->m_parts.lookAround)
        co_return fail(ErrorCode::Unsupported, self->ownName());
    co_return co_await self->m_parts.lookAround(cancel);
}

Result<void> PeerDesk::startServing()
{
    if (m_server)
        return {};
    auto server = PeerServer::start(
        {m_parts.bindAddress, m_parts.peerPort, m_parts.store, m_parts.services, {}});
    if (!server)
        return tl::unexpected(server.error());
    m_server = std::move(*server);
    watch(m_server.get());
    Q_EMIT servingChanged();
    return {};
}

void PeerDesk::watch(PeerServer* server)
{
    connect(server, &PeerServer::peerConnected, this, &PeerDesk::servingChanged);
    connect(server, &PeerServer::peerDisconnected, this, &PeerDesk::servingChanged);
    connect(server, &PeerServer::peerRefused, this,
            [this](const QString& address, const Error& why) { Q_EMIT refused(address, why); });
    connect(server, &PeerServer::peerPaired, this, [this](const PeerIdentity& peer) {
        refresh();
        Q_EMIT paired(peer.name);
    });
    connect(server, &PeerServer::callStarted, this,
            [this](const PeerIdentity& peer, const QString& method) {
                m_calls << callText(peer, method);
                Q_EMIT servingChanged();
            });
    connect(server, &PeerServer::callEnded, this,
            [this](const PeerIdentity& peer, const QString& method) {
                m_calls.removeOne(callText(peer, method));
                Q_EMIT servingChanged();
            });
}

void PeerDesk::stopServing()
{
    if (!m_server)
        return;
    m_server->disconnect(this);
    m_calls.clear();
    m_scope.start(end(std::move(m_server)));
    Q_EMIT servingChanged();
}

QCoro::Task<void> PeerDesk::end(std::unique_ptr<PeerServer> server)
{
    co_await PeerServer::shutDown(std::move(server));
}

int PeerDesk::servingPort() const
{
    return m_server ? m_server->port() : 0;
}

QStringList PeerDesk::connected() const
{
    QStringList names = m_calls;
    if (m_server) {
        for (const PeerIdentity& peer : m_server->connected()) {
            const bool busy = std::ranges::any_of(m_calls, [&peer](const QString& call) {
                return call.startsWith(peer.name + QLatin1Char(':'));
            });
            if (!busy)
                names << peer.name;
        }
    }
    names.removeDuplicates();
    return names;
}

Result<void> PeerDesk::startThroughput()
{
    if (m_throughput)
        return {};
    Iperf3ServerOptions options;
    options.bindAddress = m_parts.bindAddress;
    options.port = m_parts.throughputPort;
    auto server = Iperf3Server::start(options);
    if (!server)
        return tl::unexpected(server.error());
    m_throughput = std::move(*server);
    connect(m_throughput.get(), &Iperf3Server::testStarted, this, [this](const QString& client) {
        m_client = client;
        Q_EMIT servingChanged();
    });
    connect(m_throughput.get(), &Iperf3Server::testEnded, this, [this] {
        m_client.clear();
        Q_EMIT servingChanged();
    });
    Q_EMIT servingChanged();
    return {};
}

void PeerDesk::stopThroughput()
{
    if (!m_throughput)
        return;
    m_throughput.reset();
    m_client.clear();
    Q_EMIT servingChanged();
}

int PeerDesk::throughputPort() const
{
    return m_throughput ? m_throughput->port() : 0;
}

} // namespace napkin
