// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/peerserver.h"

#include "core/base/gate.h"
#include "core/peer/addressguard.h"
#include "core/peer/servedchannel.h"

#include <QCoreApplication>
#include <QTcpServer>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerServer)
};

constexpr std::chrono::milliseconds shutDownLimit(2'000);
// A connection that proved nothing makes room for one from another address after this.
constexpr std::chrono::milliseconds leastTurn(1'000);

// Hands every connection over at once: one that is refused is closed before any TLS begins.
class Listener : public QTcpServer
{
public:
    std::function<void(std::unique_ptr<QSslSocket>)> take;

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto socket = std::make_unique<QSslSocket>();
        if (socket->setSocketDescriptor(descriptor))
            take(std::move(socket));
    }
};

Error listenFault(const QTcpServer& listener, const PeerServerOptions& options)
{
    const QString where = QStringLiteral("%1:%2")
                              .arg(options.bindAddress.contains(u':')
                                       ? QStringLiteral("[%1]").arg(options.bindAddress)
                                       : options.bindAddress)
                              .arg(options.port);
    const QString context =
        options.bindAddress.isEmpty() ? Words::tr("Port %1").arg(options.port) : where;
    switch (listener.serverError()) {
    case QAbstractSocket::AddressInUseError:
        return {ErrorCode::AddressInUse, {}, context, nullptr};
    case QAbstractSocket::SocketAddressNotAvailableError:
        return {ErrorCode::AddressNotAvailable, {}, options.bindAddress, nullptr};
    case QAbstractSocket::SocketAccessError:
        return {ErrorCode::PermissionDenied, {}, context, nullptr};
    default:
        return {ErrorCode::Internal, listener.errorString(), context, nullptr};
    }
}

} // namespace

class PeerServer::Private : public QObject
{
public:
    Private(PeerServer* owner, PeerServerOptions wanted)
        : q(owner)
        , options(std::move(wanted))
    {
        listener.take = [this](std::unique_ptr<QSslSocket> socket) { admit(std::move(socket)); };
        connect(&reread, &QTimer::timeout, this, &Private::lookAtStore);
    }

    [[nodiscard]] Result<void> listen();
    void admit(std::unique_ptr<QSslSocket> socket);
    void serve(QSslSocket* socket);
    void onOpened(ServedChannel* channel);
    void onEnded(ServedChannel* channel, const Error& why, ServedChannel::Ending ending);
    void refuse(const QHostAddress& address, const Error& why);
    void lookAtStore();
    void endAll();
    [[nodiscard]] std::optional<Error> reasonAgainst(const QHostAddress& address);
    [[nodiscard]] std::vector<ServedChannel*> unproven() const;
    [[nodiscard]] bool isKnown(const QHostAddress& address);
    void readHosts();

    PeerServer* q;
    PeerServerOptions options;
    Listener listener;
    TaskScope tasks;
    QTimer reread;
    AddressGuard guard;
    std::vector<QHostAddress> hosts; // of the paired machines, as they stood when they paired
    SteadyTime hostsRead;
    LogThrottle throttle;
    std::vector<ServedChannel*> channels; // children of this
};

Result<void> PeerServer::Private::listen()
{
    if (const auto book = options.store->identify(); !book)
        return tl::unexpected(book.error());
    QHostAddress address(QHostAddress::Any);
    if (!options.bindAddress.isEmpty() && !address.setAddress(options.bindAddress))
        return fail(ErrorCode::AddressNotAvailable, options.bindAddress,
                    Words::tr("it is not written as an IPv4 or IPv6 address"));
    if (!listener.listen(address, static_cast<quint16>(options.port)))
        return tl::unexpected(listenFault(listener, options));
    reread.start(options.limits.rereadStore);
    return {};
}

std::vector<ServedChannel*> PeerServer::Private::unproven() const
{
    std::vector<ServedChannel*> found;
    std::copy_if(channels.begin(), channels.end(), std::back_inserter(found),
                 [](const ServedChannel* channel) { return !channel->isProven(); });
    return found;
}

// At most once a second: a flood must not have the file read for each connection.
void PeerServer::Private::readHosts()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now - hostsRead < options.limits.rereadStore)
        return;
    hostsRead = now;
    const auto book = options.store->read();
    if (!book)
        return;
    hosts.clear();
    for (const PairedPeer& peer : book->peers) {
        if (QHostAddress address; address.setAddress(peer.host))
            hosts.push_back(AddressGuard::plain(address));
    }
}

bool PeerServer::Private::isKnown(const QHostAddress& address)
{
    if (guard.hasProved(address))
        return true;
    readHosts();
    return std::ranges::find(hosts, address) != hosts.end();
}

std::optional<Error> PeerServer::Private::reasonAgainst(const QHostAddress& address)
{
    const auto busy = [](const QString& why) {
        return Error{ErrorCode::PeerBusy, why, {}, nullptr};
    };
    if (const auto bar = guard.bar(address, std::chrono::steady_clock::now()))
        return Error{ErrorCode::PeerRefused,
                     Words::tr("too many wrong keys from there; it has to wait %Ln seconds",
                               nullptr, static_cast<int>(bar->count())),
                     {},
                     nullptr};
    // Strangers and machines that are known compete among themselves: a flood of the first does not
    // keep the second out.
    const bool known = isKnown(address);
    std::vector<ServedChannel*> waiting = unproven();
    std::erase_if(waiting, [this, known](const ServedChannel* channel) {
        return isKnown(channel->address()) != known;
    });
    const auto same = std::count_if(waiting.begin(), waiting.end(), [&](ServedChannel* channel) {
        return channel->address() == address;
    });
    if (same >= options.limits.unprovenAnAddress)
        return busy(Words::tr("too many connections from there at once"));
    const int room = known ? options.limits.unprovenKnown : options.limits.unproven;
    if (waiting.size() < static_cast<size_t>(room))
        return std::nullopt;
    // An honest handshake takes milliseconds: the longest wait is the least honest one.
    ServedChannel* oldest =
        *std::min_element(waiting.begin(), waiting.end(), [](ServedChannel* a, ServedChannel* b) {
            return a->begun() < b->begun();
        });
    if (std::chrono::steady_clock::now() - oldest->begun() < leastTurn)
        return busy(Words::tr("too many connections at once"));
    // It had its turn and did not use it: that counts against its address.
    oldest->end(busy(Words::tr("it made room for another")), ServedChannel::Ending::KeyFailed);
    return std::nullopt;
}

void PeerServer::Private::admit(std::unique_ptr<QSslSocket> socket)
{
    const QHostAddress address = AddressGuard::plain(socket->peerAddress());
    if (const auto reason = reasonAgainst(address)) {
        socket->abort();
        return refuse(address, *reason);
    }
    serve(socket.release());
}

void PeerServer::Private::serve(QSslSocket* socket)
{
    auto* channel = new ServedChannel(socket, &options, &tasks, this);
    channels.push_back(channel);
    connect(channel, &ServedChannel::proven, this,
            [this, channel] { guard.proved(channel->address()); });
    connect(channel, &ServedChannel::opened, this, [this, channel] { onOpened(channel); });
    connect(channel, &ServedChannel::paired, q, &PeerServer::peerPaired);
    connect(channel, &ServedChannel::ended, this,
            [this, channel](const Error& why, ServedChannel::Ending ending) {
                onEnded(channel, why, ending);
            });
    connect(channel, &ServedChannel::callStarted, this, [this, channel](const QString& method) {
        Q_EMIT q->callStarted(*channel->peer(), method);
    });
    connect(channel, &ServedChannel::callEnded, this,
            [this, channel](const QString& method, const std::optional<Error>& fault) {
                Q_EMIT q->callEnded(*channel->peer(), method, fault);
            });
    channel->begin();
}

void PeerServer::Private::onOpened(ServedChannel* channel)
{
    const auto open = std::count_if(channels.begin(), channels.end(),
                                    [](const ServedChannel* c) { return c->peer().has_value(); });
    if (open > options.limits.channels)
        return channel->end(Error{
            ErrorCode::PeerBusy,
            Words::tr("%1 channels are open, which is all it allows").arg(options.limits.channels),
            {},
            nullptr});
    const auto own = std::count_if(channels.begin(), channels.end(), [&](const ServedChannel* c) {
        return c->peer() && c->peer()->id == channel->peer()->id;
    });
    if (own > options.limits.channelsAPeer)
        return channel->end(
            Error{ErrorCode::PeerBusy,
                  Words::tr("this machine has %1 channels open, which is all it may have")
                      .arg(options.limits.channelsAPeer),
                  {},
                  nullptr});
    Q_EMIT q->peerConnected(*channel->peer());
}

void PeerServer::Private::onEnded(ServedChannel* channel, const Error& why,
                                  ServedChannel::Ending ending)
{
    std::erase(channels, channel);
    channel->deleteLater();
    if (ending == ServedChannel::Ending::KeyFailed)
        guard.countFailure(channel->address(), std::chrono::steady_clock::now());
    const bool isAnnounced = channel->peer() && why.code != ErrorCode::PeerBusy; // see onOpened
    if (isAnnounced)
        Q_EMIT q->peerDisconnected(*channel->peer(), why);
    else if (why.code != ErrorCode::ConnectionLost)
        refuse(channel->address(), why);
}

void PeerServer::Private::refuse(const QHostAddress& address, const Error& why)
{
    if (!throttle.admit(std::chrono::steady_clock::now()))
        return;
    Error said = why;
    said.context = address.toString();
    Q_EMIT q->peerRefused(address.toString(), said, throttle.takeLeftOut());
}

void PeerServer::Private::lookAtStore()
{
    if (channels.empty())
        return;
    const auto book = options.store->read();
    const std::vector<ServedChannel*> all = channels;
    for (ServedChannel* channel : all)
        channel->endUnlessPaired(book);
}

void PeerServer::Private::endAll()
{
    listener.close();
    const std::vector<ServedChannel*> all = channels;
    for (ServedChannel* channel : all)
        channel->end(
            Error{ErrorCode::ConnectionLost, Words::tr("it stopped serving"), {}, nullptr});
}

PeerServer::PeerServer(PeerServerOptions options)
    : m_d(std::make_unique<Private>(this, std::move(options)))
{}

PeerServer::~PeerServer()
{
    m_d->endAll();
}

Result<std::unique_ptr<PeerServer>> PeerServer::start(PeerServerOptions options)
{
    std::unique_ptr<PeerServer> server(new PeerServer(std::move(options)));
    if (const auto listening = server->m_d->listen(); !listening)
        return tl::unexpected(listening.error());
    return server;
}

QCoro::Task<void> PeerServer::shutDown(std::unique_ptr<PeerServer> server)
{
    server->m_d->endAll();
    TaskScope* tasks = &server->m_d->tasks;
    if (tasks->running() > 0) {
        Gate gate;
        gate.on(tasks, &TaskScope::idle).after(shutDownLimit);
        co_await gate;
    }
}

int PeerServer::port() const
{
    return m_d->listener.serverPort();
}

std::vector<PeerIdentity> PeerServer::connected() const
{
    std::vector<PeerIdentity> peers;
    for (const ServedChannel* channel : m_d->channels) {
        if (channel->peer())
            peers.push_back(*channel->peer());
    }
    return peers;
}

int PeerServer::connections() const
{
    return static_cast<int>(m_d->channels.size());
}

} // namespace napkin
