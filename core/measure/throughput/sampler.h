// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/datastream.h"
#include "core/results/result.h"

#include <vector>

namespace napkin {

// Turns the streams' running counters into samples and totals. Each stream's counter is read
// together with the clock. For the steering thread.
class Sampler
{
public:
    // `streams` must outlive it. Counting starts now.
    Sampler(const DataStreams& streams, Duration omit);

    [[nodiscard]] SteadyTime start() const { return m_start; }

    // One sample per stream, since the last call.
    [[nodiscard]] std::vector<ThroughputSample> take();
    // Looks at all counters; true when bytes arrived since the last look, on any stream. Cheap:
    // for watching more often than there are samples.
    bool look();
    // As take(), up to the last look at which bytes had arrived: the silence since then is left
    // out. Nothing where that is no longer than what was taken.
    [[nodiscard]] std::vector<ThroughputSample> takeUntilSilence();

    // From here on it counts: the omit period is over. Call right after take().
    void cut();

    // One stream's count between cut() and the last take().
    struct Span
    {
        const DataStream* stream = nullptr;
        std::int64_t moved = 0;        // bytes read, or handed to the socket
        std::int64_t acknowledged = 0; // senders only
        std::optional<std::int64_t> retransmits;
        Duration from{}; // since start()
        Duration to{};
    };
    [[nodiscard]] std::vector<Span> spans() const;

private:
    struct Reading
    {
        SteadyTime time;
        std::int64_t moved = 0;        // by the stream's thread
        std::int64_t acknowledged = 0; // senders only
        std::optional<std::int64_t> retransmits;
        std::optional<ByteCount> congestionWindow;
        std::optional<Duration> rtt;
    };
    [[nodiscard]] Reading read(size_t i) const;
    [[nodiscard]] std::int64_t arrived(size_t i, const Reading& reading) const;
    [[nodiscard]] std::vector<ThroughputSample> takeUntil(const std::vector<Reading>& now);

    const DataStreams& m_streams;
    SteadyTime m_start;
    Duration m_omit;
    std::vector<Reading> m_first; // at cut()
    std::vector<Reading> m_last;
    std::vector<Reading> m_alive; // at the last look at which bytes had arrived
};

} // namespace napkin
