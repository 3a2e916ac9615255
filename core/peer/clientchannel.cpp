// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/clientchannel.h"

#include "core/base/boundedjson.h"
#include "core/base/gate.h"
#include "core/peer/greeting.h"
#include "core/peer/peerstore.h"

#include <QCoreApplication>

#include <utility>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerChannel)
};

using Json = nlohmann::json;
using namespace std::chrono_literals;

constexpr auto pingEvery = 20s;
constexpr auto answerToCancel = 2'000ms;

} // namespace

ClientChannel::ClientChannel(std::unique_ptr<FrameSocket> frames, PeerIdentity peer,
                             QString context)
    : m_frames(std::move(frames))
    , m_peer(std::move(peer))
    , m_context(std::move(context))
{
    connect(m_frames.get(), &FrameSocket::received, this, &ClientChannel::take);
    connect(m_frames.get(), &FrameSocket::receivedPiece, this, &ClientChannel::takePiece);
    connect(m_frames.get(), &FrameSocket::closed, this, &ClientChannel::settleAll);
    connect(&m_ping, &QTimer::timeout, this, [this] { m_frames->send(PingMessage{}); });
    m_ping.start(pingEvery);
    if (m_frames->isClosed()) // between the hello and here
        settleAll(Error{ErrorCode::ConnectionLost, {}, {}, nullptr});
}

ClientChannel::~ClientChannel()
{
    disconnect(m_frames.get(), nullptr, this, nullptr);
    m_frames->close(Error{ErrorCode::Cancelled, {}, {}, nullptr});
    settleAll(Error{ErrorCode::ConnectionLost, {}, {}, nullptr});
}

Error ClientChannel::inContext(Error error) const
{
    if (!error.isCancelled() && error.context.isEmpty())
        error.context = m_context;
    return error;
}

std::shared_ptr<ClientChannel::Pending> ClientChannel::pending(std::uint32_t number) const
{
    const auto found = m_pending.find(number);
    return found == m_pending.end() ? nullptr : found->second;
}

void ClientChannel::settle(std::uint32_t number, Result<Json> outcome)
{
    const auto waiting = pending(number);
    if (!waiting)
        return;
    m_pending.erase(number);
    waiting->outcome.emplace(std::move(outcome));
    waiting->events = nullptr;
    if (waiting->wake)
        waiting->wake();
}

void ClientChannel::settleAll(const Error& why)
{
    m_ping.stop();
    m_closed = inContext(why);
    if (m_closed->isCancelled()) // the far end's word, not this one's wish
        m_closed->code = ErrorCode::ConnectionLost;
    while (!m_pending.empty())
        settle(m_pending.begin()->first, tl::unexpected(*m_closed));
}

void ClientChannel::breach(const QString& what)
{
    m_frames->close(Error{ErrorCode::ProtocolViolation, what, {}, nullptr});
}

void ClientChannel::take(const Message& message)
{
    if (const auto* result = std::get_if<ResultMessage>(&message)) {
        const auto waiting = pending(result->call);
        if (!result->bytes)
            settle(result->call, result->value);
        else if (waiting && !waiting->awaited)
            waiting->awaited = result->bytes;
        else if (waiting || result->call > m_last)
            breach(Words::tr("a second answer to one call"));
    } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
        settle(error->call, tl::unexpected(inContext(error->error)));
    } else if (const auto* event = std::get_if<EventMessage>(&message)) {
        if (const auto waiting = pending(event->call); waiting && waiting->events)
            waiting->events(event->value);
    } else if (!std::holds_alternative<PongMessage>(message)) {
        breach(Words::tr("a message that has no place here"));
    }
}

void ClientChannel::takePiece(const AnswerPiece& piece)
{
    const auto waiting = pending(piece.call);
    if (!waiting) {
        // The rest of an answer that nobody waits for any more.
        if (piece.call == 0 || piece.call > m_last)
            breach(Words::tr("an answer to no call"));
        return;
    }
    if (!waiting->awaited || waiting->bytes.size() + piece.bytes.size() > *waiting->awaited)
        return breach(Words::tr("more bytes than were announced"));
    waiting->bytes += piece.bytes;
    if (waiting->bytes.size() < *waiting->awaited)
        return;
    auto document = parseJson(waiting->bytes);
    if (!document)
        return breach(document.error().detail);
    settle(piece.call, std::move(*document));
}

QCoro::Task<Result<Json>> ClientChannel::call(QString method, Json arguments,
                                              std::chrono::milliseconds limit, CancelToken cancel,
                                              PeerEvents events)
{
    if (m_closed)
        co_return tl::unexpected(*m_closed);
    if (cancel.stop_requested())
        co_return fail(ErrorCode::Cancelled);
    const CallMessage message{++m_last, method, std::move(arguments), limit};
    if (const auto fits = encodeMessage(message); !fits)
        co_return fail(ErrorCode::FrameTooLarge, method, fits.error().detail);
    auto pending = std::make_shared<Pending>();
    pending->events = std::move(events);
    m_pending[message.call] = pending;
    m_frames->send(message);
    co_return co_await wait(this, pending, message.call, method, limit, std::move(cancel));
}

QCoro::Task<Result<Json>> ClientChannel::wait(QPointer<ClientChannel> channel,
                                              std::shared_ptr<Pending> pending,
                                              std::uint32_t number, QString method,
                                              std::chrono::milliseconds limit, CancelToken cancel)
{
    // The far end has the same limit, and the time that a cancellation takes.
    const Deadline deadline(limit + answerToCancel);
    Error why{ErrorCode::TimedOut, {}, channel->m_context, nullptr};
    if (!pending->outcome) {
        Gate gate;
        pending->wake = gate.opener();
        gate.after(deadline.remaining()).on(cancel);
        if (co_await gate == Gate::Opened::Cancelled && !pending->outcome) {
            why = Error{ErrorCode::Cancelled, {}, {}, nullptr};
            if (channel)
                channel->m_frames->send(CancelMessage{number});
        }
    }
    if (!pending->outcome && why.isCancelled()) {
        Gate gate;
        pending->wake = gate.opener();
        gate.after(answerToCancel);
        co_await gate;
    }
    pending->wake = nullptr;
    if (pending->outcome) {
        if (!*pending->outcome && why.isCancelled())
            co_return tl::unexpected(why);
        co_return std::move(*pending->outcome);
    }
    if (channel) {
        channel->m_pending.erase(number); // a late answer is passed over
        channel->m_frames->send(CancelMessage{number});
    }
    why.detail = Words::tr("it did not answer “%1” in time").arg(method);
    co_return tl::unexpected(why);
}

QCoro::Task<Result<std::shared_ptr<PeerChannel>>>
PeerChannel::open(std::shared_ptr<PeerStore> store, PeerId peer, CancelToken cancel)
{
    const auto book = store->identify();
    if (!book)
        co_return tl::unexpected(book.error());
    const PairedPeer* known = book->find(peer);
    if (!known)
        co_return fail(ErrorCode::PeerRefused, peer.text(),
                       Words::tr("this machine is not paired with it; pair them with napkin-cli "
                                 "peers invite there and napkin-cli peers pair here"));
    const TlsTarget target{known->host, known->port, TlsIdentity{book->self, {}}, known->key};
    const QString name = known->name;
    auto greeted = co_await greet(target, ownHello(*book), Deadline(10s), cancel);
    if (!greeted)
        co_return tl::unexpected(greeted.error());
    if (greeted->theirs.id != peer) {
        co_return fail(ErrorCode::PeerRefused, target.text(),
                       Words::tr("another machine than %1 answers there").arg(name));
    }
    store->markSeen(peer);
    PeerIdentity identity{peer, name, greeted->theirs.version, known->host,
                          greeted->theirs.capabilities};
    greeted->inbox.reset();
    co_return std::make_shared<ClientChannel>(std::move(greeted->frames), std::move(identity),
                                              target.text());
}

} // namespace napkin
