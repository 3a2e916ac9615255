// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/pathmtuserver.h"

#include "core/base/logging.h"
#include "core/measure/listener.h"
#include "core/measure/os/pathmtu.h"
#include "core/measure/pathmtu/bulkcheck.h"
#include "core/measure/pathmtu/datagrams.h"
#include "core/measure/pathmtu/mtumessage.h"
#include "core/measure/throughput/controlconnection.h"

#include <poll.h>

#include <array>
#include <optional>
#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using iperf3::ControlConnection;
using pathmtu::Datagrams;

constexpr auto proofLimit = 3s;                  // for the whole of a first exchange
constexpr auto runLimit = 2h;                    // of a run; whoever offers it ends it sooner
constexpr auto senderStall = bulkStall + 3s;     // the near end is to see it first
constexpr std::uint32_t mostDatagrams = 100'000; // sent or told of in one run

bool isReadable(int fd, const Interrupt& interrupt)
{
    return waitReady(fd, POLLIN, Deadline(0s), interrupt) == Ready::Yes;
}

// Of the UDP socket: the very address that the near end chose, without IPv4 inside IPv6.
std::optional<SocketAddress> plain(const std::optional<SocketAddress>& address)
{
    if (!address)
        return std::nullopt;
    const auto made = addressFromText(address->text(), address->port());
    return made ? std::optional(*made) : std::nullopt;
}

Result<Datagrams> openDatagrams(const SocketAddress& address, const DataTicket& ticket)
{
    return Datagrams::open(address.family(), LeaveBy{{}, address},
                           pathmtu::token(ticket, Direction::Reverse),
                           pathmtu::token(ticket, Direction::Forward));
}

} // namespace

class PathMtuServer::Private
{
public:
    Private(PathMtuServerOptions options, Socket listener, Datagrams reserved)
        : m_options(std::move(options))
        , m_wake(m_stop.get_token())
        , m_listener(std::move(listener))
        , m_datagrams(std::move(reserved))
        , m_thread([this] { loop(); })
    {}
    ~Private()
    {
        m_stop.request_stop();
        m_thread.join();
    }
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;
    Private(Private&&) = delete;
    Private& operator=(Private&&) = delete;

    [[nodiscard]] int port() const { return m_port; }

private:
    void loop();
    [[nodiscard]] std::optional<Socket> accept();
    [[nodiscard]] bool isProved(ControlConnection& connection);
    [[nodiscard]] bool welcome(ControlConnection& control);
    void serve(ControlConnection& control);
    [[nodiscard]] bool answer(ControlConnection& control);
    [[nodiscard]] bool tellDatagrams(ControlConnection& control);
    void moveBulk(Socket socket);

    PathMtuServerOptions m_options;
    CancelSource m_stop;
    Interrupt m_wake;
    Socket m_listener;
    int m_port = localAddress(m_listener).value_or(SocketAddress()).port();
    std::optional<Datagrams> m_datagrams; // until the run begins only to hold the port
    std::optional<SocketAddress> m_nearUdp;
    QString m_holder; // the address that has shown the ticket
    std::uint32_t m_count = 0;
    std::thread m_thread;
};

std::optional<Socket> PathMtuServer::Private::accept()
{
    Result<Socket> socket = acceptTcp(m_listener);
    if (!socket) {
        if (socket.error().code != ErrorCode::NotFound)
            std::this_thread::sleep_for(50ms); // out of descriptors, most likely
        return std::nullopt;
    }
    const QString client = peerName(*socket);
    const bool isWelcome = m_holder.isEmpty()
                               ? m_options.clients.isEmpty() || isAmong(client, m_options.clients)
                               : client == m_holder;
    return isWelcome ? std::optional(std::move(*socket)) : std::nullopt;
}

bool PathMtuServer::Private::isProved(ControlConnection& connection)
{
    const QByteArray cookie = m_options.ticket.cookie();
    const QByteArray nearProof = m_options.ticket.nearProof();
    const Result<QByteArray> shown = connection.receiveExactly(cookie.size());
    if (!shown)
        return false;
    if (!equalInConstantTime(*shown, cookie)) {
        [[maybe_unused]] const auto refused = connection.send(iperf3::State::AccessDenied);
        return false;
    }
    if (!connection.send(m_options.ticket.farProof()))
        return false;
    const Result<QByteArray> proof = connection.receiveExactly(nearProof.size());
    return proof && equalInConstantTime(*proof, nearProof);
}

void PathMtuServer::Private::loop()
{
    constexpr auto look = 1h; // nothing is due by time
    while (!m_stop.stop_requested()) {
        if (waitReady(m_listener.fd(), POLLIN, Deadline(look), m_wake) != Ready::Yes)
            continue;
        std::optional<Socket> socket = accept();
        if (!socket)
            continue;
        setKeepAlive(*socket);
        const QString client = peerName(*socket);
        // The proof has its own limit; the same socket then serves the run.
        const Deadline proving(proofLimit);
        const Socket held(::dup(socket->fd()));
        ControlConnection proof(std::move(*socket), client, proving, m_wake);
        if (!isProved(proof))
            continue;
        m_holder = client;
        ControlConnection control(Socket(::dup(held.fd())), client, Deadline(runLimit), m_wake);
        if (welcome(control))
            serve(control);
        break;
    }
    m_listener.close();
    m_datagrams.reset();
}

bool PathMtuServer::Private::welcome(ControlConnection& control)
{
    const auto local = plain(localAddress(control.socket()));
    const auto near = plain(peerAddress(control.socket()));
    if (!local || !near)
        return false;
    m_datagrams.reset();
    Result<Datagrams> datagrams = openDatagrams(*local, m_options.ticket);
    if (!datagrams) {
        qCWarning(lcMeasure) << "no UDP socket for the path MTU:" << datagrams.error().detail;
        return false;
    }
    m_datagrams.emplace(std::move(*datagrams));
    pathmtu::Welcome message;
    const auto source = addressFromText(local->text(), 0);
    if (const auto path =
            kernelPath(*near, LeaveBy{{}, source ? std::optional(*source) : std::nullopt}))
        message.interfaceMtu = path->interfaceMtu.value;
    return control.send(pathmtu::encode(message)).has_value();
}

void PathMtuServer::Private::serve(ControlConnection& control)
{
    const Deadline whole(runLimit);
    const std::array descriptors{control.socket().fd(), m_datagrams->fd(), m_listener.fd()};
    while (m_count < mostDatagrams) {
        if (pathmtu::waitReadable(descriptors, whole, m_wake) != Ready::Yes)
            return;
        if (!tellDatagrams(control))
            return;
        if (isReadable(control.socket().fd(), m_wake) && !answer(control))
            return;
        if (!isReadable(m_listener.fd(), m_wake))
            continue;
        if (std::optional<Socket> socket = accept())
            moveBulk(std::move(*socket));
    }
}

bool PathMtuServer::Private::tellDatagrams(ControlConnection& control)
{
    while (const auto back = m_datagrams->takeBack()) {
        if (!back->returned.isTooBig)
            continue;
        ++m_count;
        if (!control.send(pathmtu::encode(
                pathmtu::TooBig{back->sequence, back->returned.mtu, back->returned.by})))
            return false;
    }
    while (const auto arrival = m_datagrams->receive()) {
        if (arrival->from.text() != m_holder)
            continue;
        if (!m_nearUdp && m_datagrams->connectTo(arrival->from))
            m_nearUdp = arrival->from;
        ++m_count;
        if (!control.send(pathmtu::encode(pathmtu::Arrived{arrival->sequence})))
            return false;
    }
    return true;
}

bool PathMtuServer::Private::answer(ControlConnection& control)
{
    using Outcome = pathmtu::SentBack::Outcome;
    const auto frame = control.receiveFrame(pathmtu::largestFrame);
    const auto message =
        frame ? pathmtu::decode(*frame) : Result<pathmtu::Message>(tl::unexpected(frame.error()));
    const auto* asked = message ? std::get_if<pathmtu::SendBack>(&*message) : nullptr;
    if (asked == nullptr)
        return false;
    pathmtu::SentBack reply{asked->sequence, Outcome::NowhereTo, {}};
    if (m_nearUdp) {
        ++m_count;
        const auto sent = m_datagrams->send(asked->sequence, asked->size);
        reply.outcome = Outcome::NotSent;
        if (sent == Datagrams::Sent::Yes)
            reply.outcome = Outcome::Sent;
        else if (sent == Datagrams::Sent::TooBig)
            reply = {asked->sequence, Outcome::TooBigHere, m_datagrams->allowed()};
    }
    return control.send(pathmtu::encode(reply)).has_value();
}

// While it lasts nothing else is served: the near end does one thing at a time.
void PathMtuServer::Private::moveBulk(Socket socket)
{
    ControlConnection connection(std::move(socket), m_holder, Deadline(proofLimit), m_wake);
    if (!isProved(connection))
        return;
    const auto frame = connection.receiveFrame(pathmtu::largestFrame);
    const auto message =
        frame ? pathmtu::decode(*frame) : Result<pathmtu::Message>(tl::unexpected(frame.error()));
    const auto* bulk = message ? std::get_if<pathmtu::Bulk>(&*message) : nullptr;
    if (bulk == nullptr)
        return;
    const auto bytes = ByteCount::bytes(bulk->bytes);
    const Deadline limit(bulkLimit + 5s);
    const auto moved = bulk->direction == Direction::Forward
                           ? receiveBulk(connection.socket(), bytes, senderStall, limit, m_wake)
                           : sendBulk(connection.socket(), bytes, senderStall, limit, m_wake);
    if (!moved)
        qCDebug(lcMeasure) << "bulk transfer ended:" << moved.error().detail;
    if (moved && moved->outcome == BulkTransfer::Outcome::Finished)
        return;
    const linger atOnce{1, 0}; // what is stuck is not tried for minutes
    ::setsockopt(connection.socket().fd(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
}

Result<std::unique_ptr<PathMtuServer>> PathMtuServer::start(PathMtuServerOptions options)
{
    // One number for TCP and UDP: of a free one for TCP, UDP may be taken.
    constexpr int tries = 20;
    for (int i = 0;; ++i) {
        Result<Socket> listener = openListener(options.bindAddress, options.port);
        if (!listener)
            return tl::unexpected(listener.error());
        const auto address = localAddress(*listener);
        if (!address)
            return fail(ErrorCode::Internal);
        Result<Datagrams> reserved = openDatagrams(*address, options.ticket);
        if (reserved)
            return std::unique_ptr<PathMtuServer>(new PathMtuServer(std::make_unique<Private>(
                std::move(options), std::move(*listener), std::move(*reserved))));
        if (options.port != 0 || i >= tries || reserved.error().code != ErrorCode::AddressInUse)
            return tl::unexpected(reserved.error());
    }
}

PathMtuServer::PathMtuServer(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

PathMtuServer::~PathMtuServer() = default;

int PathMtuServer::port() const
{
    return m_d->port();
}

} // namespace napkin
