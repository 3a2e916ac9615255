// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/os/socket.h"
#include "core/results/spec.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace napkin::test {

// What happens to connections on the way. `at` counts from when the proxy took the first
// connection.
struct Mischief
{
    enum class Kind {
        Flip,  // one byte of the stream is changed
        Close, // both sides are closed, with what is under way
        Reset,
        Stall, // nothing is passed on for `length`, both ways
    };
    Kind kind = Kind::Flip;
    std::chrono::milliseconds at{}; // not of Flip
    std::chrono::milliseconds length{};
    Direction direction = Direction::Forward; // of Flip; Forward: from who connects
    std::int64_t offset = 0;                  // of Flip, in the stream of the first connection
    unsigned char mask = 1;
};

// What the proxy did, by its own book.
struct Deed
{
    Mischief mischief;
    std::chrono::steady_clock::time_point began;
    std::chrono::steady_clock::time_point ended;
    unsigned char was = 0; // of Flip
    unsigned char became = 0;
};

// A TCP proxy on loopback that does mischief, one connection at a time, on a thread of its own.
class SoakProxy
{
public:
    SoakProxy(int target, std::vector<Mischief> plan);
    ~SoakProxy();
    SoakProxy(const SoakProxy&) = delete;
    SoakProxy& operator=(const SoakProxy&) = delete;
    SoakProxy(SoakProxy&&) = delete;
    SoakProxy& operator=(SoakProxy&&) = delete;

    [[nodiscard]] int port() const { return m_port; }
    [[nodiscard]] std::vector<Deed> book();
    // Bytes that were passed on to who connects, and from it, over all connections.
    [[nodiscard]] std::int64_t passed(Direction direction) const
    {
        return direction == Direction::Forward ? m_forward : m_reverse;
    }
    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] std::chrono::steady_clock::time_point accepted(); // of the first

private:
    struct Way;
    void loop();
    void serve(Socket near);
    [[nodiscard]] bool pump(Way& way);
    [[nodiscard]] std::optional<Mischief> due();
    void note(const Deed& deed);

    int m_target;
    std::vector<Mischief> m_plan; // of the thread
    CancelSource m_stop;
    Interrupt m_interrupt{m_stop.get_token()};
    Socket m_listener;
    int m_port = 0;
    std::atomic<std::int64_t> m_forward{0};
    std::atomic<std::int64_t> m_reverse{0};
    std::atomic<int> m_connections{0};
    std::mutex m_mutex;
    std::vector<Deed> m_book;
    std::optional<std::chrono::steady_clock::time_point> m_accepted;
    std::thread m_thread;
};

} // namespace napkin::test
