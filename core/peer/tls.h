// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/id.h"

#include <QSslConfiguration>
#include <QSslSocket>

#include <optional>

namespace napkin {

// How both ends of a peer channel encrypt: TLS 1.2 with one cipher whose key exchange proves a
// pre-shared key and is forward secret. No certificates, no session resumption.
[[nodiscard]] QSslConfiguration peerTlsConfiguration();

// To be asked once the socket says that it is encrypted: whether it really is in that way, since
// with a certificate it would be encrypted towards anybody.
[[nodiscard]] bool isPeerTls(const QSslSocket& socket);

// Who wants in, as the TLS identity says it: a paired machine or an invitation.
struct TlsIdentity
{
    PeerId peer;        // null for an invitation
    QString invitation; // empty for a peer
    bool operator==(const TlsIdentity&) const = default;
};
[[nodiscard]] QByteArray encodeIdentity(const TlsIdentity& identity);
[[nodiscard]] std::optional<TlsIdentity> decodeIdentity(const QByteArray& identity);

} // namespace napkin
