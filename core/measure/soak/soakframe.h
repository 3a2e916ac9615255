// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/spec.h"

#include <QByteArray>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What goes over the connection of a soak, both ways: frames of a header and a payload. A block has
// a payload that follows from its place, so that its receiver can make it anew and compare. All
// numbers big-endian.
namespace napkin::soak {

inline constexpr std::uint32_t protocolVersion = 1;
inline constexpr std::size_t headerSize = 32;

enum class FrameKind : std::uint8_t {
    Block = 1,
    Report = 2, // what the far end received, once a second
    End = 3,    // no block follows; `sequence` is how many there were
};

struct Header
{
    FrameKind kind = FrameKind::Block;
    std::uint32_t connection = 0;
    std::uint64_t sequence = 0;
    std::uint32_t length = 0; // of the payload
    std::uint32_t check = 0;  // of the payload, as it was before it was sent
    bool operator==(const Header&) const = default;
};
using HeaderBytes = std::array<unsigned char, headerSize>;
inline constexpr std::size_t checkAt = 20; // where `check` and the header's own check stand
inline constexpr std::size_t ownCheckAt = 28;

[[nodiscard]] HeaderBytes encode(const Header& header);
// Nullopt when its own check does not fit.
[[nodiscard]] std::optional<Header> decode(std::span<const unsigned char, headerSize> bytes);

// CRC-32 (zlib's): about 5 GB/s on one core where measured, four times what 10 Gb/s bring.
[[nodiscard]] std::uint32_t checkOf(std::span<const unsigned char> bytes);

// Which block it is.
struct BlockPlace
{
    std::uint64_t seed = 0;
    Direction direction = Direction::Forward;
    std::uint32_t connection = 0;
    std::uint64_t sequence = 0;
};
// Its payload: eight interleaved xorshift64 generators (Marsaglia 2003) started by splitmix64. The
// size is a multiple of 64.
void fillPayload(const BlockPlace& place, std::span<unsigned char> payload);

// Blocks of one direction, as the end that received them counted.
struct Counts
{
    std::int64_t received = 0; // bytes of payload, also of a block that is under way
    std::int64_t checked = 0;
    std::int64_t blocks = 0;
    std::int64_t corrupted = 0;
    std::int64_t lost = 0;
    std::int64_t duplicated = 0;
    bool operator==(const Counts&) const = default;
};

inline constexpr std::size_t mostToldEvents = 8;

// From the far end. Counts are those of its whole service, over all connections.
struct Report
{
    std::uint64_t instance = 0;    // of the service: another one after it was started anew
    Duration time{};               // since this connection began
    std::int64_t receivedHere = 0; // payload, over this connection
    Counts counts;
    std::optional<std::int64_t> retransmits;
    std::optional<Duration> rtt;
    std::uint32_t events = 0;      // that there were
    std::vector<SoakEvent> newest; // the last of them, at most mostToldEvents; `start` as `time`
    bool operator==(const Report&) const = default;
};
inline constexpr std::size_t reportSize = 11 * 8 + 8 + mostToldEvents * 48;
[[nodiscard]] QByteArray encode(const Report& report); // reportSize bytes
// ProtocolViolation.
[[nodiscard]] Result<Report> decodeReport(std::span<const unsigned char> bytes);

} // namespace napkin::soak
