// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/servedtraffic.h"

#include "core/measure/throughput/streamtotals.h"

#include <algorithm>
#include <utility>

namespace napkin {

StreamPlan servedPlan(const iperf3::Parameters& parameters, int number)
{
    const bool receives = parameters.flow == Flow::Forward ||
                          (parameters.flow == Flow::Bidirectional && number < parameters.streams);
    StreamPlan plan;
    plan.id = iperf3::streamId(number);
    plan.index = number % parameters.streams;
    plan.direction = receives ? Direction::Forward : Direction::Reverse;
    plan.role = receives ? StreamRole::Receives : StreamRole::Sends;
    if (parameters.omitSeconds == 0) // what is left out does not count
        plan.most = parameters.byteLimit;
    return plan;
}

void ServedTraffic::addRate(StreamRole role, std::int64_t bytes, Duration time)
{
    std::optional<BitRate>& rate = role == StreamRole::Receives ? m_received : m_sent;
    std::int64_t more = 0;
    if (time > Duration(0))
        more =
            BitRate::of(ByteCount::bytes(std::max<std::int64_t>(0, bytes)), time).bitsPerSecond();
    rate = BitRate::bitsPerSecond(rate.value_or(BitRate()).bitsPerSecond() + more);
}

ServedConnections::ServedConnections(const iperf3::Parameters& parameters)
    : m_parameters(parameters)
    , m_block(randomBlock(parameters.blockSize))
{}

void ServedConnections::add(Socket socket)
{
    tune(socket);
    m_streams.push_back(
        std::make_unique<DataStream>(std::move(socket), servedPlan(m_parameters, count())));
}

// What the client wishes for the connections. A wish that the kernel does not grant is no fault:
// the results name the congestion control that was in use.
void ServedConnections::tune(const Socket& socket) const
{
    if (m_parameters.noDelay)
        setNoDelay(socket);
    if (m_parameters.window > 0)
        setBufferSizes(socket, m_parameters.window);
    if (m_parameters.bandwidth > 0)
        setPacingRate(socket, std::max<std::uint64_t>(1, m_parameters.bandwidth / 8));
    if (!m_parameters.congestion.isEmpty())
        (void)setCongestionControl(socket, m_parameters.congestion);
}

void ServedConnections::start()
{
    m_sampler.emplace(m_streams, std::chrono::seconds(m_parameters.omitSeconds));
    for (const auto& stream : m_streams)
        stream->start(m_block);
}

void ServedConnections::cut()
{
    (void)m_sampler->take();
    m_sampler->cut();
}

std::int64_t ServedConnections::moved() const
{
    std::int64_t sum = 0;
    for (const auto& stream : m_streams)
        sum += stream->bytes();
    return sum;
}

iperf3::Results ServedConnections::conclude()
{
    (void)m_sampler->take();
    iperf3::Results results;
    if (m_parameters.flow != Flow::Forward)
        results.senderHasRetransmits = true;
    results.congestionUsed = congestionControl(m_streams.front()->socket());
    for (const Sampler::Span& span : m_sampler->spans()) {
        const StreamRole role = span.stream->plan().role;
        addRate(role, role == StreamRole::Receives ? span.moved : span.acknowledged,
                span.to - span.from);
        results.streams.push_back(streamResult(span));
    }
    m_sampler.reset();
    m_streams.clear();
    return results;
}

} // namespace napkin
