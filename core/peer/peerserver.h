// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/framesocket.h"
#include "core/peer/peerchannel.h"
#include "core/peer/peerservice.h"
#include "core/peer/peerstore.h"

#include <QObject>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace napkin {

struct PeerLimits
{
    int channels = 16;
    int channelsAPeer = 6;
    int unproven = 8; // connections that have not shown a key yet, from strangers
    int unprovenAnAddress = 2;
    int unprovenKnown = 8; // and from addresses of paired machines, which a flood does not touch
    int calls = 8;         // of one channel at a time
    std::chrono::milliseconds tls{5'000};
    std::chrono::milliseconds hello{5'000};
    std::chrono::milliseconds graceAfterCancel{1'000};
    std::chrono::milliseconds rereadStore{1'000};
    FrameLimits frames;
};

struct PeerServerOptions
{
    QString bindAddress;        // empty: all addresses, IPv4 and IPv6
    int port = defaultPeerPort; // 0: any free one
    std::shared_ptr<PeerStore> store;
    std::vector<std::shared_ptr<PeerService>> services;
    PeerLimits limits = {};
};

// The far end that paired machines may ask. Lets in who proves the key of a paired machine or of an
// open invitation, answers calls with the services, and ends a channel within a second once its
// machine is revoked. On the thread that made it, which needs an event loop.
class PeerServer : public QObject
{
    Q_OBJECT
public:
    // Listens at once. AddressInUse, AddressNotAvailable, PermissionDenied, and the faults of the
    // store.
    [[nodiscard]] static Result<std::unique_ptr<PeerServer>> start(PeerServerOptions options);
    // Stops every call and ends every channel. Calls that still run end by themselves.
    ~PeerServer() override;
    // Ends like the destructor, and waits until the calls have ended, at most 2 s.
    [[nodiscard]] static QCoro::Task<void> shutDown(std::unique_ptr<PeerServer> server);

    [[nodiscard]] int port() const;
    [[nodiscard]] std::vector<PeerIdentity> connected() const; // one a channel
    [[nodiscard]] int connections() const;                     // with those that proved nothing yet

Q_SIGNALS:
    void peerConnected(napkin::PeerIdentity peer);
    void peerDisconnected(napkin::PeerIdentity peer, napkin::Error why);
    void peerPaired(napkin::PeerIdentity peer);
    // Limited to a few a second; `leftOut` is how many were not told before this one.
    void peerRefused(QString address, napkin::Error why, int leftOut);
    void callStarted(napkin::PeerIdentity peer, QString method);
    // `fault.code` is Cancelled when the caller wanted it so; nullopt: answered.
    void callEnded(napkin::PeerIdentity peer, QString method, std::optional<napkin::Error> fault);

private:
    class Private;
    explicit PeerServer(PeerServerOptions options);
    std::unique_ptr<Private> m_d;
};

} // namespace napkin
