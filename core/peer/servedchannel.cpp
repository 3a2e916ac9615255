// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/servedchannel.h"

#include "core/peer/addressguard.h"
#include "core/peer/greeting.h"

#include <QCoreApplication>
#include <QSslPreSharedKeyAuthenticator>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PeerServer)
};

Error refusal(const QString& why)
{
    return Error{ErrorCode::PeerRefused, why, {}, nullptr};
}

Error revoked()
{
    return refusal(Words::tr("this machine was revoked there; pair the two again"));
}

} // namespace

ServedChannel::ServedChannel(QSslSocket* socket, const PeerServerOptions* options, TaskScope* tasks,
                             QObject* parent)
    : QObject(parent)
    , m_socket(socket)
    , m_options(options)
    , m_tasks(tasks)
    , m_address(AddressGuard::plain(socket->peerAddress()))
{
    socket->setParent(this);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ServedChannel::onTimeout);
    connect(socket, &QSslSocket::preSharedKeyAuthenticationRequired, this,
            &ServedChannel::supplyKey, Qt::DirectConnection);
    connect(socket, &QSslSocket::encrypted, this, &ServedChannel::onEncrypted);
    connect(socket, &QSslSocket::errorOccurred, this, &ServedChannel::onSocketFault);
    connect(socket, &QSslSocket::disconnected, this, &ServedChannel::onSocketFault);
}

void ServedChannel::begin()
{
    m_timer.start(m_options->limits.tls);
    m_socket->setSslConfiguration(peerTlsConfiguration());
    m_socket->startServerEncryption();
}

void ServedChannel::supplyKey(QSslPreSharedKeyAuthenticator* authenticator)
{
    const auto identity = decodeIdentity(authenticator->identity());
    const auto book = m_options->store->read();
    if (!book) {
        m_refusal = Words::tr("the list of paired machines cannot be used: %1 %2")
                        .arg(book.error().context, book.error().detail);
        return;
    }
    m_refusal = Words::tr("it is not paired with this machine, or was revoked");
    if (!identity)
        return;
    if (const PairedPeer* peer = book->find(identity->peer); peer && !identity->peer.isNull())
        m_key = peer->key;
    if (!identity->invitation.isEmpty()) {
        m_refusal = Words::tr("its pairing code was used, has expired, or is not known here");
        if (const Invitation* invitation = book->invitation(identity->invitation))
            m_key = invitation->key;
    }
    if (m_key.isEmpty())
        return; // no key: the handshake ends here
    m_identity = identity;
    m_refusal = identity->invitation.isEmpty() ? Words::tr("it does not hold the key")
                                               : Words::tr("its pairing code is wrong");
    authenticator->setPreSharedKey(m_key);
}

void ServedChannel::onEncrypted()
{
    if (m_ended || m_frames)
        return;
    if (!m_identity || !isPeerTls(*m_socket))
        return finish(refusal(Words::tr("it encrypts in another way")), Ending::KeyFailed);
    m_socket->disconnect(this);
    m_frames = new FrameSocket(m_socket, m_options->limits.frames, this);
    connect(m_frames, &FrameSocket::received, this, &ServedChannel::take);
    connect(m_frames, &FrameSocket::receivedPiece, this, [this] {
        m_frames->close(Error{
            ErrorCode::ProtocolViolation, Words::tr("only answers come in pieces"), {}, nullptr});
    });
    connect(m_frames, &FrameSocket::closed, this,
            [this](const Error& why) { finish(why, Ending::Usual); });
    m_timer.start(m_options->limits.hello);
    m_frames->start();
    const auto book = m_options->store->identify();
    if (!book)
        return m_frames->close(refusal(Words::tr("its list of paired machines cannot be used")));
    m_frames->send(ownHello(*book, m_options->services));
    Q_EMIT proven();
}

void ServedChannel::onSocketFault()
{
    if (m_ended || m_frames)
        return;
    // Only with a full hello of TLS is there somebody who wanted in; a port scan is no wrong key.
    const bool isSsl = m_socket->error() == QAbstractSocket::SslHandshakeFailedError ||
                       m_socket->error() == QAbstractSocket::SslInternalError ||
                       !m_refusal.isEmpty();
    if (!isSsl)
        return finish(Error{ErrorCode::ConnectionLost, {}, {}, nullptr}, Ending::Usual);
    if (m_identity && !m_identity->invitation.isEmpty())
        m_options->store->countWrongTry(m_identity->invitation);
    finish(
        refusal(m_refusal.isEmpty() ? Words::tr("it does not speak Napkin's protocol") : m_refusal),
        Ending::KeyFailed);
}

void ServedChannel::onTimeout()
{
    const Error slow{
        ErrorCode::TimedOut, Words::tr("it did not introduce itself in time"), {}, nullptr};
    if (m_frames)
        m_frames->close(slow);
    else
        finish(slow, Ending::KeyFailed);
}

void ServedChannel::take(const Message& message)
{
    if (const auto* hello = std::get_if<HelloMessage>(&message); hello && !m_peer && !m_pairing)
        return takeHello(*hello);
    if (m_pairing && std::holds_alternative<PairedMessage>(message))
        return keepPaired();
    if (m_peer && std::holds_alternative<PingMessage>(message))
        return m_frames->send(PongMessage{});
    if (const auto* call = std::get_if<CallMessage>(&message); call && m_calls)
        return m_calls->start(*call);
    if (const auto* cancel = std::get_if<CancelMessage>(&message); cancel && m_calls)
        return m_calls->cancel(cancel->call);
    m_frames->close(Error{
        ErrorCode::ProtocolViolation, Words::tr("a message that has no place here"), {}, nullptr});
}

void ServedChannel::takeHello(const HelloMessage& hello)
{
    if (const auto other = protocolMismatch(hello))
        return m_frames->close(*other);
    if (!m_identity->invitation.isEmpty())
        return offerKey(hello);
    if (hello.id != m_identity->peer)
        return m_frames->close(refusal(Words::tr("it holds the key of another machine")));
    open(hello);
}

void ServedChannel::open(const HelloMessage& hello)
{
    const auto book = m_options->store->read();
    const PairedPeer* known = book ? book->find(hello.id) : nullptr;
    if (!known || known->key != m_key)
        return m_frames->close(revoked());
    m_timer.stop();
    m_peer = PeerIdentity{hello.id, known->name, hello.version, m_address.toString(),
                          hello.capabilities};
    m_calls =
        new ServedCalls(m_options->services, *m_peer, m_options->limits, m_tasks, m_frames, this);
    connect(m_calls, &ServedCalls::started, this, &ServedChannel::callStarted);
    connect(m_calls, &ServedCalls::ended, this, &ServedChannel::callEnded);
    m_options->store->markSeen(hello.id);
    Q_EMIT opened();
}

void ServedChannel::offerKey(const HelloMessage& hello)
{
    const auto book = m_options->store->identify();
    if (!book || book->self == hello.id)
        return m_frames->close(refusal(Words::tr("a machine is not paired with itself")));
    m_timer.start(m_options->limits.hello);
    m_pairing = PairedPeer{hello.id,        hello.name, randomKey(), m_address.toString(),
                           defaultPeerPort, {},         {}};
    if (m_pairing->name.isEmpty())
        m_pairing->name = m_address.toString();
    m_frames->send(KeyMessage{m_pairing->key});
}

void ServedChannel::keepPaired()
{
    const PairedPeer wanted = *m_pairing;
    m_pairing.reset();
    const auto kept = m_options->store->pair(wanted, m_identity->invitation);
    if (!kept)
        return m_frames->close(refusal(kept.error().code == ErrorCode::NotFound
                                           ? Words::tr("the pairing code was used or has expired")
                                           : kept.error().detail));
    m_timer.start(m_options->limits.hello); // for the far end to leave
    m_frames->send(PairedMessage{});
    Q_EMIT paired(PeerIdentity{kept->id, kept->name, {}, m_address.toString(), {}});
}

void ServedChannel::endUnlessPaired(const Result<PeerBook>& book)
{
    if (!m_peer || m_ended)
        return;
    if (!book) // who is paired cannot be told any more, which is no revocation
        return end(book.error());
    const PairedPeer* known = book->find(m_peer->id);
    if (!known || known->key != m_key)
        end(revoked());
}

void ServedChannel::end(const Error& why, Ending ending)
{
    if (m_ended)
        return;
    if (m_frames)
        m_frames->close(why);
    else
        finish(why, ending);
}

void ServedChannel::finish(const Error& why, Ending ending)
{
    if (m_ended)
        return;
    m_ended = true;
    m_timer.stop();
    if (auto* calls = std::exchange(m_calls, nullptr)) { // may be what ended the channel
        calls->stopAll();
        calls->deleteLater();
    }
    if (!m_frames) {
        m_socket->disconnect(this);
        m_socket->abort();
    }
    Q_EMIT ended(why, ending);
}

} // namespace napkin
