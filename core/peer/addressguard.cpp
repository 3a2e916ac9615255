// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/peer/addressguard.h"

#include <algorithm>
#include <utility>

namespace napkin {

QHostAddress AddressGuard::plain(const QHostAddress& address)
{
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return isV4 ? QHostAddress(v4) : address;
}

std::optional<std::chrono::seconds> AddressGuard::bar(const QHostAddress& address,
                                                      SteadyTime now) const
{
    const auto found = m_records.constFind(plain(address));
    if (found == m_records.cend() || found->barredUntil <= now)
        return std::nullopt;
    return std::chrono::ceil<std::chrono::seconds>(found->barredUntil - now);
}

void AddressGuard::makeRoom()
{
    const auto oldest =
        std::min_element(m_records.begin(), m_records.end(),
                         [](const Record& a, const Record& b) { return a.last < b.last; });
    if (oldest != m_records.end())
        m_records.erase(oldest);
}

void AddressGuard::countFailure(const QHostAddress& address, SteadyTime now)
{
    const QHostAddress key = plain(address);
    if (!m_records.contains(key) && m_records.size() >= mostAddresses)
        makeRoom();
    Record& record = m_records[key];
    if (record.failures == 0 || now - record.first > within) {
        record.failures = 0;
        record.first = now;
    }
    // A long peace after a bar starts anew.
    if (record.nextBar > firstBar && now - record.last > longestBar + record.nextBar)
        record.nextBar = firstBar;
    record.last = now;
    if (++record.failures < mostFailures)
        return;
    record.failures = 0;
    record.barredUntil = now + record.nextBar;
    record.nextBar = std::min(record.nextBar * 2, longestBar);
}

void AddressGuard::proved(const QHostAddress& address)
{
    const QHostAddress key = plain(address);
    m_records.remove(key);
    std::erase(m_proved, key);
    m_proved.push_back(key);
    if (m_proved.size() > static_cast<size_t>(mostAddresses))
        m_proved.pop_front();
}

bool AddressGuard::hasProved(const QHostAddress& address) const
{
    return std::ranges::find(m_proved, plain(address)) != m_proved.end();
}

bool LogThrottle::admit(SteadyTime now)
{
    const std::chrono::duration<double> passed = now - m_last;
    m_tokens = std::min(burst, m_tokens + passed.count() * perSecond);
    m_last = now;
    if (m_tokens < 1) {
        ++m_leftOut;
        return false;
    }
    m_tokens -= 1;
    return true;
}

int LogThrottle::takeLeftOut()
{
    return std::exchange(m_leftOut, 0);
}

} // namespace napkin
