// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakserver.h"

#include "core/base/logging.h"
#include "core/measure/listener.h"
#include "core/measure/soak/soakproof.h"

#include <QRandomGenerator>

#include <poll.h>

#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using iperf3::ControlConnection;

constexpr auto proofLimit = 3s;
constexpr auto look = 100ms;
constexpr auto patience = 5s; // longer than the near end has: it is to see it first

} // namespace

class SoakServer::Private
{
public:
    Private(SoakServerOptions options, Socket listener)
        : m_options(std::move(options))
        , m_wake(m_stop.get_token())
        , m_listener(std::move(listener))
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
    void accept();
    void watch();
    void drop();

    SoakServerOptions m_options;
    CancelSource m_stop;
    Interrupt m_wake;
    Socket m_listener;
    int m_port = localAddress(m_listener).value_or(SocketAddress()).port();
    soak::Tally m_tally{QRandomGenerator::system()->generate64(), {}, {}, 0, {}};
    std::unique_ptr<soak::Pipe> m_pipe;
    std::int64_t m_moved = 0;
    SteadyTime m_movedAt;
    std::thread m_thread;
};

void SoakServer::Private::loop()
{
    const Deadline whole(m_options.longest);
    while (!m_stop.stop_requested() && !whole.hasPassed()) {
        const Deadline next = m_pipe ? Deadline(look) : whole.within(1h);
        if (waitReady(m_listener.fd(), POLLIN, next, m_wake) == Ready::Yes)
            accept();
        if (m_pipe)
            watch();
    }
    m_listener.close();
    m_pipe.reset();
}

void SoakServer::Private::accept()
{
    Result<Socket> socket = acceptTcp(m_listener);
    if (!socket) {
        if (socket.error().code != ErrorCode::NotFound)
            std::this_thread::sleep_for(50ms); // out of descriptors, most likely
        return;
    }
    const QString client = peerName(*socket);
    if (!m_options.clients.isEmpty() && !isAmong(client, m_options.clients))
        return;
    setPatientKeepAlive(*socket);
    ControlConnection connection(std::move(*socket), client, Deadline(proofLimit), m_wake);
    const auto start = soak::welcome(connection, m_options.ticket);
    if (!start) {
        qCDebug(lcMeasure) << "soak: not let in:" << errorCodeName(start.error().code);
        return;
    }
    drop();
    soak::PipeOptions pipe;
    pipe.sends = Direction::Reverse;
    pipe.seed = start->seed;
    pipe.connection = start->connection;
    pipe.blockSize = static_cast<std::size_t>(m_options.soak.blockSize.bytes());
    pipe.rateCap = m_options.soak.rateCap;
    pipe.sendsBlocks = m_options.soak.flow != Flow::Forward;
    pipe.sendsReports = true;
    pipe.before = m_tally;
    m_pipe = std::make_unique<soak::Pipe>(connection.release(), std::move(pipe));
    m_moved = 0;
    m_movedAt = std::chrono::steady_clock::now();
}

void SoakServer::Private::watch()
{
    const soak::PipeView view = m_pipe->look();
    const auto now = std::chrono::steady_clock::now();
    const std::int64_t moved = view.heard + view.tcp.acknowledged.value_or(view.handed);
    if (moved != m_moved) {
        m_moved = moved;
        m_movedAt = now;
    }
    if (view.end || now - m_movedAt > m_options.soak.lostAfter + patience)
        drop();
}

// What it counted stands in the reports of the next connection.
void SoakServer::Private::drop()
{
    if (!m_pipe)
        return;
    m_tally = m_pipe->tally();
    m_pipe.reset();
}

Result<std::unique_ptr<SoakServer>> SoakServer::start(SoakServerOptions options)
{
    Result<Socket> listener = openListener(options.bindAddress, options.port);
    if (!listener)
        return tl::unexpected(listener.error());
    return std::unique_ptr<SoakServer>(
        new SoakServer(std::make_unique<Private>(std::move(options), std::move(*listener))));
}

SoakServer::SoakServer(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

SoakServer::~SoakServer() = default;

int SoakServer::port() const
{
    return m_d->port();
}

} // namespace napkin
