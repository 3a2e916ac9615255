// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/datastream.h"

#include <cerrno>
#include <cstring>
#include <random>

namespace napkin {

namespace {

constexpr std::chrono::milliseconds callLimit{100}; // how long one send or receive may block
constexpr size_t receiveSize = 256 * 1024;          // stays in the second-level cache

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
        m_thread = std::thread([this] { receiveLoop(); });
}

void DataStream::abort()
{
    m_finish.store(true, std::memory_order_relaxed);
    m_quit.store(true, std::memory_order_relaxed);
    ::shutdown(m_socket.fd(), SHUT_RDWR);
}

void DataStream::sendLoop(std::span<const std::byte> block)
{
    while (!m_finish.load(std::memory_order_relaxed)) {
        const ssize_t sent = ::send(m_socket.fd(), block.data(), block.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            add(sent);
        } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            m_broken.store(!m_finish.load(std::memory_order_relaxed), std::memory_order_relaxed);
            return;
        }
    }
}

void DataStream::receiveLoop()
{
    std::vector<std::byte> buffer(receiveSize);
    while (!m_quit.load(std::memory_order_relaxed)) {
        const ssize_t got = ::recv(m_socket.fd(), buffer.data(), buffer.size(), 0);
        if (got > 0) {
            add(got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            m_broken.store(!m_finish.load(std::memory_order_relaxed), std::memory_order_relaxed);
            return;
        }
    }
}

std::vector<std::byte> randomBlock(int size)
{
    std::vector<std::byte> block(static_cast<size_t>(size));
    std::mt19937_64 random(std::random_device{}());
    for (size_t at = 0; at < block.size(); at += sizeof(std::uint64_t)) {
        const std::uint64_t word = random();
        std::memcpy(block.data() + at, &word, std::min(sizeof word, block.size() - at));
    }
    return block;
}

} // namespace napkin
