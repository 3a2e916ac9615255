// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace napkin {

// A machine that this one is paired with.
struct PairedPeer
{
    PeerId id;
    QString name;   // as this machine calls it; unique
    QByteArray key; // 256 bits; never shown
    QString host;   // where it was reached, or came from, when they paired
    int port = 0;
    QDateTime paired;
    std::optional<QDateTime> seen; // the last channel, to the minute
    bool operator==(const PairedPeer&) const = default;
};

// A pairing code that was shown and not yet used.
struct Invitation
{
    QString id;     // first group of the code
    QByteArray key; // made of the code, which is not kept
    QDateTime expires;
    int wrongTries = 0;
    bool operator==(const Invitation&) const = default;
};

// Everything that peers.json holds. A value.
struct PeerBook
{
    static constexpr size_t mostPeers = 256;
    static constexpr size_t mostInvitations = 16;

    PeerId self; // null until this machine first invites, pairs or serves
    QString name;
    std::vector<PairedPeer> peers;
    std::vector<Invitation> invitations;
    bool operator==(const PeerBook&) const = default;

    [[nodiscard]] const PairedPeer* find(PeerId id) const;
    // By name (either case), or by id. Null when there is none.
    [[nodiscard]] const PairedPeer* find(QStringView nameOrId) const;
    [[nodiscard]] const Invitation* invitation(QStringView id) const;
    // `wanted`, or with a number behind it when another machine is called so.
    [[nodiscard]] QString freeName(const QString& wanted, PeerId owner) const;
    void put(PairedPeer peer); // replaces the one of the same id
};

[[nodiscard]] QByteArray encodePeerBook(const PeerBook& book);
// ParseFailed for what is damaged, StorageTooNew for a later format.
[[nodiscard]] Result<PeerBook> decodePeerBook(QByteArrayView text);

} // namespace napkin
