// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/sampler.h"

#include "core/measure/os/tcpinfo.h"

#include <algorithm>

namespace napkin {

namespace {

std::optional<std::int64_t> difference(std::optional<std::int64_t> from,
                                       std::optional<std::int64_t> to)
{
    if (!from || !to || *to < *from)
        return std::nullopt;
    return *to - *from;
}

} // namespace

Sampler::Sampler(const DataStreams& streams, Duration omit)
    : m_streams(streams)
    , m_start(std::chrono::steady_clock::now())
    , m_omit(omit)
{
    for (size_t i = 0; i < streams.size(); ++i) {
        m_last.push_back(read(i));
        m_last.back().time = m_start;
    }
    m_first = m_last;
    m_alive = m_last;
}

Sampler::Reading Sampler::read(size_t i) const
{
    const DataStream& stream = *m_streams[i];
    Reading reading;
    reading.moved = stream.bytes();
    reading.time = std::chrono::steady_clock::now();
    if (stream.plan().role == StreamRole::Receives)
        return reading;
    const TcpState state = tcpState(stream.socket().fd());
    reading.retransmits = state.retransmits;
    reading.congestionWindow = state.congestionWindow;
    reading.rtt = state.rtt;
    // A kernel without the counter: what was handed over less what is still queued.
    reading.acknowledged = state.acknowledged.value_or(
        reading.moved - unacknowledged(stream.socket().fd()).value_or(reading.moved));
    return reading;
}

// What counts: read here, or acknowledged by the far end.
std::int64_t Sampler::arrived(size_t i, const Reading& reading) const
{
    return m_streams[i]->plan().role == StreamRole::Sends ? reading.acknowledged : reading.moved;
}

std::vector<ThroughputSample> Sampler::take()
{
    std::vector<Reading> now;
    now.reserve(m_streams.size());
    for (size_t i = 0; i < m_streams.size(); ++i)
        now.push_back(read(i));
    return takeUntil(now);
}

bool Sampler::look()
{
    std::vector<Reading> now;
    now.reserve(m_streams.size());
    bool moves = false;
    for (size_t i = 0; i < m_streams.size(); ++i) {
        now.push_back(read(i));
        moves = moves || arrived(i, now[i]) > arrived(i, m_alive[i]);
    }
    if (moves)
        m_alive = std::move(now);
    return moves;
}

std::vector<ThroughputSample> Sampler::takeUntilSilence()
{
    for (size_t i = 0; i < m_streams.size(); ++i) {
        if (m_alive[i].time <= m_last[i].time)
            return {};
    }
    return takeUntil(m_alive);
}

std::vector<ThroughputSample> Sampler::takeUntil(const std::vector<Reading>& now)
{
    std::vector<ThroughputSample> samples;
    samples.reserve(m_streams.size());
    for (size_t i = 0; i < m_streams.size(); ++i) {
        const DataStream::Plan& plan = m_streams[i]->plan();
        const Reading& before = m_last[i];
        ThroughputSample sample;
        sample.stream = plan.index;
        sample.direction = plan.direction;
        sample.start = before.time - m_start;
        sample.length = now[i].time - before.time;
        sample.bytes =
            ByteCount::bytes(std::max<std::int64_t>(0, arrived(i, now[i]) - arrived(i, before)));
        sample.countedBy =
            plan.role == StreamRole::Sends ? CountedBy::Acknowledged : CountedBy::Received;
        sample.retransmits = difference(before.retransmits, now[i].retransmits);
        sample.congestionWindow = now[i].congestionWindow;
        sample.rtt = now[i].rtt;
        sample.omitted = sample.start < m_omit;
        samples.push_back(sample);
    }
    m_last = now;
    return samples;
}

void Sampler::cut()
{
    m_first = m_last;
}

std::vector<Sampler::Span> Sampler::spans() const
{
    std::vector<Span> spans;
    spans.reserve(m_streams.size());
    for (size_t i = 0; i < m_streams.size(); ++i) {
        spans.push_back({m_streams[i].get(), m_last[i].moved - m_first[i].moved,
                         m_last[i].acknowledged - m_first[i].acknowledged,
                         difference(m_first[i].retransmits, m_last[i].retransmits),
                         m_first[i].time - m_start, m_last[i].time - m_start});
    }
    return spans;
}

} // namespace napkin
