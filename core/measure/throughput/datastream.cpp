// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/datastream.h"

#include "core/base/clock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <random>

namespace napkin {

namespace {

constexpr std::chrono::milliseconds callLimit{100}; // how long one send or receive may block
constexpr size_t receiveSize = 256 * 1024;          // stays in the second-level cache

// Wakes the reader once per about half a millisecond of data instead of once per segment: on a fast
// link that saves most of its CPU time, on a slow one it does nothing. No figure is late by more,
// or by one call where the rate has just fallen.
class WakeModeration
{
public:
    explicit WakeModeration(const Socket& socket)
        : m_socket(socket)
        , m_since(std::chrono::steady_clock::now())
    {}

    void received(ssize_t count)
    {
        m_bytes += count;
        constexpr int callsBetweenLooks = 128;
        if (++m_calls < callsBetweenLooks)
            return;
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_since).count();
        adapt(static_cast<double>(m_bytes) / std::max(seconds, 1e-6));
        m_since = now;
        m_bytes = 0;
        m_calls = 0;
    }

private:
    void adapt(double bytesPerSecond)
    {
        constexpr double delay = 0.0005;
        constexpr double most = 256.0 * 1024;
        const int wanted = static_cast<int>(std::clamp(bytesPerSecond * delay, 1.0, most));
        if (wanted < 2 * m_mark && m_mark < 2 * wanted)
            return;
        m_mark = wanted;
        setReceiveMark(m_socket, m_mark);
    }

    const Socket& m_socket;
    SteadyTime m_since;
    std::int64_t m_bytes = 0;
    int m_calls = 0;
    int m_mark = 1;
};

} // namespace

DataStream::DataStream(Socket socket, Plan plan)
    : m_socket(std::move(socket))
    , m_plan(plan)
{
    setBlocking(m_socket, callLimit);
}

DataStream::~DataStream()
{
    abort();
    if (m_thread.joinable())
        m_thread.join();
}

void DataStream::start(std::span<const std::byte> block)
{
    m_blockSize =
        static_cast<std::int64_t>(m_plan.role == StreamRole::Sends ? block.size() : receiveSize);
    if (m_plan.role == StreamRole::Sends)
        m_thread = std::thread([this, block] { sendLoop(block); });
    else
        m_thread =
            std::thread([this, buffer = Block(receiveSize)]() mutable { receiveLoop(buffer); });
}

void DataStream::abort()
{
    m_finish.store(true, std::memory_order_relaxed);
    m_quit.store(true, std::memory_order_relaxed);
    ::shutdown(m_socket.fd(), SHUT_RDWR);
}

void DataStream::sendLoop(std::span<const std::byte> block)
{
    const std::int64_t most =
        m_plan.most > 0 ? m_plan.most : std::numeric_limits<std::int64_t>::max();
    while (!m_finish.load(std::memory_order_relaxed) && bytes() < most) {
        const auto wanted = std::min<std::int64_t>(most - bytes(), std::ssize(block));
        const ssize_t sent =
            ::send(m_socket.fd(), block.data(), static_cast<size_t>(wanted), MSG_NOSIGNAL);
        if (sent > 0) {
            add(sent);
        } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            m_broken.store(!m_finish.load(std::memory_order_relaxed), std::memory_order_relaxed);
            return;
        }
    }
}

void DataStream::receiveLoop(Block& buffer)
{
    WakeModeration moderation(m_socket);
    while (!m_quit.load(std::memory_order_relaxed)) {
        const ssize_t got = ::recv(m_socket.fd(), buffer.data(), buffer.size(), 0);
        if (got > 0) {
            add(got);
            moderation.received(got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            m_broken.store(!m_finish.load(std::memory_order_relaxed), std::memory_order_relaxed);
            return;
        }
    }
}

Block randomBlock(int size)
{
    Block block(static_cast<size_t>(size));
    std::mt19937_64 random(std::random_device{}());
    for (size_t at = 0; at < block.size(); at += sizeof(std::uint64_t)) {
        const std::uint64_t word = random();
        std::memcpy(block.data() + at, &word, std::min(sizeof word, block.size() - at));
    }
    return block;
}

} // namespace napkin
