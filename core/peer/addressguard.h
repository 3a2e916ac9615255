// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <QHash>
#include <QHostAddress>

#include <chrono>
#include <deque>
#include <optional>

namespace napkin {

// Who failed to prove a key too often is not let in for a while. By address: a house
// shares its IPv6 prefix, and nobody is barred for a neighbour. Its table
// never grows beyond 1,024 addresses: the one that failed longest ago makes room.
class AddressGuard
{
public:
    static constexpr int mostFailures = 5;
    static constexpr std::chrono::seconds within{60};
    static constexpr std::chrono::seconds firstBar{60}; // then twice as long each time
    static constexpr std::chrono::seconds longestBar{3'600};
    static constexpr qsizetype mostAddresses = 1'024;

    // How long this address has to wait; nothing when it may come in.
    [[nodiscard]] std::optional<std::chrono::seconds> bar(const QHostAddress& address,
                                                          SteadyTime now) const;
    void countFailure(const QHostAddress& address, SteadyTime now);
    void proved(const QHostAddress& address); // a key: what went before is forgotten
    [[nodiscard]] bool hasProved(const QHostAddress& address) const;
    [[nodiscard]] qsizetype size() const { return m_records.size(); }

    // ::ffff:10.0.0.1 is 10.0.0.1.
    [[nodiscard]] static QHostAddress plain(const QHostAddress& address);

private:
    struct Record
    {
        int failures = 0;
        SteadyTime first; // of the failures counted
        SteadyTime last;
        SteadyTime barredUntil;
        std::chrono::seconds nextBar = firstBar;
    };
    void makeRoom();

    QHash<QHostAddress, Record> m_records;
    std::deque<QHostAddress> m_proved; // the newest last; bounded like the records
};

// Lets so many log lines through and counts the rest.
class LogThrottle
{
public:
    // Whether this one may be said; `m_left` collects the others.
    [[nodiscard]] bool admit(SteadyTime now);
    [[nodiscard]] int takeLeftOut(); // since it was last asked

private:
    static constexpr double burst = 10;
    static constexpr double perSecond = 1;
    double m_tokens = burst;
    SteadyTime m_last;
    int m_leftOut = 0;
};

} // namespace napkin
