// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/connect/connectserver.h"

#include "core/base/logging.h"
#include "core/measure/listener.h"
#include "core/measure/throughput/controlconnection.h"

#include <poll.h>

#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr auto proofLimit = 3s; // for the whole of a first connection

} // namespace

class ConnectServer::Private
{
public:
    Private(ConnectServerOptions options, Socket listener)
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

    [[nodiscard]] int port() const
    {
        const auto address = localAddress(m_listener);
        return address ? address->port() : 0;
    }

private:
    void loop();
    void take(Socket socket);

    ConnectServerOptions m_options;
    CancelSource m_stop;
    Interrupt m_wake;
    Socket m_listener;
    QString m_holder; // the address that has shown the ticket
    std::thread m_thread;
};

void ConnectServer::Private::loop()
{
    constexpr auto look = 1h; // nothing is due by time
    while (!m_stop.stop_requested()) {
        if (waitReady(m_listener.fd(), POLLIN, Deadline(look), m_wake) != Ready::Yes)
            continue;
        Result<Socket> socket = acceptTcp(m_listener);
        if (socket)
            take(std::move(*socket));
        else if (socket.error().code != ErrorCode::NotFound)
            std::this_thread::sleep_for(50ms); // out of descriptors, most likely
    }
}

void ConnectServer::Private::take(Socket socket)
{
    const auto address = peerAddress(socket);
    const QString client = address ? address->text() : QString();
    if (!m_holder.isEmpty() ||
        (!m_options.clients.isEmpty() && !isAmong(client, m_options.clients)))
        return; // accepted and closed: that is all there is to it
    iperf3::ControlConnection control(std::move(socket), client, Deadline(proofLimit), m_wake);
    const QByteArray cookie = m_options.ticket.cookie();
    const QByteArray nearProof = m_options.ticket.nearProof();
    const Result<QByteArray> shown = control.receiveExactly(cookie.size());
    if (!shown || !equalInConstantTime(*shown, cookie) ||
        !control.send(m_options.ticket.farProof()))
        return;
    const Result<QByteArray> proof = control.receiveExactly(nearProof.size());
    if (proof && equalInConstantTime(*proof, nearProof))
        m_holder = client;
}

Result<std::unique_ptr<ConnectServer>> ConnectServer::start(ConnectServerOptions options)
{
    Result<Socket> listener = openListener(options.bindAddress, options.port);
    if (!listener)
        return tl::unexpected(listener.error());
    return std::unique_ptr<ConnectServer>(
        new ConnectServer(std::make_unique<Private>(std::move(options), std::move(*listener))));
}

ConnectServer::ConnectServer(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

ConnectServer::~ConnectServer() = default;

int ConnectServer::port() const
{
    return m_d->port();
}

} // namespace napkin
