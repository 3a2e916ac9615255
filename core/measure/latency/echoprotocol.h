// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/latency.h"

#include <QByteArray>
#include <QByteArrayView>

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

// What the two ends of an echo run say to each other. On the control connection, after the ticket
// was shown (DataTicket): the near end's plan in one frame, as those of iperf3 are, then one byte
// of the far end. With TCP the messages follow on the same connection: nothing but payload, each as
// long as the schedule says, and sent back whole. With UDP they are datagrams to the same port
// number; the connection stays open for as long as they go on and its end is theirs.
namespace napkin::pingpong {

inline constexpr std::uint32_t mostSizes = 256;
inline constexpr std::uint32_t largestMessage = 16 * 1024 * 1024;
inline constexpr std::uint32_t smallestDatagram = 16; // mark and number
inline constexpr std::uint32_t largestDatagram = 65'507;
inline constexpr qsizetype planLimit = 64 + 4 * qsizetype{mostSizes}; // of its frame

// What the near end is going to send.
struct Plan
{
    EchoMethod method = EchoMethod::Tcp; // Tcp or Udp
    WaitMode wait = WaitMode::Blocking;  // of both ends
    std::uint32_t milliseconds = 0;      // the whole run, at most; to 3,700,000
    std::uint32_t pause = 0; // ms: the longest between two messages that is no silence; to 120,000
    std::uint32_t messages = 0;       // at most; 1 to mostRoundTrips
    std::uint64_t seed = 0;           // of the order
    std::vector<std::uint32_t> sizes; // 1 to mostSizes; each round has all of them in a new order
    bool operator==(const Plan&) const = default;

    [[nodiscard]] std::uint32_t largest() const; // of the sizes
};

[[nodiscard]] QByteArray encodePlan(const Plan& plan);
// Unsupported for another version, ProtocolViolation for what is none or out of its bounds.
[[nodiscard]] Result<Plan> decodePlan(QByteArrayView bytes);

// The far end's byte.
enum class Answer : char {
    Ready = 'R',
    TooMuch = 'L',   // larger, longer or another method than was agreed for this run
    NoSense = 'V',   // another version, or no plan at all
    NoUdpPort = 'U', // the port is taken in UDP
};

// The size of each message in turn: both ends make the same of the same plan.
class Schedule
{
public:
    Schedule(std::uint64_t seed, std::vector<std::uint32_t> sizes);
    [[nodiscard]] std::uint32_t next();

private:
    void shuffle();

    std::mt19937_64 m_random;
    std::vector<std::uint32_t> m_order;
    size_t m_at = 0;
};

// A datagram begins with a mark of eight bytes, which only the holders of the ticket know, and a
// number. Requests and answers carry different marks: an answer never makes an answer.
struct Marks
{
    std::uint64_t request = 0;
    std::uint64_t reply = 0;

    [[nodiscard]] static Marks from(QByteArrayView sixteenBytes);
};
void putDatagram(std::span<char> datagram, std::uint64_t mark, std::uint64_t number);
void putMark(std::span<char> datagram, std::uint64_t mark);
// The number of a datagram that carries the mark.
[[nodiscard]] std::optional<std::uint64_t> numberIn(std::span<const char> datagram,
                                                    std::uint64_t mark);

} // namespace napkin::pingpong
