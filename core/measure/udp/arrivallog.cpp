// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/arrivallog.h"

namespace napkin {

void ArrivalLog::restart(Duration now, std::int64_t packets, std::int64_t bytes)
{
    *this = ArrivalLog();
    m_start = m_from = now;
    m_packets = packets;
    m_bytes = bytes;
}

void ArrivalLog::look(Duration now, std::int64_t packets, std::int64_t bytes)
{
    if (++m_looks < m_perWindow || now <= m_from)
        return;
    m_windows.push_back(
        {m_from - m_start, now - m_from, packets - m_packets, ByteCount::bytes(bytes - m_bytes)});
    m_from = now;
    m_packets = packets;
    m_bytes = bytes;
    m_looks = 0;
    if (m_windows.size() >= most)
        halve();
}

void ArrivalLog::halve()
{
    for (size_t i = 0; i + 1 < m_windows.size(); i += 2) {
        const UdpArrival& first = m_windows[i];
        const UdpArrival& second = m_windows[i + 1];
        m_windows[i / 2] = {first.start, first.length + second.length,
                            first.packets + second.packets, first.bytes + second.bytes};
    }
    m_windows.resize(m_windows.size() / 2);
    m_perWindow *= 2;
}

} // namespace napkin
