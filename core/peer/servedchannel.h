// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/servedcalls.h"
#include "core/peer/tls.h"

#include <QHostAddress>
#include <QObject>

class QSslPreSharedKeyAuthenticator;

namespace napkin {

// One connection to the server from its first byte to its last: TLS, hello, then either calls or a
// pairing. Says `ended` exactly once.
class ServedChannel : public QObject
{
    Q_OBJECT
public:
    // What the end of a connection says of the one at the other end.
    enum class Ending { Usual, KeyFailed };

    // `socket` becomes its child; `options` and `tasks` outlive it.
    ServedChannel(QSslSocket* socket, const PeerServerOptions* options, TaskScope* tasks,
                  QObject* parent);

    void begin();
    // Tells the far end where it can.
    void end(const Error& why, Ending ending = Ending::Usual);
    void endUnlessPaired(const Result<PeerBook>& book);
    [[nodiscard]] const QHostAddress& address() const { return m_address; }
    [[nodiscard]] SteadyTime begun() const { return m_begun; }
    [[nodiscard]] bool isProven() const { return m_frames != nullptr; } // holds a key
    [[nodiscard]] const std::optional<PeerIdentity>& peer() const { return m_peer; }

Q_SIGNALS:
    void proven();
    void opened(); // peer() is set
    void paired(napkin::PeerIdentity peer);
    void ended(napkin::Error why, napkin::ServedChannel::Ending ending);
    void callStarted(QString method);
    void callEnded(QString method, std::optional<napkin::Error> fault);

private:
    void supplyKey(QSslPreSharedKeyAuthenticator* authenticator);
    void onEncrypted();
    void onSocketFault();
    void onTimeout();
    void take(const Message& message);
    void takeHello(const HelloMessage& hello);
    void open(const HelloMessage& hello);
    void offerKey(const HelloMessage& hello);
    void keepPaired();
    void finish(const Error& why, Ending ending);

    QSslSocket* m_socket;
    const PeerServerOptions* m_options;
    TaskScope* m_tasks;
    QHostAddress m_address;
    SteadyTime m_begun = std::chrono::steady_clock::now();
    QTimer m_timer;
    std::optional<TlsIdentity> m_identity; // as the client claimed, once its key was looked up
    QByteArray m_key;
    QString m_refusal; // why there is no key
    FrameSocket* m_frames = nullptr;
    ServedCalls* m_calls = nullptr;
    std::optional<PeerIdentity> m_peer;
    std::optional<PairedPeer> m_pairing; // what will be kept once the far end confirms
    bool m_ended = false;
};

} // namespace napkin
