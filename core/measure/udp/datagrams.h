// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/measure/os/socket.h"
#include "core/measure/throughput/block.h"

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace napkin::iperf3 {

// What stands at the beginning of each datagram, big-endian: the time of sending in seconds and
// microseconds by the sender's monotonic clock, then its number in 32 or 64 bits.
struct DatagramHeader
{
    Nanoseconds sent{};
    std::uint64_t number = 0;
};
inline constexpr std::size_t longestHeader = 16;
[[nodiscard]] constexpr std::size_t headerSize(bool longNumbers)
{
    return longNumbers ? 16 : 12;
}
void encodeHeader(const DatagramHeader& header, bool longNumbers, std::span<char> into);
// `from` holds at least headerSize() bytes.
[[nodiscard]] DatagramHeader decodeHeader(std::span<const char> from, bool longNumbers);

// Several datagrams for one system call, sent with running numbers.
class OutgoingBatch
{
public:
    OutgoingBatch(std::span<const std::byte> block, int datagramSize, bool longNumbers);
    static constexpr int most = 64;
    // How many were sent; -1 with errno where none was.
    [[nodiscard]] int send(const Socket& socket, std::uint64_t firstNumber, int count);

private:
    bool m_longNumbers;
    std::array<std::array<char, longestHeader>, most> m_headers{};
    std::vector<iovec> m_parts;
    std::vector<mmsghdr> m_messages;
};

// Several datagrams from one system call.
class IncomingBatch
{
public:
    explicit IncomingBatch(int datagramSize);
    // How many came; waits as the socket does. -1 with errno where none did.
    [[nodiscard]] int receive(const Socket& socket);
    // Of those: what came, and when by the kernel's clock (nanoseconds since 1970).
    [[nodiscard]] std::span<const char> bytes(int i) const;
    [[nodiscard]] Nanoseconds time(int i) const;

private:
    struct alignas(cmsghdr) Ancillary
    {
        std::array<char, 64> bytes;
    };
    std::size_t m_stride;
    std::vector<char> m_memory;
    std::vector<Ancillary> m_ancillary;
    std::vector<iovec> m_parts;
    std::vector<mmsghdr> m_messages;
};

} // namespace napkin::iperf3
