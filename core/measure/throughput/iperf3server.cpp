// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/iperf3server.h"

#include "core/base/logging.h"
#include "core/measure/listener.h"
#include "core/measure/throughput/servedrun.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>
#include <list>
#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using iperf3::State;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Server)
};

constexpr size_t maxPending = 64; // connections that have not said who they are

// Connected, but its cookie is not complete yet.
struct Pending
{
    Socket socket;
    QString client;
    QByteArray cookie;
    Deadline deadline{iperf3::silenceLimit};
    bool gone = false;

    [[nodiscard]] bool isComplete() const { return cookie.size() == iperf3::cookieSize; }
};

// As iperf3 does: one byte, nothing read.
void turnAway(const Socket& socket)
{
    const QByteArray byte = iperf3::encodeState(State::AccessDenied);
    ::send(socket.fd(), byte.constData(), 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

} // namespace

// The thread that accepts. It owns everything here but the running test, which has its own thread.
class Iperf3Server::Private
{
public:
    Private(Iperf3ServerOptions options, Socket listener)
        : m_options(std::move(options))
        , m_wake(m_stop.get_token())
    {
        m_listeners.push_back(std::move(listener));
        const auto address = localAddress(m_listeners.front());
        m_port = address ? address->port() : 0;
    }
    ~Private()
    {
        m_stop.request_stop();
        if (m_thread.joinable())
            m_thread.join();
        if (m_testThread.joinable())
            m_testThread.join();
    }
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;
    Private(Private&&) = delete;
    Private& operator=(Private&&) = delete;

    void begin(Iperf3Server* server)
    {
        m_server = server;
        m_thread = std::thread([this] { loop(); });
    }
    [[nodiscard]] int port() const { return m_port; }

private:
    void loop();
    void acceptWaiting(const Socket& listener);
    void read(Pending& pending);
    void place(Pending& pending);
    void startTest(Pending& pending);
    void reapTest();
    void tellRefused(const QString& client, Error why);
    [[nodiscard]] bool mayConnect(const QString& client) const;
    [[nodiscard]] bool mayStart(const QByteArray& cookie) const;
    void closeDoor();
    [[nodiscard]] std::vector<pollfd> polled() const;

    Iperf3ServerOptions m_options;
    CancelSource m_stop;
    Interrupt m_wake; // the server ends, or a test has ended
    std::vector<Socket> m_listeners;
    int m_port = 0;
    Iperf3Server* m_server = nullptr;
    std::list<Pending> m_pending;
    std::shared_ptr<ServedRun> m_test;
    std::thread m_testThread;
    std::thread m_thread;
};

std::vector<pollfd> Iperf3Server::Private::polled() const
{
    std::vector<pollfd> list{pollfd{m_wake.fd(), POLLIN, 0}};
    for (const Socket& listener : m_listeners)
        list.push_back({listener.fd(), POLLIN, 0});
    for (const Pending& pending : m_pending)
        list.push_back({pending.isComplete() ? -1 : pending.socket.fd(), POLLIN, 0});
    return list;
}

void Iperf3Server::Private::loop()
{
    constexpr int slice = 500; // for the deadlines of pending connections
    while (!m_stop.stop_requested()) {
        std::vector<pollfd> list = polled();
        ::poll(list.data(), list.size(), slice);
        m_wake.clear();
        reapTest();
        size_t at = 1 + m_listeners.size();
        for (Pending& pending : m_pending) {
            if (list[at++].revents != 0)
                read(pending);
            if (pending.isComplete() && !pending.gone)
                place(pending);
            if (pending.deadline.hasPassed())
                pending.gone = true;
        }
        m_pending.remove_if([](const Pending& pending) { return pending.gone; });
        for (size_t i = 0; i < m_listeners.size(); ++i) {
            if (list[1 + i].revents != 0)
                acceptWaiting(m_listeners[i]);
        }
    }
}

void Iperf3Server::Private::acceptWaiting(const Socket& listener)
{
    constexpr int atOnce = 32; // then look at the others again
    for (int i = 0; i < atOnce; ++i) {
        Result<Socket> socket = acceptTcp(listener);
        if (!socket) {
            if (socket.error().code != ErrorCode::NotFound) {
                qCWarning(lcServer) << "accept:" << socket.error().detail;
                std::this_thread::sleep_for(50ms); // out of descriptors, most likely
            }
            return;
        }
        const QString client = peerName(*socket);
        if (!mayConnect(client)) {
            tellRefused(client,
                        {ErrorCode::PermissionDenied,
                         Words::tr("this port is kept for another machine"), client, nullptr});
            continue;
        }
        const auto phase = m_test ? m_test->phase() : ServedRun::Phase::Over;
        if (phase == ServedRun::Phase::Starting || phase == ServedRun::Phase::Running) {
            turnAway(*socket);
            tellRefused(client, {ErrorCode::PeerBusy, {}, client, nullptr});
            continue;
        }
        // The oldest silent one goes first: an honest client speaks at once.
        if (m_pending.size() >= maxPending)
            m_pending.pop_front();
        Pending pending;
        pending.socket = std::move(*socket);
        pending.client = client;
        m_pending.push_back(std::move(pending));
    }
}

void Iperf3Server::Private::read(Pending& pending)
{
    const auto missing = static_cast<size_t>(iperf3::cookieSize - pending.cookie.size());
    std::array<char, iperf3::cookieSize> bytes{};
    const ssize_t got = ::recv(pending.socket.fd(), bytes.data(), missing, MSG_DONTWAIT);
    if (got > 0)
        pending.cookie.append(bytes.data(), got);
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        pending.gone = true;
}

// A complete cookie: a data stream of the running test, the next test, or one too many.
void Iperf3Server::Private::place(Pending& pending)
{
    if (m_test && m_test->phase() == ServedRun::Phase::Leaving)
        return; // its turn comes in a moment
    if (m_test && m_test->phase() == ServedRun::Phase::Over)
        return; // about to be reaped
    pending.gone = true;
    if (m_test) {
        if (m_test->offer(pending.cookie, pending.socket))
            return;
        turnAway(pending.socket);
        tellRefused(pending.client, {ErrorCode::PeerBusy, {}, pending.client, nullptr});
        return;
    }
    if (mayStart(pending.cookie)) {
        startTest(pending);
        return;
    }
    turnAway(pending.socket);
    if (m_options.ticket) {
        tellRefused(pending.client, {ErrorCode::PermissionDenied,
                                     Words::tr("it does not hold the ticket of this measurement"),
                                     pending.client, nullptr});
        return;
    }
    tellRefused(pending.client, {ErrorCode::ProtocolViolation,
                                 Words::tr("it is not an iperf3 client"), pending.client, nullptr});
}

void Iperf3Server::Private::startTest(Pending& pending)
{
    m_test = std::make_shared<ServedRun>(std::move(pending.socket), pending.cookie, m_options,
                                         m_listeners, m_stop.get_token());
    QMetaObject::invokeMethod(
        m_server, [s = m_server, client = pending.client] { Q_EMIT s->testStarted(client); },
        Qt::QueuedConnection);
    const auto serve = [this, test = m_test] {
        const ServedTest served = test->run();
        QMetaObject::invokeMethod(
            m_server, [s = m_server, served] { Q_EMIT s->testEnded(served); },
            Qt::QueuedConnection);
        test->markOver();
        m_wake.raise();
    };
    try {
        m_testThread = std::thread(serve);
    } catch (const std::exception& error) { // no memory, or no thread: the next client may succeed
        m_test.reset();
        tellRefused(pending.client, errorFrom(error));
    }
}

void Iperf3Server::Private::reapTest()
{
    if (!m_test || m_test->phase() != ServedRun::Phase::Over)
        return;
    m_testThread.join();
    m_test.reset();
    if (m_options.ticket && --m_options.tests > 0)
        m_options.ticket = m_options.ticket->next();
    else if (m_options.ticket)
        closeDoor();
}

bool Iperf3Server::Private::mayConnect(const QString& client) const
{
    return m_options.clients.isEmpty() || isAmong(client, m_options.clients);
}

bool Iperf3Server::Private::mayStart(const QByteArray& cookie) const
{
    return m_options.ticket ? equalInConstantTime(cookie, m_options.ticket->cookie())
                            : iperf3::isCookie(cookie);
}

// The ticket is used up: who knocks from now on finds the port closed.
void Iperf3Server::Private::closeDoor()
{
    m_pending.clear();
    m_listeners.clear();
}

void Iperf3Server::Private::tellRefused(const QString& client, Error why)
{
    QMetaObject::invokeMethod(
        m_server,
        [s = m_server, client, why = std::move(why)] { Q_EMIT s->clientRefused(client, why); },
        Qt::QueuedConnection);
}

Result<std::unique_ptr<Iperf3Server>> Iperf3Server::start(Iperf3ServerOptions options)
{
    Result<Socket> listener = openListener(options.bindAddress, options.port);
    if (!listener)
        return tl::unexpected(listener.error());
    std::unique_ptr<Iperf3Server> server(
        new Iperf3Server(std::make_unique<Private>(options, std::move(*listener))));
    server->m_d->begin(server.get());
    return server;
}

Iperf3Server::Iperf3Server(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

Iperf3Server::~Iperf3Server()
{
    m_d.reset(); // joins: nothing is emitted from here on
}

int Iperf3Server::port() const
{
    return m_d->port();
}

} // namespace napkin
