// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakproof.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QtEndian>

namespace napkin::soak {

namespace {

using iperf3::ControlConnection;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Soak)
};

constexpr qsizetype nonceSize = 16;
constexpr qsizetype answerSize = 32;
constexpr qsizetype startSize = 4 + 4 + 8;
constexpr char farMark = 'N'; // no state of the iperf3 protocol

QByteArray nonce()
{
    std::array<quint32, nonceSize / sizeof(quint32)> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return QByteArray(reinterpret_cast<const char*>(words.data()), nonceSize);
}

QByteArray farAnswer(const DataTicket& ticket, const QByteArray& nonces)
{
    return ticket.answerTo(QByteArrayLiteral("soak far ") + nonces);
}

QByteArray nearAnswer(const DataTicket& ticket, const QByteArray& nonces)
{
    return ticket.answerTo(QByteArrayLiteral("soak near ") + nonces);
}

QByteArray startBytes(const Start& start)
{
    QByteArray bytes(startSize, '\0');
    qToBigEndian(protocolVersion, bytes.data());
    qToBigEndian(start.connection, bytes.data() + 4);
    qToBigEndian(start.seed, bytes.data() + 8);
    return bytes;
}

QByteArray versionBytes()
{
    QByteArray bytes(4, '\0');
    qToBigEndian(protocolVersion, bytes.data());
    return bytes;
}

tl::unexpected<Error> stranger(const ControlConnection& connection)
{
    return fail(ErrorCode::PeerRefused, connection.peer(),
                Words::tr("it could not prove that it was asked for this measurement; no data was "
                          "sent to it"));
}

tl::unexpected<Error> otherVersion(const ControlConnection& connection, std::uint32_t version)
{
    return fail(ErrorCode::Unsupported, connection.peer(),
                Words::tr("it speaks version %1 of the soak protocol, and version %2 is spoken "
                          "here; the same release of Napkin on both machines helps")
                    .arg(version)
                    .arg(protocolVersion));
}

} // namespace

Result<void> begin(ControlConnection& connection, const DataTicket& ticket, const Start& start)
{
    const QByteArray own = nonce();
    if (auto sent = connection.send(ticket.cookie() + own); !sent)
        return sent;
    const auto mark = connection.receiveExactly(1);
    if (!mark)
        return tl::unexpected(mark.error());
    if (*mark == iperf3::encodeState(iperf3::State::AccessDenied))
        return fail(ErrorCode::PeerRefused, connection.peer(),
                    Words::tr("it does not know the ticket of this measurement, or not any more; "
                              "begin the measurement again"));
    if (mark->front() != farMark)
        return stranger(connection);
    const auto theirs = connection.receiveExactly(nonceSize + answerSize);
    if (!theirs)
        return tl::unexpected(theirs.error());
    const QByteArray nonces = own + theirs->first(nonceSize);
    if (!equalInConstantTime(theirs->sliced(nonceSize), farAnswer(ticket, nonces)))
        return stranger(connection);
    if (auto sent = connection.send(nearAnswer(ticket, nonces) + startBytes(start)); !sent)
        return sent;
    const auto ready = connection.receiveExactly(4);
    if (!ready)
        return tl::unexpected(ready.error());
    const auto version = qFromBigEndian<std::uint32_t>(ready->constData());
    if (version != protocolVersion)
        return otherVersion(connection, version);
    return {};
}

Result<Start> welcome(ControlConnection& connection, const DataTicket& ticket)
{
    const QByteArray cookie = ticket.cookie();
    const auto shown = connection.receiveExactly(cookie.size() + nonceSize);
    if (!shown)
        return tl::unexpected(shown.error());
    if (!equalInConstantTime(shown->first(cookie.size()), cookie)) {
        [[maybe_unused]] const auto told = connection.send(iperf3::State::AccessDenied);
        return stranger(connection);
    }
    const QByteArray own = nonce();
    const QByteArray nonces = shown->sliced(cookie.size()) + own;
    if (auto sent = connection.send(farMark + own + farAnswer(ticket, nonces)); !sent)
        return tl::unexpected(sent.error());
    const auto theirs = connection.receiveExactly(answerSize + startSize);
    if (!theirs)
        return tl::unexpected(theirs.error());
    if (!equalInConstantTime(theirs->first(answerSize), nearAnswer(ticket, nonces)))
        return stranger(connection);
    if (auto sent = connection.send(versionBytes()); !sent)
        return tl::unexpected(sent.error());
    const char* bytes = theirs->constData() + answerSize;
    const auto version = qFromBigEndian<std::uint32_t>(bytes);
    if (version != protocolVersion)
        return otherVersion(connection, version);
    return Start{qFromBigEndian<std::uint32_t>(bytes + 4),
                 qFromBigEndian<std::uint64_t>(bytes + 8)};
}

} // namespace napkin::soak
