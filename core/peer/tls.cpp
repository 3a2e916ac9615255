// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/tls.h"

#include <QSslCipher>

#include <algorithm>

namespace napkin {

namespace {

const QByteArray peerPrefix = QByteArrayLiteral("peer:");
const QByteArray invitePrefix = QByteArrayLiteral("invite:");
constexpr qsizetype longestInvitation = 16;

const QString& cipherName()
{
    static const QString name = QStringLiteral("ECDHE-PSK-CHACHA20-POLY1305");
    return name;
}

bool isInvitationLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7');
}

} // namespace

QSslConfiguration peerTlsConfiguration()
{
    QSslConfiguration tls;
    tls.setProtocol(QSsl::TlsV1_2);
    tls.setCiphers(QList<QSslCipher>{QSslCipher(cipherName())});
    tls.setPeerVerifyMode(QSslSocket::VerifyNone); // the key proves both ends
    tls.setCaCertificates({});
    tls.setSslOption(QSsl::SslOptionDisableSessionTickets, true);
    tls.setSslOption(QSsl::SslOptionDisableSessionSharing, true);
    tls.setSslOption(QSsl::SslOptionDisableSessionPersistence, true);
    tls.setPreSharedKeyIdentityHint(QByteArrayLiteral("napkin"));
    return tls;
}

bool isPeerTls(const QSslSocket& socket)
{
    const QSslCipher cipher = socket.sessionCipher();
    return socket.isEncrypted() && socket.sessionProtocol() == QSsl::TlsV1_2 &&
           cipher.name() == cipherName() && cipher.authenticationMethod() == QStringLiteral("PSK");
}

QByteArray encodeIdentity(const TlsIdentity& identity)
{
    if (!identity.invitation.isEmpty())
        return invitePrefix + identity.invitation.toLatin1();
    return peerPrefix + identity.peer.text().toLatin1();
}

std::optional<TlsIdentity> decodeIdentity(const QByteArray& identity)
{
    if (identity.startsWith(peerPrefix)) {
        const auto id = PeerId::fromText(QString::fromLatin1(identity.sliced(peerPrefix.size())));
        if (!id || id->isNull())
            return std::nullopt;
        return TlsIdentity{*id, {}};
    }
    if (!identity.startsWith(invitePrefix))
        return std::nullopt;
    const QByteArray invitation = identity.sliced(invitePrefix.size());
    if (invitation.isEmpty() || invitation.size() > longestInvitation ||
        !std::all_of(invitation.begin(), invitation.end(), isInvitationLetter))
        return std::nullopt;
    return TlsIdentity{{}, QString::fromLatin1(invitation)};
}

} // namespace napkin
