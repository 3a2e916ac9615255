// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoserver.h"

#include "core/base/logging.h"
#include "core/measure/latency/echoback.h"
#include "core/measure/listener.h"
#include "core/measure/throughput/controlconnection.h"

#include <poll.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr auto proofLimit = 3s; // for the whole opening of a connection
constexpr auto graceTime = 15s; // beyond the time that was asked for
constexpr int attempts = 20;    // to find a number that is free in TCP and UDP

Result<Socket> bindUdpAnywhere(const QString& bindAddress, int port)
{
    if (!bindAddress.isEmpty()) {
        const auto address = addressFromText(bindAddress, port);
        if (!address)
            return fail(ErrorCode::AddressNotAvailable, bindAddress);
        return pingpong::bindUdp(*address);
    }
    Result<Socket> both = pingpong::bindUdp(*addressFromText(QStringLiteral("::"), port));
    if (both || both.error().code == ErrorCode::AddressInUse)
        return both;
    return pingpong::bindUdp(*addressFromText(QStringLiteral("0.0.0.0"), port));
}

int portOf(const Socket& socket)
{
    const auto address = localAddress(socket);
    return address ? address->port() : 0;
}

struct Doors
{
    Socket tcp;
    Socket udp; // only for UDP
};

Result<Doors> openDoors(const EchoServerOptions& options)
{
    Error last;
    for (int i = 0; i < attempts; ++i) {
        Result<Socket> tcp = openListener(options.bindAddress, options.port);
        if (!tcp)
            return tl::unexpected(tcp.error());
        if (options.method != EchoMethod::Udp)
            return Doors{std::move(*tcp), {}};
        Result<Socket> udp = bindUdpAnywhere(options.bindAddress, portOf(*tcp));
        if (udp)
            return Doors{std::move(*tcp), std::move(*udp)};
        last = udp.error();
        if (options.port != 0 || last.code != ErrorCode::AddressInUse)
            break;
    }
    return tl::unexpected(last);
}

} // namespace

class EchoServer::Private
{
public:
    Private(EchoServerOptions options, Doors doors)
        : m_options(std::move(options))
        , m_wake(m_stop.get_token())
        , m_doors(std::move(doors))
        , m_port(portOf(m_doors.tcp))
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
    [[nodiscard]] bool serve(Socket socket);
    [[nodiscard]] bool prove(iperf3::ControlConnection& control) const;
    [[nodiscard]] std::optional<pingpong::Plan> agree(iperf3::ControlConnection& control);
    [[nodiscard]] bool isAgreed(const pingpong::Plan& plan) const;
    [[nodiscard]] bool moveUdpTo(const Socket& control);
    void echoUdp(const Socket& control, const pingpong::Plan& plan, SteadyTime end);

    EchoServerOptions m_options;
    CancelSource m_stop;
    Interrupt m_wake;
    Doors m_doors;
    int m_port;
    std::thread m_thread;
};

void EchoServer::Private::loop()
{
    constexpr auto look = 1h; // nothing is due by time
    try {
        while (!m_stop.stop_requested()) {
            if (waitReady(m_doors.tcp.fd(), POLLIN, Deadline(look), m_wake) != Ready::Yes)
                continue;
            Result<Socket> socket = acceptTcp(m_doors.tcp);
            if (socket && serve(std::move(*socket)))
                break;
            if (!socket && socket.error().code != ErrorCode::NotFound)
                std::this_thread::sleep_for(50ms); // out of descriptors, most likely
        }
    } catch (const std::exception& error) { // out of memory
        qCWarning(lcServer) << "echo:" << error.what();
    }
    m_doors = {};
}

// Whether that was the run.
bool EchoServer::Private::serve(Socket socket)
{
    const QString client = peerName(socket);
    if (!m_options.clients.isEmpty() && !isAmong(client, m_options.clients))
        return false;
    iperf3::ControlConnection control(std::move(socket), client, Deadline(proofLimit), m_wake);
    if (!prove(control))
        return false;
    m_doors.tcp.close(); // the ticket is used up
    const auto plan = agree(control);
    if (!plan)
        return true;
    const SteadyTime end = std::chrono::steady_clock::now() +
                           std::chrono::milliseconds(plan->milliseconds) + graceTime;
    setKeepAlive(control.socket());
    if (plan->method == EchoMethod::Udp)
        echoUdp(control.socket(), *plan, end);
    else
        pingpong::echoStream(control.socket(), *plan, end, m_wake);
    return true;
}

bool EchoServer::Private::prove(iperf3::ControlConnection& control) const
{
    const QByteArray cookie = m_options.ticket.cookie();
    const QByteArray nearProof = m_options.ticket.nearProof();
    const Result<QByteArray> shown = control.receiveExactly(cookie.size());
    if (!shown)
        return false;
    if (!equalInConstantTime(*shown, cookie)) {
        const QByteArray denied = iperf3::encodeState(iperf3::State::AccessDenied);
        ::send(control.socket().fd(), denied.constData(), 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        return false;
    }
    if (!control.send(m_options.ticket.farProof()))
        return false;
    const Result<QByteArray> proof = control.receiveExactly(nearProof.size());
    return proof && equalInConstantTime(*proof, nearProof);
}

bool EchoServer::Private::isAgreed(const pingpong::Plan& plan) const
{
    return plan.method == m_options.method && plan.largest() <= m_options.largest.bytes() &&
           std::chrono::milliseconds(plan.milliseconds) <= m_options.longest;
}

std::optional<pingpong::Plan> EchoServer::Private::agree(iperf3::ControlConnection& control)
{
    const auto answer = [&control](pingpong::Answer answer) {
        return control.send(QByteArray(1, static_cast<char>(answer))).has_value();
    };
    const Result<QByteArray> frame = control.receiveFrame(pingpong::planLimit);
    if (!frame)
        return std::nullopt;
    const Result<pingpong::Plan> plan = pingpong::decodePlan(*frame);
    if (!plan || !isAgreed(*plan)) {
        static_cast<void>(answer(plan ? pingpong::Answer::TooMuch : pingpong::Answer::NoSense));
        return std::nullopt;
    }
    if (plan->method == EchoMethod::Udp && !moveUdpTo(control.socket())) {
        static_cast<void>(answer(pingpong::Answer::NoUdpPort));
        return std::nullopt;
    }
    if (!answer(pingpong::Answer::Ready))
        return std::nullopt;
    return *plan;
}

// Onto the address that the near end knows: from another one it would not hear the answers.
bool EchoServer::Private::moveUdpTo(const Socket& control)
{
    if (!m_options.bindAddress.isEmpty())
        return true;
    const auto address = localAddress(control);
    if (!address)
        return false;
    m_doors.udp.close();
    Result<Socket> moved = pingpong::bindUdp(*address);
    if (moved)
        m_doors.udp = std::move(*moved);
    return moved.has_value();
}

void EchoServer::Private::echoUdp(const Socket& control, const pingpong::Plan& plan, SteadyTime end)
{
    pingpong::DatagramRules rules;
    rules.marks = pingpong::Marks::from(m_options.ticket.datagramMarks());
    rules.size = plan.largest();
    rules.messages = plan.messages;
    rules.wait = plan.wait;
    rules.clients = {peerName(control)};
    rules.silence = pingpong::silenceLimit + plan.pause * 1ms;
    pingpong::echoDatagrams(
        m_doors.udp, rules, end, [&control] { return pingpong::isClosed(control); }, m_wake);
}

Result<std::unique_ptr<EchoServer>> EchoServer::start(EchoServerOptions options)
{
    Result<Doors> doors = openDoors(options);
    if (!doors)
        return tl::unexpected(doors.error());
    return std::unique_ptr<EchoServer>(
        new EchoServer(std::make_unique<Private>(std::move(options), std::move(*doors))));
}

EchoServer::EchoServer(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

EchoServer::~EchoServer() = default;

int EchoServer::port() const
{
    return m_d->port();
}

class DatagramServer::Private
{
public:
    Private(DatagramServerOptions options, Socket udp)
        : m_options(std::move(options))
        , m_wake(m_stop.get_token())
        , m_udp(std::move(udp))
        , m_port(portOf(m_udp))
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
    void loop()
    {
        pingpong::DatagramRules rules;
        rules.marks = pingpong::Marks::from(m_options.ticket.datagramMarks());
        rules.size = static_cast<size_t>(std::clamp<std::int64_t>(
            m_options.size.bytes(), pingpong::smallestDatagram, pingpong::largestDatagram));
        rules.messages = mostRoundTrips;
        rules.clients = m_options.clients;
        pingpong::echoDatagrams(
            m_udp, rules, std::chrono::steady_clock::now() + m_options.longest,
            [] { return false; }, m_wake);
        m_udp.close();
    }

    DatagramServerOptions m_options;
    CancelSource m_stop;
    Interrupt m_wake;
    Socket m_udp;
    int m_port;
    std::thread m_thread;
};

Result<std::unique_ptr<DatagramServer>> DatagramServer::start(DatagramServerOptions options)
{
    Result<Socket> udp = bindUdpAnywhere(options.bindAddress, options.port);
    if (!udp)
        return tl::unexpected(udp.error());
    return std::unique_ptr<DatagramServer>(
        new DatagramServer(std::make_unique<Private>(std::move(options), std::move(*udp))));
}

DatagramServer::DatagramServer(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{}

DatagramServer::~DatagramServer() = default;

int DatagramServer::port() const
{
    return m_d->port();
}

} // namespace napkin
