// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/udpsampler.h"

#include "core/measure/udp/udpsocket.h"

#include <algorithm>

namespace napkin {

UdpSampler::UdpSampler(const UdpStreams& streams, Duration omit)
    : m_streams(streams)
    , m_start(std::chrono::steady_clock::now())
    , m_omit(omit)
    , m_firstDrops(drops())
    , m_first(read())
{
    for (Reading& reading : m_first)
        reading.time = m_start;
    m_taken = m_first;
    m_last = m_first;
}

std::vector<UdpSampler::Reading> UdpSampler::read() const
{
    std::vector<Reading> now;
    now.reserve(m_streams.size());
    for (const auto& stream : m_streams) {
        UdpCounts counts = stream->counts();
        now.push_back({std::chrono::steady_clock::now(), counts});
    }
    return now;
}

std::vector<UdpSample> UdpSampler::take()
{
    m_last = read();
    std::vector<UdpSample> samples;
    samples.reserve(m_streams.size());
    for (size_t i = 0; i < m_streams.size(); ++i) {
        const StreamPlan& plan = m_streams[i]->plan();
        const Reading& before = m_taken[i];
        const Reading& now = m_last[i];
        UdpSample sample;
        sample.stream = plan.index;
        sample.direction = plan.direction;
        sample.start = before.time - m_start;
        sample.length = now.time - before.time;
        sample.bytes = ByteCount::bytes(now.counts.bytes - before.counts.bytes);
        sample.packets = now.counts.packets - before.counts.packets;
        sample.atReceiver = plan.role == StreamRole::Receives;
        if (sample.atReceiver) {
            sample.lost = now.counts.lost - before.counts.lost;
            sample.outOfOrder = now.counts.outOfOrder - before.counts.outOfOrder;
            sample.jitter = now.counts.jitter;
        }
        sample.omitted = sample.start < m_omit;
        samples.push_back(sample);
    }
    m_taken = m_last;
    return samples;
}

void UdpSampler::cut()
{
    m_first = m_taken;
    m_firstDrops = drops();
}

void UdpSampler::settle()
{
    m_last = read();
}

UdpSampler::Span UdpSampler::spanOf(size_t i) const
{
    Span span;
    span.stream = m_streams[i].get();
    span.first = m_first[i].counts;
    span.last = m_last[i].counts;
    span.from = m_first[i].time - m_start;
    span.active = m_last[i].time - m_start - span.from;
    const std::int64_t moved = span.last.packets - span.first.packets;
    if (moved > 0 && span.last.last) {
        // n datagrams at an even pace take n intervals, of which n - 1 lie between them.
        const Duration between = *span.last.last - m_start - span.from;
        const Duration interval = moved > 1 ? between / (moved - 1) : span.active;
        span.active = std::min(span.active, between + interval);
    }
    span.watched = m_taken[i].time - m_start - span.from;
    const bool isSender = span.stream->plan().role == StreamRole::Sends;
    span.to = span.from + (isSender ? span.watched : span.active);
    return span;
}

std::vector<UdpSampler::Span> UdpSampler::spans() const
{
    std::vector<Span> spans;
    spans.reserve(m_streams.size());
    for (size_t i = 0; i < m_streams.size(); ++i)
        spans.push_back(spanOf(i));
    return spans;
}

std::optional<std::int64_t> UdpSampler::drops() const
{
    std::optional<std::int64_t> sum;
    for (const auto& stream : m_streams) {
        if (stream->plan().role != StreamRole::Receives)
            continue;
        const auto dropped = iperf3::droppedDatagrams(stream->socket());
        if (!dropped)
            return std::nullopt;
        sum = sum.value_or(0) + *dropped;
    }
    return sum;
}

std::optional<std::int64_t> UdpSampler::bufferDrops() const
{
    const auto now = drops();
    if (!now || !m_firstDrops || *now < *m_firstDrops)
        return std::nullopt;
    return *now - *m_firstDrops;
}

std::optional<SteadyTime> UdpSampler::lastArrival() const
{
    std::optional<SteadyTime> last;
    for (const auto& stream : m_streams) {
        if (stream->plan().role == StreamRole::Receives)
            last = std::max(last.value_or(m_start), stream->counts().last.value_or(m_start));
    }
    return last;
}

UdpSampler::Arrived UdpSampler::arrived() const
{
    Arrived all;
    for (const auto& stream : m_streams) {
        if (stream->plan().role != StreamRole::Receives)
            continue;
        const UdpCounts counts = stream->counts();
        all.packets += counts.packets;
        all.bytes += counts.bytes;
    }
    all.at = std::chrono::steady_clock::now() - m_start;
    return all;
}

std::int64_t UdpSampler::moved() const
{
    std::int64_t sum = 0;
    for (const auto& stream : m_streams)
        sum += stream->counts().bytes;
    return sum;
}

} // namespace napkin
