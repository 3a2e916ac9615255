// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/echoprotocol.h"

#include <QtEndian>

#include <algorithm>
#include <utility>

namespace napkin::pingpong {

namespace {

constexpr QByteArrayView magic("NKEC");
constexpr char version = 1;
constexpr qsizetype headSize = 30; // before the sizes
constexpr std::uint32_t longestRun = 3'700'000;
constexpr std::uint32_t longestPause = 120'000;

template <typename T>
void put(QByteArray& bytes, T value)
{
    const T big = qToBigEndian(value);
    bytes.append(reinterpret_cast<const char*>(&big), sizeof big);
}

template <typename T>
T valueAt(QByteArrayView bytes, qsizetype at)
{
    return qFromBigEndian<T>(bytes.data() + at);
}

bool isWithinBounds(const Plan& plan)
{
    const bool isUdp = plan.method == EchoMethod::Udp;
    const auto fits = [isUdp](std::uint32_t size) {
        return isUdp ? size >= smallestDatagram && size <= largestDatagram
                     : size >= 1 && size <= largestMessage;
    };
    return plan.milliseconds <= longestRun && plan.pause <= longestPause && plan.messages >= 1 &&
           plan.messages <= mostRoundTrips && !plan.sizes.empty() &&
           plan.sizes.size() <= mostSizes && std::ranges::all_of(plan.sizes, fits);
}

} // namespace

std::uint32_t Plan::largest() const
{
    return sizes.empty() ? 0 : *std::ranges::max_element(sizes);
}

QByteArray encodePlan(const Plan& plan)
{
    QByteArray bytes = magic.toByteArray();
    bytes += version;
    bytes += plan.method == EchoMethod::Udp ? '\1' : '\0';
    bytes += plan.wait == WaitMode::BusyPoll ? '\1' : '\0';
    bytes += '\0';
    put(bytes, plan.milliseconds);
    put(bytes, plan.pause);
    put(bytes, plan.messages);
    put(bytes, plan.seed);
    put(bytes, static_cast<std::uint16_t>(plan.sizes.size()));
    for (const std::uint32_t size : plan.sizes)
        put(bytes, size);
    return bytes;
}

Result<Plan> decodePlan(QByteArrayView bytes)
{
    if (bytes.size() < headSize || !bytes.startsWith(magic))
        return fail(ErrorCode::ProtocolViolation);
    if (bytes[4] != version)
        return fail(ErrorCode::Unsupported);
    const auto isFlag = [](char byte) { return byte == 0 || byte == 1; };
    if (!isFlag(bytes[5]) || !isFlag(bytes[6]) || bytes[7] != 0)
        return fail(ErrorCode::ProtocolViolation);
    Plan plan;
    plan.method = bytes[5] == 1 ? EchoMethod::Udp : EchoMethod::Tcp;
    plan.wait = bytes[6] == 1 ? WaitMode::BusyPoll : WaitMode::Blocking;
    plan.milliseconds = valueAt<std::uint32_t>(bytes, 8);
    plan.pause = valueAt<std::uint32_t>(bytes, 12);
    plan.messages = valueAt<std::uint32_t>(bytes, 16);
    plan.seed = valueAt<std::uint64_t>(bytes, 20);
    const auto count = valueAt<std::uint16_t>(bytes, 28);
    if (count > mostSizes || bytes.size() != headSize + 4 * qsizetype{count})
        return fail(ErrorCode::ProtocolViolation);
    for (qsizetype i = 0; i < count; ++i)
        plan.sizes.push_back(valueAt<std::uint32_t>(bytes, headSize + 4 * i));
    if (!isWithinBounds(plan))
        return fail(ErrorCode::ProtocolViolation);
    return plan;
}

Schedule::Schedule(std::uint64_t seed, std::vector<std::uint32_t> sizes)
    : m_random(seed)
    , m_order(std::move(sizes))
{
    shuffle();
}

// Not std::shuffle, which may do it differently at the other end.
void Schedule::shuffle()
{
    for (size_t i = m_order.size(); i > 1; --i)
        std::swap(m_order[i - 1], m_order[m_random() % i]);
}

std::uint32_t Schedule::next()
{
    if (m_at == m_order.size()) {
        shuffle();
        m_at = 0;
    }
    return m_order[m_at++];
}

Marks Marks::from(QByteArrayView sixteenBytes)
{
    return {valueAt<std::uint64_t>(sixteenBytes, 0), valueAt<std::uint64_t>(sixteenBytes, 8)};
}

void putMark(std::span<char> datagram, std::uint64_t mark)
{
    qToBigEndian(mark, datagram.data());
}

void putDatagram(std::span<char> datagram, std::uint64_t mark, std::uint64_t number)
{
    putMark(datagram, mark);
    qToBigEndian(number, datagram.data() + 8);
}

std::optional<std::uint64_t> numberIn(std::span<const char> datagram, std::uint64_t mark)
{
    if (datagram.size() < smallestDatagram ||
        qFromBigEndian<std::uint64_t>(datagram.data()) != mark)
        return std::nullopt;
    return qFromBigEndian<std::uint64_t>(datagram.data() + 8);
}

} // namespace napkin::pingpong
