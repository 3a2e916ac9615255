// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/measure/throughput/block.h"
#include "core/results/spec.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace napkin {

enum class StreamRole { Sends, Receives };

struct StreamPlan
{
    int id = 1;    // the protocol's number
    int index = 0; // 0, 1, ... within its direction
    Direction direction = Direction::Forward;
    StreamRole role = StreamRole::Sends;
    std::int64_t most = 0; // bytes that a sender over TCP sends; 0: until it is ended
};

// One data connection and the thread that moves its bytes. The owner samples the counter; nothing
// else is shared.
class DataStream
{
public:
    using Plan = StreamPlan;

    DataStream(Socket socket, Plan plan);
    ~DataStream(); // closes the connection and joins the thread
    DataStream(const DataStream&) = delete;
    DataStream& operator=(const DataStream&) = delete;
    DataStream(DataStream&&) = delete;
    DataStream& operator=(DataStream&&) = delete;

    [[nodiscard]] const Plan& plan() const { return m_plan; }
    [[nodiscard]] const Socket& socket() const { return m_socket; }

    // A sender sends `block` over and over; it must outlive the stream. A receiver reads into
    // memory of its own. Throws where there is no memory or no thread for it.
    void start(std::span<const std::byte> block);
    // A sender ends soon; a receiver goes on reading, so that the other side never blocks.
    void finish() { m_finish.store(true, std::memory_order_relaxed); }
    // Both end at once.
    void abort();

    // Bytes handed to the socket or read from it so far.
    [[nodiscard]] std::int64_t bytes() const { return m_bytes.load(std::memory_order_relaxed); }
    // The most that one call moves, and so the most by which bytes() may lag behind.
    [[nodiscard]] std::int64_t blockSize() const { return m_blockSize; }
    // The connection ended although nobody asked for it.
    [[nodiscard]] bool isBroken() const { return m_broken.load(std::memory_order_relaxed); }

private:
    void sendLoop(std::span<const std::byte> block);
    void receiveLoop(Block& buffer);
    void add(ssize_t count)
    {
        // Only this stream's thread writes, so no locked instruction is needed.
        m_bytes.store(bytes() + count, std::memory_order_relaxed);
    }

    Socket m_socket;
    Plan m_plan;
    std::int64_t m_blockSize = 0;
    alignas(64) std::atomic<std::int64_t> m_bytes = 0;
    alignas(64) std::atomic<bool> m_finish = false;
    std::atomic<bool> m_quit = false;
    std::atomic<bool> m_broken = false;
    std::thread m_thread;
};

using DataStreams = std::vector<std::unique_ptr<DataStream>>;

// What senders send: incompressible, so that no tunnel or link shrinks it.
[[nodiscard]] Block randomBlock(int size);

} // namespace napkin
