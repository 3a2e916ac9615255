// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/remote/offeredserver.h"

#include <type_traits>
#include <utility>

namespace napkin::remote {

namespace {

using namespace std::chrono_literals;

// Keeps the server that has been started and hands back its port.
template <typename Server>
Result<int> keep(std::unique_ptr<Server>& place, Result<std::unique_ptr<Server>> started)
{
    if (!started)
        return tl::unexpected(started.error());
    place = std::move(*started);
    return place->port();
}

std::chrono::seconds wholeSeconds(std::chrono::milliseconds time)
{
    return std::chrono::ceil<std::chrono::seconds>(time);
}

} // namespace

Result<std::unique_ptr<OfferedServer>> OfferedServer::start(const OfferRequest& request,
                                                            const QString& to,
                                                            const DataTicket& ticket, int port)
{
    auto server = std::make_unique<OfferedServer>();
    const Result<int> listens = server->listen(request, to, ticket, port);
    if (!listens)
        return tl::unexpected(listens.error());
    server->m_port = *listens;
    return server;
}

Result<int> OfferedServer::listenIperf3(Iperf3ServerOptions options)
{
    return keep(m_iperf3, Iperf3Server::start(std::move(options)));
}

Result<int> OfferedServer::listenLoaded(const LoadedLatencyOptions& asked,
                                        Iperf3ServerOptions options)
{
    m_idleFirst = true;
    options.maxStreams = asked.streams;
    options.maxDuration = wholeSeconds(asked.phase) + 10s; // it begins before and ends after
    options.tests = 3;                                     // sending, receiving, both
    const DataTicket ticket = *options.ticket;
    const QStringList clients = options.clients;
    const QString to = options.bindAddress;
    const Result<int> port = listenIperf3(std::move(options));
    if (!port || asked.method != EchoMethod::Udp)
        return port;
    DatagramServerOptions echoes{to, *port, ticket, clients, asked.messageSize, {}};
    echoes.longest = std::chrono::duration_cast<std::chrono::milliseconds>(
        4 * (asked.phase + asked.timeout + 10s));
    if (const auto echoing = keep(m_datagrams, DatagramServer::start(std::move(echoes))); !echoing)
        return echoing;
    return port;
}

Result<int> OfferedServer::listen(const OfferRequest& request, const QString& to,
                                  const DataTicket& ticket, int port)
{
    Iperf3ServerOptions iperf3;
    iperf3.bindAddress = to;
    iperf3.port = port;
    iperf3.ticket = ticket;
    iperf3.clients = request.from;
    const auto byKind = [&](const auto& asked) -> Result<int> {
        using Options = std::decay_t<decltype(asked)>;
        if constexpr (std::is_same_v<Options, ThroughputOptions>) {
            iperf3.maxStreams = asked.streams;
            iperf3.maxDuration = wholeSeconds(asked.duration + asked.omit);
            return listenIperf3(std::move(iperf3));
        } else if constexpr (std::is_same_v<Options, UdpOptions>) {
            iperf3.maxStreams = asked.streams;
            iperf3.maxDuration = wholeSeconds(asked.duration + asked.omit);
            iperf3.maxUdpRate = asked.rate;
            return listenIperf3(std::move(iperf3));
        } else if constexpr (std::is_same_v<Options, LoadedLatencyOptions>) {
            return listenLoaded(asked, std::move(iperf3));
        } else if constexpr (std::is_same_v<Options, PathMtuOptions>) {
            return keep(m_sizes, PathMtuServer::start({to, port, ticket, request.from}));
        } else if constexpr (std::is_same_v<Options, SoakOptions>) {
            return keep(m_soak, SoakServer::start({to, port, ticket, request.from, asked,
                                                   longest(request.spec)}));
        } else if constexpr (std::is_same_v<Options, SweepOptions>) {
            return keep(m_echoes,
                        EchoServer::start({to, port, ticket, request.from, EchoMethod::Tcp,
                                           asked.most, asked.duration + 10s}));
        } else if constexpr (std::is_same_v<Options, LatencyOptions>) {
            if (asked.method != EchoMethod::Icmp)
                return keep(m_echoes, EchoServer::start({to, port, ticket, request.from,
                                                         asked.method, asked.messageSize,
                                                         asked.duration + asked.timeout + 10s}));
            // The kernel answers echoes; here the ticket is shown.
            return keep(m_connects, ConnectServer::start({to, port, ticket, request.from}));
        } else if constexpr (std::is_same_v<Options, MemoryOptions> ||
                             std::is_same_v<Options, StorageOptions>) {
            return fail(ErrorCode::InvalidArgument, probeKindName(request.spec.kind()));
        } else {
            static_assert(std::is_same_v<Options, ConnectOptions>);
            return keep(m_connects, ConnectServer::start({to, port, ticket, request.from}));
        }
    };
    return std::visit(byKind, request.spec.options);
}

} // namespace napkin::remote
