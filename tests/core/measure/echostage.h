// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/latency/echoio.h"
#include "core/measure/latency/echoprotocol.h"
#include "core/measure/latency/echoserver.h"
#include "core/measure/latency/latencyprobe.h"
#include "core/results/data.h"
#include "tests/core/measure/measuring.h"
#include "tests/support/scriptedpeer.h"

#include <poll.h>

#include <algorithm>

// Both ends of ping-pong on this machine, for tests.
namespace napkin::test {

inline const QString loopback = QStringLiteral("127.0.0.1");

inline ProbeSpec specTo(int port, const ProbeOptions& options)
{
    ProbeSpec spec;
    spec.far.host = loopback;
    spec.far.port = port;
    spec.options = options;
    return spec;
}

inline LatencyOptions fixed(EchoMethod method, WaitMode wait = WaitMode::Blocking)
{
    LatencyOptions options;
    options.method = method;
    options.wait = wait;
    options.duration = std::chrono::seconds(1);
    options.ending = Ending::FixedTime;
    if (method == EchoMethod::Icmp)
        options.interval = std::chrono::milliseconds(5);
    return options;
}

inline std::unique_ptr<EchoServer> serverFor(EchoMethod method, const DataTicket& ticket,
                                             const QString& address = loopback)
{
    EchoServerOptions options{address, 0, ticket, {loopback}, method, ByteCount::mebibytes(16)};
    auto server = EchoServer::start(options);
    return server ? std::move(*server) : nullptr;
}

inline const LatencyData& dataOf(const Observed& seen)
{
    return std::get<LatencyData>(seen.result->data);
}

inline std::optional<ErrorCode> codeOf(const Observed& seen)
{
    return seen.result ? std::nullopt : std::optional(seen.result.error().code);
}

inline std::int64_t answered(const LatencyData& data)
{
    return std::ranges::count(data.samples, RoundTrip::Outcome::Answered, &RoundTrip::outcome);
}

// A control connection up to the far end's answer to the plan, as a near end makes it.
inline int openControl(PeerTalk& talk, int port, const DataTicket& ticket, const QByteArray& plan,
                       char expected)
{
    const int control = talk.connect(port);
    talk.write(control, ticket.cookie());
    if (talk.read(control, 32) != ticket.farProof())
        throw std::runtime_error("no proof");
    talk.write(control, ticket.nearProof());
    talk.writeFrame(control, plan);
    if (talk.read(control, 1)[0] != expected)
        throw std::runtime_error("another answer");
    return control;
}

inline pingpong::Plan planOf(EchoMethod method, std::vector<std::uint32_t> sizes)
{
    pingpong::Plan plan;
    plan.method = method;
    plan.milliseconds = 5'000;
    plan.messages = 1'000;
    plan.sizes = std::move(sizes);
    return plan;
}

// The size of the datagram that came within the time, or -1.
inline ssize_t heardWithin(const Socket& socket, std::chrono::milliseconds time,
                           std::span<char> into)
{
    pollfd polled{socket.fd(), POLLIN, 0};
    if (::poll(&polled, 1, static_cast<int>(time.count())) != 1)
        return -1;
    return ::recv(socket.fd(), into.data(), into.size(), MSG_DONTWAIT);
}

} // namespace napkin::test
