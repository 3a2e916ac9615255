// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/pairingcode.h"

#include "core/peer/base32.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QPasswordDigestor>
#include <QRandomGenerator>

#include <array>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PairingCode)
};

constexpr qsizetype keyBytes = 32;
constexpr qsizetype invitationLetters = 5;
constexpr qsizetype secretLetters = 26;
constexpr qsizetype checkLetters = 4;
constexpr qsizetype letters = invitationLetters + secretLetters + checkLetters;
constexpr qsizetype groupLetters = 5;
constexpr qsizetype longestText = 400; // with whatever stands between the letters
constexpr int derivations = 20'000;    // on top of 130 random bits

const QString& prefix()
{
    static const QString word = QStringLiteral("napkin");
    return word;
}

QString checkOf(const QString& body)
{
    const QByteArray hash = QCryptographicHash::hash("napkin pairing code " + body.toLatin1(),
                                                     QCryptographicHash::Sha256);
    return toBase32(hash).left(checkLetters);
}

bool isBetweenLetters(QChar c)
{
    return c.isSpace() || c.category() == QChar::Punctuation_Dash || c == u'.' || c == u'_' ||
           c == QChar(0x200b);
}

QChar plainLetter(QChar c)
{
    switch (c.unicode()) {
    case u'0':
        return u'o';
    case u'1':
        return u'l';
    case u'8':
        return u'b';
    default:
        return c.toLower();
    }
}

tl::unexpected<Error> wrongCode(const QString& why)
{
    return fail(ErrorCode::ParseFailed, Words::tr("The pairing code"), why);
}

} // namespace

QByteArray randomKey()
{
    std::array<quint32, keyBytes / sizeof(quint32)> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return {reinterpret_cast<const char*>(words.data()), keyBytes};
}

PairingCode PairingCode::create()
{
    const QString random = toBase32(randomKey());
    return {random.left(invitationLetters), random.mid(invitationLetters, secretLetters)};
}

Result<PairingCode> PairingCode::fromText(QStringView text)
{
    if (text.size() > longestText)
        return wrongCode(Words::tr("it is too long"));
    QString body;
    for (const QChar c : text) {
        if (isBetweenLetters(c))
            continue;
        const QChar letter = plainLetter(c);
        const bool isKnown =
            (letter >= u'a' && letter <= u'z') || (letter >= u'2' && letter <= u'7');
        if (!isKnown)
            return wrongCode(Words::tr("it has only letters and the digits 2 to 7"));
        body += letter;
    }
    if (body.size() == prefix().size() + letters && body.startsWith(prefix()))
        body.remove(0, prefix().size());
    if (body.size() != letters)
        return wrongCode(
            Words::tr("it has %1 letters and digits after “napkin”, and the text "
                      "given has %2; copy the whole line")
                .arg(letters)
                .arg(body.startsWith(prefix()) ? body.size() - prefix().size() : body.size()));
    const QString signedPart = body.left(invitationLetters + secretLetters);
    if (checkOf(signedPart) != body.mid(signedPart.size()))
        return wrongCode(Words::tr("there is a typo in it; compare it with the other machine"));
    return PairingCode(signedPart.left(invitationLetters), signedPart.mid(invitationLetters));
}

QString PairingCode::text() const
{
    const QString whole = m_invitation + m_secret + checkOf(m_invitation + m_secret);
    QStringList groups{prefix()};
    for (qsizetype at = 0; at < whole.size(); at += groupLetters)
        groups << whole.mid(at, groupLetters);
    return groups.join(u'-');
}

QByteArray PairingCode::key() const
{
    return QPasswordDigestor::deriveKeyPbkdf2(QCryptographicHash::Sha256, m_secret.toLatin1(),
                                              "napkin invitation " + m_invitation.toLatin1(),
                                              derivations, keyBytes);
}

} // namespace napkin
