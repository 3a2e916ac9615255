// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/datagrams.h"

#include <QtEndian>

#include <algorithm>
#include <cstring>
#include <ctime>

namespace napkin::iperf3 {

namespace {

using namespace std::chrono_literals;

Nanoseconds toNanoseconds(const timespec& time)
{
    return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

} // namespace

void encodeHeader(const DatagramHeader& header, bool longNumbers, std::span<char> into)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(header.sent);
    const auto rest = std::chrono::floor<std::chrono::microseconds>(header.sent - seconds);
    qToBigEndian(static_cast<std::uint32_t>(seconds.count()), into.data());
    qToBigEndian(static_cast<std::uint32_t>(rest.count()), into.data() + 4);
    if (longNumbers)
        qToBigEndian(header.number, into.data() + 8);
    else
        qToBigEndian(static_cast<std::uint32_t>(header.number), into.data() + 8);
}

DatagramHeader decodeHeader(std::span<const char> from, bool longNumbers)
{
    DatagramHeader header;
    header.sent = std::chrono::seconds(qFromBigEndian<std::uint32_t>(from.data())) +
                  std::chrono::microseconds(qFromBigEndian<std::uint32_t>(from.data() + 4));
    header.number = longNumbers ? qFromBigEndian<std::uint64_t>(from.data() + 8)
                                : qFromBigEndian<std::uint32_t>(from.data() + 8);
    return header;
}

OutgoingBatch::OutgoingBatch(std::span<const std::byte> block, int datagramSize, bool longNumbers)
    : m_longNumbers(longNumbers)
    , m_parts(2 * most)
    , m_messages(most)
{
    const std::size_t head = headerSize(longNumbers);
    for (std::size_t i = 0; i < most; ++i) {
        m_parts[2 * i] = {m_headers[i].data(), head};
        // The kernel only reads from it.
        m_parts[2 * i + 1] = {const_cast<std::byte*>(block.data()),
                              static_cast<std::size_t>(datagramSize) - head};
        m_messages[i].msg_hdr.msg_iov = &m_parts[2 * i];
        m_messages[i].msg_hdr.msg_iovlen = 2;
    }
}

int OutgoingBatch::send(const Socket& socket, std::uint64_t firstNumber, int count)
{
    const Nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    const auto wanted = static_cast<std::size_t>(std::min(count, most));
    for (std::size_t i = 0; i < wanted; ++i)
        encodeHeader({now, firstNumber + i}, m_longNumbers, m_headers[i]);
    return ::sendmmsg(socket.fd(), m_messages.data(), static_cast<unsigned>(wanted), MSG_NOSIGNAL);
}

IncomingBatch::IncomingBatch(int datagramSize)
    : m_stride(static_cast<std::size_t>(std::max(datagramSize, 2048)))
{
    constexpr std::size_t memory = 256 * 1024; // stays in the second-level cache
    const std::size_t count = std::clamp<std::size_t>(memory / m_stride, 4, 64);
    m_memory.resize(count * m_stride);
    m_ancillary.resize(count);
    m_parts.resize(count);
    m_messages.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        m_parts[i] = {m_memory.data() + i * m_stride, m_stride};
        m_messages[i].msg_hdr.msg_iov = &m_parts[i];
        m_messages[i].msg_hdr.msg_iovlen = 1;
    }
}

int IncomingBatch::receive(const Socket& socket)
{
    for (std::size_t i = 0; i < m_messages.size(); ++i) {
        m_messages[i].msg_hdr.msg_control = m_ancillary[i].bytes.data();
        m_messages[i].msg_hdr.msg_controllen = m_ancillary[i].bytes.size();
    }
    return ::recvmmsg(socket.fd(), m_messages.data(), static_cast<unsigned>(m_messages.size()),
                      MSG_WAITFORONE, nullptr);
}

std::span<const char> IncomingBatch::bytes(int i) const
{
    const auto at = static_cast<std::size_t>(i);
    return {m_memory.data() + at * m_stride, m_messages[at].msg_len};
}

Nanoseconds IncomingBatch::time(int i) const
{
    const msghdr& message = m_messages[static_cast<std::size_t>(i)].msg_hdr;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(const_cast<msghdr*>(&message), part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            timespec stamp{};
            std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            return toNanoseconds(stamp);
        }
    }
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return toNanoseconds(now);
}

} // namespace napkin::iperf3
