// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echocontrol.h"

#include "core/measure/throughput/ticketproof.h"

#include <QCoreApplication>

#include <utility>

namespace napkin::pingpong {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::EchoControl)
};

constexpr auto openingLimit = 10s; // for all of it

Result<void> readAnswer(iperf3::ControlConnection& control)
{
    const Result<QByteArray> byte = control.receiveExactly(1);
    if (!byte)
        return tl::unexpected(byte.error());
    switch (static_cast<Answer>(byte->front())) {
    case Answer::Ready:
        return {};
    case Answer::TooMuch:
        return fail(ErrorCode::PeerRefused, control.peer(),
                    Words::tr("these messages are more than was agreed for this measurement"));
    case Answer::NoSense:
        return fail(ErrorCode::PeerRefused, control.peer(),
                    Words::tr("it is of another version: install the same version on both "
                              "machines"));
    case Answer::NoUdpPort:
        return fail(ErrorCode::PeerRefused, control.peer(),
                    Words::tr("its UDP port of that number is taken by another program"));
    }
    return fail(ErrorCode::ProtocolViolation, control.peer());
}

} // namespace

Result<EchoControl> EchoControl::open(const Route& route, const DataTicket& ticket,
                                      const Plan& plan, const Interrupt& interrupt)
{
    const Deadline deadline(openingLimit);
    Result<Socket> socket = connectAny(route, deadline, interrupt);
    if (!socket)
        return tl::unexpected(socket.error());
    EchoControl made;
    const auto local = localAddress(*socket);
    const auto far = peerAddress(*socket);
    if (!local || !far)
        return fail(ErrorCode::ConnectionLost, route.peer);
    made.m_local = *local;
    made.m_far = *far;
    made.m_control = std::make_unique<iperf3::ControlConnection>(std::move(*socket), route.peer,
                                                                 deadline, interrupt);
    iperf3::ControlConnection& control = *made.m_control;
    return control.send(ticket.cookie())
        .and_then([&] { return proveToFarEnd(control, ticket); })
        .and_then([&] { return control.send(iperf3::encodeFrame(encodePlan(plan))); })
        .and_then([&] { return readAnswer(control); })
        .map([&] { return std::move(made); });
}

} // namespace napkin::pingpong
