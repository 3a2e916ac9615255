// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/udpstream.h"

#include "core/base/deadline.h"
#include "core/measure/udp/datagrams.h"
#include "core/measure/udp/pacer.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace napkin {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds callLimit{100}; // how long one send or receive may block
constexpr auto longestNap = 50ms;
constexpr auto troubleMemory = 500ms;

void sleepUntil(SteadyTime time)
{
    const Nanoseconds when = time.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(when);
    timespec target{};
    target.tv_sec = seconds.count();
    target.tv_nsec = Nanoseconds(when - seconds).count();
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &target, nullptr);
}

} // namespace

UdpStream::UdpStream(Socket socket, StreamPlan plan, UdpWire wire)
    : m_socket(std::move(socket))
    , m_plan(plan)
    , m_wire(wire)
{
    setBlocking(m_socket, callLimit);
    const int on = 1;
    ::setsockopt(m_socket.fd(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

UdpStream::~UdpStream()
{
    abort();
    if (m_thread.joinable())
        m_thread.join();
}

void UdpStream::start(std::span<const std::byte> block)
{
    if (m_plan.role == StreamRole::Sends)
        m_thread = std::thread([this, block] { sendLoop(block); });
    else
        m_thread = std::thread([this] { receiveLoop(); });
}

void UdpStream::abort()
{
    m_finish.store(true, std::memory_order_relaxed);
    m_quit.store(true, std::memory_order_relaxed);
    ::shutdown(m_socket.fd(), SHUT_RDWR);
}

UdpCounts UdpStream::counts() const
{
    const std::lock_guard lock(m_mutex);
    return m_counts;
}

std::optional<UdpStream::Trouble> UdpStream::trouble() const
{
    const std::lock_guard lock(m_mutex);
    if (m_trouble && std::chrono::steady_clock::now() - m_trouble->last > troubleMemory)
        return std::nullopt;
    return m_trouble;
}

void UdpStream::noteSent(int count)
{
    const std::lock_guard lock(m_mutex);
    m_counts.packets += count;
    m_counts.bytes += std::int64_t(count) * m_wire.datagramSize;
    m_counts.last = std::chrono::steady_clock::now();
}

void UdpStream::noteTrouble(int error)
{
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(m_mutex);
    if (!m_trouble || now - m_trouble->last > troubleMemory)
        m_trouble = Trouble{error, now, now};
    m_trouble->last = now;
}

void UdpStream::sendLoop(std::span<const std::byte> block)
{
    ::prctl(PR_SET_TIMERSLACK, 1UL); // else each nap is 50 us too long
    iperf3::OutgoingBatch batch(block, m_wire.datagramSize, m_wire.longNumbers);
    Pacer pacer(m_wire.bitsPerSecond, m_wire.datagramSize, std::chrono::steady_clock::now());
    std::uint64_t number = 1;
    while (!m_finish.load(std::memory_order_relaxed)) {
        const auto now = std::chrono::steady_clock::now();
        const int allowed = pacer.allowance(now);
        if (allowed == 0) {
            if (pacer.maySleep(now))
                sleepUntil(std::min(pacer.next(), now + longestNap));
            continue;
        }
        const int sent = batch.send(m_socket, number, allowed);
        if (sent > 0) {
            number += static_cast<std::uint64_t>(sent);
            pacer.sent(sent, now);
            noteSent(sent);
        } else if (errno == ENOBUFS) { // a full queue of an interface
            sleepUntil(now + 1ms);
        } else if (errno != EAGAIN && errno != EINTR) {
            noteTrouble(errno);
            sleepUntil(now + 5ms);
        }
    }
    m_ended.store(true, std::memory_order_release);
}

void UdpStream::receiveLoop()
{
    iperf3::IncomingBatch batch(m_wire.datagramSize);
    SequenceTracker tracker;
    std::int64_t bytes = 0;
    using Arrival = SequenceTracker::Arrival;
    while (!m_quit.load(std::memory_order_relaxed)) {
        const int count = batch.receive(m_socket);
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            sleepUntil(std::chrono::steady_clock::now() + 1ms);
        for (int i = 0; i < count; ++i) {
            const std::span<const char> datagram = batch.bytes(i);
            if (datagram.size() < iperf3::headerSize(m_wire.longNumbers))
                continue;
            const auto header = iperf3::decodeHeader(datagram, m_wire.longNumbers);
            const Arrival arrival =
                m_wire.longNumbers
                    ? tracker.arrived(header.number)
                    : tracker.arrivedShort(static_cast<std::uint32_t>(header.number));
            if (arrival == Arrival::Duplicate || arrival == Arrival::Garbage)
                continue;
            bytes += static_cast<std::int64_t>(datagram.size());
            tracker.transit(batch.time(i) - header.sent);
        }
        if (count > 0)
            publish(tracker, bytes);
    }
}

void UdpStream::publish(const SequenceTracker& tracker, std::int64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    if (tracker.received() != m_counts.packets)
        m_counts.last = std::chrono::steady_clock::now();
    m_counts.bytes = bytes;
    m_counts.packets = tracker.received();
    m_counts.highest = tracker.highest();
    m_counts.lost = tracker.lost();
    m_counts.outOfOrder = tracker.outOfOrder();
    m_counts.jitter = tracker.jitter();
}

bool awaitSenders(const UdpStreams& streams, std::chrono::milliseconds limit)
{
    const Deadline deadline(limit);
    const auto isSending = [](const std::unique_ptr<UdpStream>& stream) {
        return stream->plan().role == StreamRole::Sends && !stream->hasEnded();
    };
    while (std::ranges::any_of(streams, isSending)) {
        if (deadline.hasPassed())
            return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

} // namespace napkin
