// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/peer/pairingcode.h"
#include "core/peer/peerbook.h"

#include <functional>
#include <memory>

namespace napkin {

// The file with this machine's paired machines and their keys: mode 0600, in a folder of mode 0700.
// Every reading reads the file and every change is one whole new file under a lock, so that several
// programs can use it at once and a revocation acts on all of them.
//
// Faults: KeysExposed (others can read the file or put another in its place), ParseFailed (it is
// damaged), StorageTooNew, StorageUnavailable, StorageLocked (another program holds the lock for
// longer than a second); `context` is the file. A file that is not there is an empty book.
// For one thread; small files, so reading and writing do not go elsewhere.
class PeerStore
{
public:
    // $NAPKIN_PEERS, else napkin/peers.json in the user's configuration folder.
    [[nodiscard]] static QString defaultPath();
    static constexpr std::chrono::minutes invitationLife{10};
    static constexpr int mostWrongTries = 5;

    explicit PeerStore(QString file = defaultPath(),
                       std::shared_ptr<const Clock> clock = std::make_shared<SystemClock>());

    [[nodiscard]] const QString& file() const { return m_file; }
    [[nodiscard]] const Clock& clock() const { return *m_clock; }
    // Without invitations that have expired.
    [[nodiscard]] Result<PeerBook> read() const;
    // With an id and a name of this machine, made and written at the first use.
    [[nodiscard]] Result<PeerBook> identify();
    // The change is made to what the file holds now. An error of it leaves the file as it was; so
    // does a change that changes nothing.
    [[nodiscard]] Result<PeerBook> change(const std::function<Result<void>(PeerBook&)>& edit);

    // A new code, good for ten minutes and one machine. PeerBusy when 16 are open.
    [[nodiscard]] Result<PairingCode> invite();
    // Keeps `peer` and uses the invitation up in one step; NotFound when it was used, has expired
    // or fell to wrong tries meanwhile. Without invitation: the side that had the code typed in.
    [[nodiscard]] Result<PairedPeer> pair(PairedPeer peer, QString invitation = {});
    void countWrongTry(const QString& invitation);
    // InvalidArgument for a name that another has, that reads as an address, or that is none.
    [[nodiscard]] Result<void> checkName(const QString& name, PeerId owner = {}) const;
    // NotFound, and as checkName().
    [[nodiscard]] Result<void> rename(PeerId id, const QString& name);
    [[nodiscard]] Result<void> revoke(PeerId id); // NotFound
    void markSeen(PeerId id);                     // to the minute; a fault is logged only

private:
    [[nodiscard]] Result<PeerBook> load() const;
    [[nodiscard]] Result<void> save(const PeerBook& book) const;

    QString m_file;
    std::shared_ptr<const Clock> m_clock;
};

} // namespace napkin
