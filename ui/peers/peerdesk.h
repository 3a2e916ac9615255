// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/measure/throughput/iperf3server.h"
#include "core/peer/peerserver.h"
#include "core/results/hostfacts.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace napkin {

// "spark-b", "10.0.0.2:5300", "[fe80::1%eth0]:5300"; the port may be missing. InvalidArgument.
struct PeerPlace
{
    QString host;
    int port = defaultPeerPort;
    bool operator==(const PeerPlace&) const = default;
};
[[nodiscard]] Result<PeerPlace> peerPlaceFromText(const QString& text);

// A paired machine as the window knows it.
struct PeerEntry
{
    enum class Reach { NotAsked, Asking, Reachable, NotReachable };

    PairedPeer peer;
    Reach reach = Reach::NotAsked;
    QString version;          // of its program, when it answered
    std::optional<Error> why; // why it is not reachable
};

// A machine that says of itself that it is a Napkin peer.
struct FoundPeer
{
    QString name;  // as it claims
    QString place; // address, with its port when that is not the usual one
};

// What the window knows of paired machines and does with them: pairing, asking, and letting them
// measure this machine, which is off to begin with and never remembered. Built by the program. On
// the GUI's thread: the store is a small file, all else are coroutines.
class PeerDesk : public QObject
{
    Q_OBJECT
public:
    struct Parts
    {
        std::shared_ptr<PeerStore> store;
        std::vector<std::shared_ptr<PeerService>> services; // what paired machines may ask for
        std::function<QCoro::Task<Result<HostFacts>>()> ownFacts; // of this machine
        // Who says so on the local network; may be left out.
        std::function<QCoro::Task<Result<std::vector<FoundPeer>>>(CancelToken)> lookAround;
        QString bindAddress;            // empty: all
        int peerPort = defaultPeerPort; // 0: any free one
        int throughputPort = 5201;
    };

    explicit PeerDesk(Parts parts, QObject* parent = nullptr);
    ~PeerDesk() override;

    [[nodiscard]] const std::vector<PeerEntry>& peers() const { return m_peers; }
    [[nodiscard]] const PeerEntry* find(PeerId id) const;
    [[nodiscard]] const PeerBook& book() const { return m_book; } // as last read
    [[nodiscard]] QString ownName() const;                        // as peers are told it
    [[nodiscard]] const std::shared_ptr<PeerStore>& store() const { return m_parts.store; }

    void refresh(); // reads the file, which other programs write too
    void askAll();  // who of them answers now

    // How the other machine is kept here.
    [[nodiscard]] static QCoro::Task<Result<PairedPeer>>
    pair(QPointer<PeerDesk> self, PeerPlace place, QString code, CancelToken cancel);
    // A code for the other machine; serving is switched on for it.
    [[nodiscard]] Result<PairingCode> invite();
    [[nodiscard]] Result<void> rename(PeerId id, const QString& name);
    [[nodiscard]] Result<void> revoke(PeerId id);
    // Of a peer; null: this machine.
    [[nodiscard]] static QCoro::Task<Result<HostFacts>>
    facts(QPointer<PeerDesk> self, std::optional<PeerId> id, CancelToken cancel);

    [[nodiscard]] static QCoro::Task<Result<std::vector<FoundPeer>>>
    lookAround(QPointer<PeerDesk> self, CancelToken cancel);
    [[nodiscard]] bool canLookAround() const { return bool(m_parts.lookAround); }

    // Lets paired machines in.
    [[nodiscard]] Result<void> startServing();
    void stopServing();
    [[nodiscard]] bool isServing() const { return m_server != nullptr; }
    [[nodiscard]] int servingPort() const; // 0: not serving
    // Names of who is connected, and what they do ("laptop: measure").
    [[nodiscard]] QStringList connected() const;

    // The iperf3 service, which lets anybody measure who reaches the port.
    [[nodiscard]] Result<void> startThroughput();
    void stopThroughput();
    [[nodiscard]] bool isThroughputOn() const { return m_throughput != nullptr; }
    [[nodiscard]] int throughputPort() const;                           // 0: off
    [[nodiscard]] QString throughputClient() const { return m_client; } // empty: none

Q_SIGNALS:
    void peersChanged();
    void servingChanged();            // either service, or who uses it
    void paired(const QString& name); // by an invitation of this machine
    void failed(const napkin::Error& error);
    void refused(const QString& address, const napkin::Error& why);

private:
    static QCoro::Task<void> ask(QPointer<PeerDesk> self, std::shared_ptr<PeerStore> store,
                                 PeerId id, CancelToken cancel);
    static QCoro::Task<void> end(std::unique_ptr<PeerServer> server);
    PeerEntry* entry(PeerId id);
    void watch(PeerServer* server);

    Parts m_parts;
    TaskScope m_scope;
    std::vector<PeerEntry> m_peers;
    PeerBook m_book;
    std::unique_ptr<PeerServer> m_server;
    std::unique_ptr<Iperf3Server> m_throughput;
    QStringList m_calls; // "laptop: measure", while they run
    QString m_client;
};

} // namespace napkin
