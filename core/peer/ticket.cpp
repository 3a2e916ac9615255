// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/ticket.h"

#include "core/peer/base32.h"

#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

#include <array>

namespace napkin {

namespace {

constexpr qsizetype secretBytes = 32;

// What a purpose makes of the secret: none tells anything of another, nor of the secret.
QByteArray derive(const QByteArray& secret, const char* purpose)
{
    return QMessageAuthenticationCode::hash(QByteArray("napkin data ") + purpose, secret,
                                            QCryptographicHash::Sha256);
}

} // namespace

DataTicket DataTicket::create()
{
    std::array<quint32, secretBytes / sizeof(quint32)> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return DataTicket(QByteArray(reinterpret_cast<const char*>(words.data()), secretBytes));
}

Result<DataTicket> DataTicket::fromText(QStringView text)
{
    const auto secret = fromBase32(text);
    if (!secret || secret->size() != secretBytes)
        return fail(ErrorCode::ParseFailed, QStringLiteral("ticket"));
    return DataTicket(*secret);
}

QString DataTicket::text() const
{
    return toBase32(m_secret);
}

QByteArray DataTicket::cookie() const
{
    constexpr qsizetype letters = 36; // iperf3's length; 180 bits
    return toBase32(derive(m_secret, "cookie")).toLatin1().first(letters) + '\0';
}

QByteArray DataTicket::farProof() const
{
    // A stock iperf3 server answers a cookie with the byte of a state: none of them is this letter,
    // so that the first byte tells the two apart.
    return derive(m_secret, "far end").replace(0, 1, "N");
}

QByteArray DataTicket::nearProof() const
{
    return derive(m_secret, "near end");
}

QByteArray DataTicket::datagramMarks() const
{
    return derive(m_secret, "datagrams").first(16);
}

DataTicket DataTicket::next() const
{
    return DataTicket(derive(m_secret, "next run"));
}

QByteArray DataTicket::answerTo(const QByteArray& challenge) const
{
    return QMessageAuthenticationCode::hash(QByteArrayLiteral("napkin data answer ") + challenge,
                                            m_secret, QCryptographicHash::Sha256);
}

bool equalInConstantTime(const QByteArray& a, const QByteArray& b)
{
    if (a.size() != b.size())
        return false;
    unsigned difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

} // namespace napkin
