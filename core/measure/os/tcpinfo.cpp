// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/os/tcpinfo.h"

#include <linux/sockios.h>
#include <linux/tcp.h> // netinet/tcp.h knows only the older half of tcp_info
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>

namespace napkin {

namespace {

// Whether the kernel filled the field that ends there: older ones hand back a shorter structure.
bool reaches(socklen_t length, size_t endOfField)
{
    return length >= endOfField;
}

} // namespace

TcpState tcpState(int fd)
{
    tcp_info info{};
    socklen_t length = sizeof info;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return {};
    TcpState state;
    if (reaches(length, offsetof(tcp_info, tcpi_total_retrans) + sizeof info.tcpi_total_retrans)) {
        state.retransmits = info.tcpi_total_retrans;
        if (info.tcpi_rtt > 0)
            state.rtt = std::chrono::microseconds(info.tcpi_rtt);
        state.congestionWindow =
            ByteCount::bytes(static_cast<std::int64_t>(info.tcpi_snd_cwnd) * info.tcpi_snd_mss);
    }
    if (reaches(length, offsetof(tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked))
        state.acknowledged = static_cast<std::int64_t>(info.tcpi_bytes_acked);
    return state;
}

std::optional<std::int64_t> unacknowledged(int fd)
{
    int bytes = 0;
    if (::ioctl(fd, SIOCOUTQ, &bytes) != 0)
        return std::nullopt;
    return bytes;
}

} // namespace napkin
