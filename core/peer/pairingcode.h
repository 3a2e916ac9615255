// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QString>

namespace napkin {

// What `peers invite` shows on one machine and `peers pair` takes on the other:
// napkin-abcde-fghij-klmno-pqrst-uvwxy-z2345-67abc. The first group names the invitation and is no
// secret, 26 letters are (130 random bits, so that who records the pairing cannot guess them
// later), the last four catch typos.
class PairingCode
{
public:
    [[nodiscard]] static PairingCode create();

    // Takes either case, blanks anywhere, other dashes or none, with or without “napkin”, and 0, 1
    // and 8 for the letters that look like them. ParseFailed says what is wrong.
    [[nodiscard]] static Result<PairingCode> fromText(QStringView text);

    [[nodiscard]] QString text() const;
    [[nodiscard]] const QString& invitation() const { return m_invitation; } // 5 letters
    // 256 bits for the first channel, by PBKDF2 with SHA-256 from the secret; takes some
    // milliseconds.
    [[nodiscard]] QByteArray key() const;
    bool operator==(const PairingCode&) const = default;

private:
    PairingCode(QString invitation, QString secret)
        : m_invitation(std::move(invitation))
        , m_secret(std::move(secret))
    {}
    QString m_invitation;
    QString m_secret;
};

// Random bytes from the system's generator.
[[nodiscard]] QByteArray randomKey(); // 256 bits

} // namespace napkin
