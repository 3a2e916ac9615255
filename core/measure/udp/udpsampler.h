// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/udp/udpstream.h"

namespace napkin {

// Turns the streams' running counts into samples and totals. For the steering thread.
class UdpSampler
{
public:
    // `streams` must outlive it. Counting starts now.
    UdpSampler(const UdpStreams& streams, Duration omit);

    [[nodiscard]] SteadyTime start() const { return m_start; }

    // One sample per stream, since the last call.
    [[nodiscard]] std::vector<UdpSample> take();
    // From here on it counts: the omit period is over. Call right after take().
    void cut();
    // Counts what came after the last take() into the totals, without a sample of it.
    void settle();

    // One stream's counts at cut() and at the last look.
    struct Span
    {
        const UdpStream* stream = nullptr;
        UdpCounts first;
        UdpCounts last;
        Duration from{}; // since start()
        // A sender's: the last take(). A receiver's: `from` and `active`.
        Duration to{};
        // From the beginning until one mean interval after the last datagram, but no longer than
        // the last look.
        Duration active{};
        Duration watched{}; // from the beginning until the last take()
    };
    [[nodiscard]] std::vector<Span> spans() const;

    // Datagrams since cut() that full receive buffers dropped, of all streams that receive. Nullopt
    // where none does, or the kernel does not tell.
    [[nodiscard]] std::optional<std::int64_t> bufferDrops() const;
    // When a datagram last came on any stream that receives; start() before the first. Nullopt
    // where none receives.
    [[nodiscard]] std::optional<SteadyTime> lastArrival() const;
    [[nodiscard]] std::int64_t moved() const; // bytes, of all streams, so far
    // Of all streams that receive together, so far.
    struct Arrived
    {
        Duration at{}; // since start()
        std::int64_t packets = 0;
        std::int64_t bytes = 0;
    };
    [[nodiscard]] Arrived arrived() const;

private:
    struct Reading
    {
        SteadyTime time;
        UdpCounts counts;
    };
    [[nodiscard]] std::vector<Reading> read() const;
    [[nodiscard]] std::optional<std::int64_t> drops() const;
    [[nodiscard]] Span spanOf(size_t i) const;

    const UdpStreams& m_streams;
    SteadyTime m_start;
    Duration m_omit;
    std::optional<std::int64_t> m_firstDrops;
    std::vector<Reading> m_first; // at cut()
    std::vector<Reading> m_taken; // at the last take()
    std::vector<Reading> m_last;
};

} // namespace napkin
