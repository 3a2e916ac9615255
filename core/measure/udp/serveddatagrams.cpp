// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/udp/serveddatagrams.h"

#include "core/measure/udp/udpsocket.h"
#include "core/measure/udp/udptotals.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Server)
};

} // namespace

ServedDatagrams::ServedDatagrams(const iperf3::Parameters& parameters)
    : m_parameters(parameters)
    , m_wire{parameters.blockSize, parameters.bandwidth, parameters.longNumbers}
    , m_wanted(parameters.flow == Flow::Bidirectional ? 2 * parameters.streams : parameters.streams)
    , m_block(randomBlock(parameters.blockSize))
{}

Result<void> ServedDatagrams::listen(const Socket& control)
{
    const auto local = localAddress(control);
    const auto client = peerAddress(control);
    if (!local || !client)
        return fail(ErrorCode::ConnectionLost);
    m_local = iperf3::unmapped(*local);
    m_client = iperf3::unmapped(*client);
    Result<Socket> listener = iperf3::listenUdp(m_local);
    if (!listener)
        return tl::unexpected(listener.error());
    m_listener.emplace(std::move(*listener));
    return {};
}

Result<void> ServedDatagrams::gather(const Socket& control, const Interrupt& stop)
{
    Deadline deadline(iperf3::silenceLimit);
    while (static_cast<int>(m_streams.size()) < m_wanted) {
        constexpr int slice = 100; // to answer those who ask again
        std::array<pollfd, 3> polled{pollfd{m_listener->fd(), POLLIN, 0},
                                     pollfd{control.fd(), POLLIN, 0}, pollfd{stop.fd(), POLLIN, 0}};
        ::poll(polled.data(), polled.size(), slice);
        if (stop.isCancelled())
            return fail(ErrorCode::Cancelled);
        if (polled[0].revents != 0) {
            const Result<bool> taken = takeStream();
            if (!taken)
                return tl::unexpected(taken.error());
            if (*taken)
                deadline = Deadline(iperf3::silenceLimit);
        }
        if (polled[0].revents == 0 && polled[1].revents != 0)
            return fail(ErrorCode::NotFound);
        if (deadline.hasPassed()) // whatever strangers send
            return fail(ErrorCode::PeerSilent, {},
                        Words::tr("TCP gets through, but no datagram came to UDP port %1")
                            .arg(m_local.port()));
        for (const auto& stream : m_streams)
            iperf3::answerAgain(stream->socket());
    }
    m_listener.reset();
    return {};
}

// The listener becomes the stream's socket, and a new one takes its place before the client is
// answered, since its next stream follows at once.
Result<bool> ServedDatagrams::takeStream()
{
    if (!iperf3::takeHello(*m_listener, m_client))
        return false;
    Socket socket = std::move(*m_listener);
    m_listener.reset();
    const int number = static_cast<int>(m_streams.size());
    if (number + 1 < m_wanted) {
        Result<Socket> listener = iperf3::listenUdp(m_local);
        if (!listener)
            return tl::unexpected(listener.error());
        m_listener.emplace(std::move(*listener));
    }
    m_streams.push_back(
        std::make_unique<UdpStream>(std::move(socket), servedPlan(m_parameters, number), m_wire));
    iperf3::answerHello(m_streams.back()->socket());
    return true;
}

void ServedDatagrams::start()
{
    m_sampler.emplace(m_streams, std::chrono::seconds(m_parameters.omitSeconds));
    for (const auto& stream : m_streams)
        stream->start(m_block);
    restartArrivals();
}

void ServedDatagrams::restartArrivals()
{
    const UdpSampler::Arrived now = m_sampler->arrived();
    m_arrivals.restart(now.at, now.packets, now.bytes);
}

void ServedDatagrams::look()
{
    const UdpSampler::Arrived now = m_sampler->arrived();
    m_arrivals.look(now.at, now.packets, now.bytes);
}

void ServedDatagrams::cut()
{
    (void)m_sampler->take();
    m_sampler->cut();
    restartArrivals();
}

std::int64_t ServedDatagrams::moved() const
{
    return m_sampler ? m_sampler->moved() : 0;
}

// What the client sent last is still under way; not for long.
void ServedDatagrams::awaitQuiet()
{
    constexpr auto quiet = 20ms;
    const Deadline limit(200ms);
    std::int64_t before = -1;
    while (!limit.hasPassed() && m_sampler->moved() != before) {
        before = m_sampler->moved();
        std::this_thread::sleep_for(quiet);
    }
}

iperf3::Results ServedDatagrams::conclude()
{
    for (const auto& stream : m_streams)
        stream->finish();
    // A sender that is held up is counted as far as it came.
    (void)awaitSenders(m_streams, 200ms);
    (void)m_sampler->take();
    if (receives())
        awaitQuiet();
    m_sampler->settle();
    iperf3::Results results;
    if (m_parameters.flow != Flow::Forward)
        results.senderHasRetransmits = false;
    results.bufferDrops = m_sampler->bufferDrops();
    // Only our own client knows what to make of it.
    if (receives() && m_parameters.clientVersion.startsWith(QLatin1StringView("napkin ")))
        results.arrivals = m_arrivals.windows();
    for (const UdpSampler::Span& span : m_sampler->spans()) {
        addRate(span.stream->plan().role, span.last.bytes - span.first.bytes, span.to - span.from);
        results.streams.push_back(streamResult(span));
    }
    m_sampler.reset();
    m_streams.clear();
    return results;
}

} // namespace napkin
