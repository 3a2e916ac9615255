// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QString>

namespace napkin {

// Lets one measurement in, once. The far end makes it and hands it over the peer channel; data
// connections show that they hold it. It never goes over a data connection itself: the control
// connection of the iperf3 protocol opens with cookie(), the far end answers with farProof() before
// anything else, and the near end with nearProof(). So a near end sends its bytes only to whoever
// issued the ticket, and a far end takes them only from whoever was given it.
class DataTicket
{
public:
    [[nodiscard]] static DataTicket create(); // 256 bits from the system's generator
    [[nodiscard]] static Result<DataTicket> fromText(QStringView text);

    [[nodiscard]] QString text() const;         // 52 base32 letters: only for the peer channel
    [[nodiscard]] QByteArray cookie() const;    // 36 characters and a zero, as iperf3's are
    [[nodiscard]] QByteArray farProof() const;  // 32 bytes, an N first
    [[nodiscard]] QByteArray nearProof() const; // 32 bytes
    // 16 bytes that mark the datagrams of the measurement: eight those of the near end, eight those
    // of the far end.
    [[nodiscard]] QByteArray datagramMarks() const;
    // The ticket of the next run, where one measurement has several: what was seen of this one on
    // the wire does not help with that one.
    [[nodiscard]] DataTicket next() const;
    // 32 bytes that only a holder of the ticket can make of that challenge.
    [[nodiscard]] QByteArray answerTo(const QByteArray& challenge) const;
    bool operator==(const DataTicket&) const = default;

private:
    explicit DataTicket(QByteArray secret)
        : m_secret(std::move(secret))
    {}
    QByteArray m_secret;
};

// Whether two byte strings are equal, in a time that depends on their lengths only.
[[nodiscard]] bool equalInConstantTime(const QByteArray& a, const QByteArray& b);

} // namespace napkin
