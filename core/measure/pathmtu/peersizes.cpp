// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/peersizes.h"

#include "core/measure/throughput/ticketproof.h"

#include <QCoreApplication>

#include <poll.h>

#include <array>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using Fate = SizeProbe::Fate;
using pathmtu::Datagrams;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PathMtu)
};

constexpr auto wholeLimit = 2h; // of one run; its own time limits are much shorter

} // namespace

// One size in one direction, tried until its fate is known.
struct PeerSizes::Attempt
{
    SizeProbe probe;
    std::uint32_t first = 0; // sequence number of the first try
    std::uint32_t last = 0;
    Deadline until{0s};
    bool isAsked = false; // reverse: the far end has said what it did about the last try
    bool isDecided = false;

    [[nodiscard]] bool covers(std::uint32_t sequence) const
    {
        return sequence >= first && sequence <= last;
    }
    void decide(Fate fate, std::optional<int> told = {}, const QString& by = {})
    {
        probe.fate = fate;
        probe.told = told;
        probe.by = by;
        isDecided = true;
    }
    // A router's word. One that does not fit the size is about an earlier one.
    void hearTooBig(std::uint32_t sequence, std::optional<int> mtu, const QString& by)
    {
        if ((sequence == 0 || covers(sequence)) && mtu.value_or(0) < probe.size)
            decide(Fate::TooBigOnWay, mtu, by);
    }
};

PeerSizes::PeerSizes(iperf3::ControlConnection control, Datagrams datagrams,
                     const SocketAddress& far, const PathMtuOptions& options,
                     const Interrupt& interrupt)
    : m_control(std::move(control))
    , m_datagrams(std::move(datagrams))
    , m_far(far)
    , m_options(options)
    , m_interrupt(interrupt)
{}

Result<PeerSizes> PeerSizes::open(const Route& route, const DataTicket& ticket,
                                  const PathMtuOptions& options, const Interrupt& interrupt)
{
    Result<Socket> socket = connectAny(route, Deadline(10s), interrupt);
    if (!socket)
        return tl::unexpected(socket.error());
    setKeepAlive(*socket);
    const auto far = peerAddress(*socket);
    if (!far)
        return fail(ErrorCode::ConnectionLost, route.peer);
    iperf3::ControlConnection control(std::move(*socket), route.peer, Deadline(wholeLimit),
                                      interrupt);
    const auto welcomed =
        control.send(ticket.cookie())
            .and_then([&] { return proveToFarEnd(control, ticket); })
            .and_then([&] { return control.receiveFrame(pathmtu::largestFrame); })
            .and_then([](const QByteArray& frame) { return pathmtu::decode(frame); });
    if (!welcomed)
        return fail(welcomed.error().code, route.peer, welcomed.error().detail);
    const auto* welcome = std::get_if<pathmtu::Welcome>(&*welcomed);
    if (welcome == nullptr)
        return fail(ErrorCode::ProtocolViolation, route.peer);
    auto datagrams =
        Datagrams::open(far->family(), route.by, pathmtu::token(ticket, Direction::Forward),
                        pathmtu::token(ticket, Direction::Reverse));
    if (datagrams) {
        if (auto connected = datagrams->connectTo(*far); !connected)
            datagrams = tl::unexpected(connected.error());
    }
    if (!datagrams)
        return fail(datagrams.error().code, route.peer, datagrams.error().detail);
    PeerSizes sizes(std::move(control), std::move(*datagrams), *far, options, interrupt);
    sizes.m_farInterfaceMtu = welcome->interfaceMtu;
    return sizes;
}

std::optional<SocketAddress> PeerSizes::local() const
{
    return localAddress(m_control.socket());
}

tl::unexpected<Error> PeerSizes::failed(Error error) const
{
    error.context = m_control.peer();
    return tl::unexpected(std::move(error));
}

Result<SizeProbe> PeerSizes::trySize(Direction direction, int size)
{
    Attempt attempt;
    attempt.probe.direction = direction;
    attempt.probe.size = size;
    attempt.first = m_sequence + 1;
    for (int i = 1; i <= m_options.attempts; ++i) {
        attempt.probe.attempts = i;
        attempt.last = ++m_sequence;
        attempt.isAsked = false;
        const auto done = begin(attempt).and_then([&] { return await(attempt); });
        if (!done)
            return failed(done.error());
        if (attempt.isDecided)
            return attempt.probe;
    }
    attempt.decide(Fate::Silent);
    return attempt.probe;
}

Result<void> PeerSizes::begin(Attempt& attempt)
{
    if (attempt.probe.direction == Direction::Reverse) {
        attempt.until = Deadline(iperf3::silenceLimit);
        return m_control.send(pathmtu::encode(pathmtu::SendBack{attempt.last, attempt.probe.size}));
    }
    attempt.until = Deadline(m_options.timeout);
    return m_datagrams.send(attempt.last, attempt.probe.size).map([&](Datagrams::Sent sent) {
        if (sent == Datagrams::Sent::TooBig)
            attempt.decide(Fate::TooBigHere, m_datagrams.allowed());
    });
}

Result<void> PeerSizes::await(Attempt& attempt)
{
    while (!attempt.isDecided) {
        const std::array descriptors{m_control.socket().fd(), m_datagrams.fd()};
        const Ready ready = pathmtu::waitReadable(descriptors, attempt.until, m_interrupt);
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled);
        const bool isReverse = attempt.probe.direction == Direction::Reverse;
        if (ready == Ready::TimedOut)
            return isReverse && !attempt.isAsked ? Result<void>(fail(ErrorCode::PeerSilent))
                                                 : Result<void>();
        if (auto heard = hearDatagrams(attempt); !heard)
            return heard;
        if (waitReady(m_control.socket().fd(), POLLIN, Deadline(0s), m_interrupt) == Ready::Yes) {
            if (auto heard = hearControl(attempt); !heard)
                return heard;
        }
    }
    return {};
}

Result<void> PeerSizes::hearDatagrams(Attempt& attempt)
{
    while (const auto back = m_datagrams.takeBack()) {
        const ErrorCode code = back->returned.fault.code;
        if (back->returned.isTooBig && attempt.probe.direction == Direction::Forward)
            attempt.hearTooBig(back->sequence, back->returned.mtu, back->returned.by);
        else if (code == ErrorCode::HostUnreachable || code == ErrorCode::PermissionDenied)
            return tl::unexpected(back->returned.fault);
        // A closed UDP port: the far end is about to go, and the control connection says so.
    }
    while (const auto arrival = m_datagrams.receive()) {
        if (attempt.probe.direction == Direction::Reverse && attempt.covers(arrival->sequence) &&
            arrival->size == attempt.probe.size)
            attempt.decide(Fate::Passed);
    }
    return {};
}

Result<void> PeerSizes::hearControl(Attempt& attempt)
{
    const auto message =
        m_control.receiveFrame(pathmtu::largestFrame).and_then([](const QByteArray& frame) {
            return pathmtu::decode(frame);
        });
    if (!message)
        return tl::unexpected(message.error());
    const bool isForward = attempt.probe.direction == Direction::Forward;
    if (const auto* arrived = std::get_if<pathmtu::Arrived>(&*message)) {
        if (isForward && attempt.covers(arrived->sequence))
            attempt.decide(Fate::Passed);
        return {};
    }
    if (const auto* tooBig = std::get_if<pathmtu::TooBig>(&*message)) {
        if (!isForward && !attempt.isDecided)
            attempt.hearTooBig(tooBig->sequence, tooBig->mtu, tooBig->by);
        return {};
    }
    if (const auto* sent = std::get_if<pathmtu::SentBack>(&*message)) {
        if (!isForward && sent->sequence == attempt.last && !attempt.isDecided)
            return hear(attempt, *sent);
        return {};
    }
    return fail(ErrorCode::ProtocolViolation, {},
                Words::tr("it sent a message that is not for this end"));
}

Result<void> PeerSizes::hear(Attempt& attempt, const pathmtu::SentBack& message) const
{
    using Outcome = pathmtu::SentBack::Outcome;
    switch (message.outcome) {
    case Outcome::TooBigHere:
        attempt.decide(Fate::TooBigHere, message.told);
        break;
    case Outcome::NowhereTo:
        return fail(ErrorCode::ProtocolViolation, {},
                    Words::tr("it does not know where to send packets to"));
    case Outcome::Sent:
    case Outcome::NotSent: // waits like for any packet that is lost
        attempt.isAsked = true;
        attempt.until = Deadline(m_options.timeout);
        break;
    }
    return {};
}

Result<void> PeerSizes::look()
{
    Attempt none;
    none.isDecided = true;
    while (waitReady(m_control.socket().fd(), POLLIN, Deadline(0s), m_interrupt) == Ready::Yes) {
        if (auto heard = hearControl(none); !heard)
            return failed(heard.error());
    }
    return {};
}

} // namespace napkin
