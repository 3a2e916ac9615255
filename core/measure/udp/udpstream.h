// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/measure/throughput/block.h"
#include "core/measure/throughput/datastream.h"
#include "core/measure/udp/sequence.h"
#include "core/results/udp.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace napkin {

// What both ends agreed on.
struct UdpWire
{
    int datagramSize = 1448;         // payload, bytes
    std::uint64_t bitsPerSecond = 0; // of each stream, payload; 0: as fast as goes
    bool longNumbers = true;         // datagrams are numbered with 64 bits, not 32
};

// A stream's counts so far.
struct UdpCounts
{
    std::int64_t bytes = 0;
    std::int64_t packets = 0;       // sent, or received; those that came twice count once
    std::optional<SteadyTime> last; // when the last one was sent, or came
    // A receiver's only.
    std::int64_t highest = 0; // number that came
    std::int64_t lost = 0;
    std::int64_t outOfOrder = 0;
    std::optional<Duration> jitter;
};

// One connected UDP socket and the thread that sends or receives on it.
class UdpStream
{
public:
    UdpStream(Socket socket, StreamPlan plan, UdpWire wire);
    ~UdpStream(); // closes the socket and joins the thread
    UdpStream(const UdpStream&) = delete;
    UdpStream& operator=(const UdpStream&) = delete;
    UdpStream(UdpStream&&) = delete;
    UdpStream& operator=(UdpStream&&) = delete;

    [[nodiscard]] const StreamPlan& plan() const { return m_plan; }
    [[nodiscard]] const UdpWire& wire() const { return m_wire; }
    [[nodiscard]] const Socket& socket() const { return m_socket; }

    // A sender's datagrams are filled from `block`, which must be as large as one and outlive the
    // stream. Throws where there is no memory or no thread for it.
    void start(std::span<const std::byte> block);
    // A sender ends soon; a receiver goes on.
    void finish() { m_finish.store(true, std::memory_order_relaxed); }
    // A sender sends nothing any more, and its counts are whole.
    [[nodiscard]] bool hasEnded() const { return m_ended.load(std::memory_order_acquire); }
    // Both end at once.
    void abort();

    [[nodiscard]] UdpCounts counts() const;
    // What has kept a sender from sending, and since when; nullopt while it sends.
    struct Trouble
    {
        int error = 0; // errno
        SteadyTime since;
        SteadyTime last;
    };
    [[nodiscard]] std::optional<Trouble> trouble() const;

private:
    void sendLoop(std::span<const std::byte> block);
    void receiveLoop();
    void noteSent(int count);
    void noteTrouble(int error);
    void publish(const SequenceTracker& tracker, std::int64_t bytes);

    Socket m_socket;
    StreamPlan m_plan;
    UdpWire m_wire;
    std::atomic<bool> m_finish = false;
    std::atomic<bool> m_quit = false;
    std::atomic<bool> m_ended = false;
    mutable std::mutex m_mutex;
    UdpCounts m_counts;               // guarded by the mutex
    std::optional<Trouble> m_trouble; // guarded by the mutex
    std::thread m_thread;
};

using UdpStreams = std::vector<std::unique_ptr<UdpStream>>;

// After finish(): waits for the senders' last datagrams to be counted. False: the time was up.
[[nodiscard]] bool awaitSenders(const UdpStreams& streams, std::chrono::milliseconds limit);

} // namespace napkin
