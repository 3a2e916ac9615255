// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/conversation.h"

#include "core/base/gate.h"
#include "core/peer/greeting.h"
#include "core/results/spec.h"

#include <QCoreApplication>
#include <QSslPreSharedKeyAuthenticator>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerChannel)
};

QString whyRefused(const TlsIdentity& identity)
{
    if (!identity.invitation.isEmpty())
        return Words::tr("it does not know this pairing code: the code was used, has expired, or "
                         "is another machine's; make a new one there with napkin-cli peers invite");
    return Words::tr("it does not know the key of this machine: the pairing was revoked there, or "
                     "another program listens on that port; pair the two again");
}

// How far it came: whether the far end had asked for the key when it went away.
enum class Asked { No, Yes };

Error connectFault(const QSslSocket& socket, const TlsTarget& target, Asked asked)
{
    const auto error = [&](ErrorCode code, const QString& detail) {
        return Error{code, detail, target.text(), nullptr};
    };
    switch (socket.error()) {
    case QAbstractSocket::ConnectionRefusedError:
        return error(ErrorCode::ConnectionRefused,
                     Words::tr("the Napkin peer is started with napkin-cli serve --peer"));
    case QAbstractSocket::HostNotFoundError:
        return {ErrorCode::NameNotResolved, {}, target.host, nullptr};
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        return error(ErrorCode::PeerRefused, whyRefused(target.identity));
    case QAbstractSocket::RemoteHostClosedError:
        if (asked == Asked::Yes)
            return error(ErrorCode::PeerRefused, whyRefused(target.identity));
        return error(ErrorCode::PeerRefused,
                     Words::tr("it closed the connection at once: it is busy, it lets nobody in "
                               "from here for a while after wrong keys, or another program "
                               "listens there"));
    case QAbstractSocket::SocketTimeoutError:
        return error(ErrorCode::TimedOut, {});
    default:
        return error(ErrorCode::HostUnreachable, socket.errorString());
    }
}

Error inContext(Error error, const TlsTarget& target)
{
    if (!error.isCancelled() && error.context.isEmpty())
        error.context = target.text();
    return error;
}

} // namespace

QString TlsTarget::text() const
{
    return endpointText(host, port);
}

QCoro::Task<Result<std::unique_ptr<QSslSocket>>> connectTls(TlsTarget target, Deadline deadline,
                                                            CancelToken cancel)
{
    auto socket = std::make_unique<QSslSocket>();
    auto asked = std::make_shared<Asked>(Asked::No);
    socket->setSslConfiguration(peerTlsConfiguration());
    QObject::connect(
        socket.get(), &QSslSocket::preSharedKeyAuthenticationRequired, socket.get(),
        [identity = encodeIdentity(target.identity), key = target.key,
         asked](QSslPreSharedKeyAuthenticator* authenticator) {
            *asked = Asked::Yes;
            authenticator->setIdentity(identity);
            authenticator->setPreSharedKey(key);
        },
        Qt::DirectConnection);
    Gate gate;
    gate.on(socket.get(), &QSslSocket::encrypted)
        .on(socket.get(), &QSslSocket::errorOccurred, Gate::Opened::Error)
        .after(deadline.remaining())
        .on(cancel);
    socket->connectToHostEncrypted(target.host, static_cast<quint16>(target.port));
    switch (co_await gate) {
    case Gate::Opened::Signal:
        break;
    case Gate::Opened::Cancelled:
        co_return fail(ErrorCode::Cancelled);
    case Gate::Opened::TimedOut:
        co_return fail(ErrorCode::TimedOut, target.text());
    default:
        co_return tl::unexpected(connectFault(*socket, target, *asked));
    }
    if (!isPeerTls(*socket)) {
        const bool isGone = !socket->isEncrypted(); // it was closed while this was to resume
        socket->abort();
        co_return fail(ErrorCode::PeerRefused, target.text(),
                       isGone ? whyRefused(target.identity)
                              : Words::tr("it encrypts in another way than Napkin does"));
    }
    co_return std::move(socket);
}

Inbox::Inbox(FrameSocket* frames)
{
    connect(frames, &FrameSocket::received, this, [this](const Message& message) {
        m_messages.push_back(message);
        Q_EMIT arrived();
    });
    connect(frames, &FrameSocket::closed, this, [this](const Error& why) {
        m_closed = why;
        Q_EMIT arrived();
    });
}

QCoro::Task<Result<Message>> Inbox::next(Inbox* inbox, Deadline deadline, CancelToken cancel)
{
    if (inbox->m_messages.empty() && !inbox->m_closed) {
        Gate gate;
        gate.on(inbox, &Inbox::arrived).after(deadline.remaining()).on(cancel);
        const Gate::Opened opened = co_await gate;
        if (opened == Gate::Opened::Cancelled)
            co_return fail(ErrorCode::Cancelled);
        if (opened == Gate::Opened::TimedOut)
            co_return fail(ErrorCode::TimedOut);
    }
    if (inbox->m_messages.empty())
        co_return tl::unexpected(
            inbox->m_closed.value_or(Error{ErrorCode::ConnectionLost, {}, {}, nullptr}));
    Message message = std::move(inbox->m_messages.front());
    inbox->m_messages.pop_front();
    co_return message;
}

QCoro::Task<Result<Greeted>> greet(TlsTarget target, HelloMessage ours, Deadline deadline,
                                   CancelToken cancel)
{
    auto socket = co_await connectTls(target, deadline, cancel);
    if (!socket)
        co_return tl::unexpected(socket.error());
    Greeted greeted;
    greeted.frames = std::make_unique<FrameSocket>(socket->release(), FrameLimits());
    greeted.inbox = std::make_unique<Inbox>(greeted.frames.get());
    greeted.frames->send(ours);
    greeted.frames->start();
    const auto first = co_await Inbox::next(greeted.inbox.get(), deadline, cancel);
    if (!first)
        co_return tl::unexpected(inContext(first.error(), target));
    const auto* hello = std::get_if<HelloMessage>(&*first);
    if (!hello)
        co_return fail(ErrorCode::ProtocolViolation, target.text(),
                       Words::tr("it did not say hello"));
    if (const auto mismatch = protocolMismatch(*hello)) {
        greeted.frames->close(*mismatch);
        co_return tl::unexpected(inContext(*mismatch, target));
    }
    greeted.theirs = *hello;
    co_return std::move(greeted);
}

} // namespace napkin
