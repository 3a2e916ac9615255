// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/peer/ticket.h"
#include "core/results/pathmtu.h"
#include "core/results/spec.h"

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <variant>

// What the two ends of a path MTU run with a paired machine say to each other, after the ticket was
// shown: over TCP in frames (length in four bytes, version, kind, fields; big-endian), and the
// datagrams that are counted.
namespace napkin::pathmtu {

inline constexpr int protocolVersion = 1;
inline constexpr qsizetype largestFrame = 128; // without its length
inline constexpr qsizetype tokenSize = 16;
inline constexpr qsizetype datagramHeader = 4 + tokenSize + 4;
inline constexpr std::int64_t mostBulk = 64 * 1024 * 1024;

// The far end, first of all.
struct Welcome
{
    std::optional<int> interfaceMtu; // of the interface that its packets leave by
    bool operator==(const Welcome&) const = default;
};
// The far end, of each datagram that came.
struct Arrived
{
    std::uint32_t sequence = 0;
    bool operator==(const Arrived&) const = default;
};
// The near end: one datagram that makes an IP packet of that size, please.
struct SendBack
{
    std::uint32_t sequence = 0;
    int size = 0;
    bool operator==(const SendBack&) const = default;
};
// The far end: what became of that.
struct SentBack
{
    enum class Outcome : std::uint8_t {
        Sent,
        TooBigHere, // larger than its own interface allows
        NotSent,    // not this time: a full queue
        NowhereTo,  // no datagram of the near end has come yet
    };
    std::uint32_t sequence = 0;
    Outcome outcome = Outcome::Sent;
    std::optional<int> told;
    bool operator==(const SentBack&) const = default;
};
// The far end: a router gave one of its datagrams back.
struct TooBig
{
    std::uint32_t sequence = 0; // 0: not told
    std::optional<int> mtu;
    QString by;
    bool operator==(const TooBig&) const = default;
};
// The near end, first on a data connection: what that is for.
struct Bulk
{
    Direction direction = Direction::Forward;
    std::int64_t bytes = 0;
    bool operator==(const Bulk&) const = default;
};
using Message = std::variant<Welcome, Arrived, SendBack, SentBack, TooBig, Bulk>;

[[nodiscard]] QByteArray encode(const Message& message); // with its length
// Without its length. Unsupported (another version), ProtocolViolation.
[[nodiscard]] Result<Message> decode(QByteArrayView frame);

// What datagrams of either direction begin with: known to whoever holds the ticket only, until the
// first is sent.
[[nodiscard]] QByteArray token(const DataTicket& ticket, Direction direction);
// A payload of `bytes`, at least datagramHeader.
[[nodiscard]] QByteArray encodeDatagram(const QByteArray& token, std::uint32_t sequence,
                                        qsizetype bytes);
// nullopt when it is none of that direction.
[[nodiscard]] std::optional<std::uint32_t> sequenceOf(QByteArrayView datagram,
                                                      const QByteArray& token);

} // namespace napkin::pathmtu
