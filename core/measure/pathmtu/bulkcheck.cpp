// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/bulkcheck.h"

#include "core/measure/os/tcpinfo.h"
#include "core/measure/pathmtu/mtumessage.h"
#include "core/measure/throughput/controlconnection.h"
#include "core/measure/throughput/throughputrun.h"
#include "core/measure/throughput/ticketproof.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using Outcome = BulkTransfer::Outcome;

constexpr auto bulkSize = ByteCount::bytes(2'000'000);
constexpr auto connectPatience = 4s;
constexpr size_t chunkSize = 16 * 1024;

// Bytes so far, and since when there have been no more.
class Movement
{
public:
    Movement(ByteCount asked, std::chrono::milliseconds stall, Deadline limit)
        : m_stall(stall)
        , m_limit(limit)
    {
        m_transfer.asked = asked;
    }

    void reach(std::int64_t bytes)
    {
        if (bytes <= m_transfer.arrived.bytes())
            return;
        m_transfer.arrived = ByteCount::bytes(bytes);
        m_lastMoved = std::chrono::steady_clock::now();
    }
    // Once it is over.
    [[nodiscard]] std::optional<BulkTransfer> outcome()
    {
        const auto now = std::chrono::steady_clock::now();
        const bool isDone = m_transfer.arrived >= m_transfer.asked;
        const bool isStalled = now - m_lastMoved >= m_stall;
        if (!isDone && !isStalled && !m_limit.hasPassed())
            return std::nullopt;
        m_transfer.time = (isDone ? m_lastMoved : now) - m_begin;
        m_transfer.outcome = isDone || !isStalled ? Outcome::Finished : Outcome::Stalled;
        if (m_transfer.outcome == Outcome::Finished)
            m_transfer.asked = m_transfer.arrived;
        return m_transfer;
    }
    [[nodiscard]] Deadline nextLook() const { return m_limit.within(50ms); }

private:
    BulkTransfer m_transfer;
    std::chrono::milliseconds m_stall;
    Deadline m_limit;
    SteadyTime m_begin = std::chrono::steady_clock::now();
    SteadyTime m_lastMoved = m_begin;
};

// Closed with a reset: what is stuck is not tried for minutes.
void abandon(const Socket& socket)
{
    const linger atOnce{1, 0};
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
}

tl::unexpected<Error> lost(int error)
{
    return fail(ErrorCode::ConnectionLost, {}, textOfErrno(error));
}

// A stock server takes a moment to be free again after a run.
Result<ProbeResult> runOnceFree(const ProbeSpec& spec, const Route& route, ServerSeen seen,
                                const CancelToken& cancel)
{
    const auto isPassing = [seen](ErrorCode code) {
        return code == ErrorCode::PeerBusy ||
               (seen == ServerSeen::JustServed && code == ErrorCode::ConnectionRefused);
    };
    const Deadline patience(3s);
    const Interrupt interrupt(cancel);
    while (true) {
        ThroughputRun run(spec, route, cancel, [](const Progress&) {});
        run.limitTo(bulkSize);
        auto ran = run.run();
        if (ran || !isPassing(ran.error().code) || patience.hasPassed())
            return ran;
        if (waitReady(-1, 0, Deadline(300ms), interrupt) == Ready::Interrupted)
            return fail(ErrorCode::Cancelled, route.peer);
    }
}

void notMade(BulkTransfer& transfer, const Error& why)
{
    transfer.outcome = Outcome::NotMade;
    transfer.whyNot = why.code;
    transfer.whyNotDetail = why.detail;
}

ByteCount receivedIn(const ThroughputData& data)
{
    ByteCount sum;
    for (const StreamTotal& total : data.totals)
        sum += total.received;
    if (!data.totals.empty())
        return sum;
    for (const ThroughputSample& sample : data.samples)
        sum += sample.bytes;
    return sum;
}

} // namespace

Result<BulkTransfer> sendBulk(const Socket& socket, ByteCount asked,
                              std::chrono::milliseconds stall, Deadline limit,
                              const Interrupt& interrupt)
{
    static constexpr std::array<char, chunkSize> chunk{};
    Movement progress(asked, stall, limit);
    std::int64_t handed = 0;
    while (true) {
        bool isFull = false;
        while (handed < asked.bytes() && !isFull) {
            const auto wanted = std::min<std::int64_t>(chunkSize, asked.bytes() - handed);
            const ssize_t sent = ::send(socket.fd(), chunk.data(), static_cast<size_t>(wanted),
                                        MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && errno != EAGAIN && errno != EINTR)
                return lost(errno);
            isFull = sent < 0 && errno == EAGAIN;
            handed += std::max<ssize_t>(sent, 0);
        }
        const auto waiting = unacknowledged(socket.fd());
        if (!waiting)
            return lost(ENOTCONN);
        progress.reach(handed - *waiting);
        if (auto over = progress.outcome())
            return *over;
        const short events = handed < asked.bytes() ? POLLOUT : short{0};
        const Ready ready = waitReady(socket.fd(), events, progress.nextLook(), interrupt);
        if (ready == Ready::Interrupted)
            return fail(ErrorCode::Cancelled);
        if (ready == Ready::Yes && events == 0) // only a fault wakes then
            return lost(ECONNRESET);
    }
}

Result<BulkTransfer> receiveBulk(const Socket& socket, ByteCount asked,
                                 std::chrono::milliseconds stall, Deadline limit,
                                 const Interrupt& interrupt)
{
    std::array<char, chunkSize> chunk{};
    Movement progress(asked, stall, limit);
    std::int64_t received = 0;
    while (true) {
        progress.reach(received);
        if (auto over = progress.outcome())
            return *over;
        const ssize_t got = ::recv(socket.fd(), chunk.data(), chunk.size(), MSG_DONTWAIT);
        if (got > 0) {
            received += got;
            continue;
        }
        if (got == 0)
            return lost(ECONNRESET);
        if (errno != EAGAIN && errno != EINTR)
            return lost(errno);
        if (waitReady(socket.fd(), POLLIN, progress.nextLook(), interrupt) == Ready::Interrupted)
            return fail(ErrorCode::Cancelled);
    }
}

Result<BulkTransfer> bulkWithPeer(const SocketAddress& to, const Route& route,
                                  const DataTicket& ticket, Direction direction,
                                  const Interrupt& interrupt)
{
    BulkTransfer none;
    none.direction = direction;
    none.asked = bulkSize;
    const auto begin = std::chrono::steady_clock::now();
    Result<Socket> socket = connectTcp(to, route.by, Deadline(connectPatience), interrupt);
    if (!socket && socket.error().code == ErrorCode::TimedOut) {
        none.outcome = Outcome::NotConnected;
        none.time = std::chrono::steady_clock::now() - begin;
        return none;
    }
    if (!socket)
        return fail(socket.error().code, route.peer, socket.error().detail);
    abandon(*socket);
    iperf3::ControlConnection connection(std::move(*socket), route.peer, Deadline(bulkStall),
                                         interrupt);
    const auto proved =
        connection.send(ticket.cookie())
            .and_then([&] { return proveToFarEnd(connection, ticket); })
            .and_then([&] {
                return connection.send(pathmtu::encode(pathmtu::Bulk{direction, bulkSize.bytes()}));
            });
    if (!proved && proved.error().code == ErrorCode::PeerSilent) {
        none.outcome = Outcome::Stalled; // the handshake passed, the first small messages did not
        none.time = std::chrono::steady_clock::now() - begin;
        return none;
    }
    if (!proved)
        return tl::unexpected(proved.error());
    const auto move = direction == Direction::Forward ? sendBulk : receiveBulk;
    Result<BulkTransfer> moved =
        move(connection.socket(), bulkSize, bulkStall, Deadline(bulkLimit), interrupt);
    if (!moved)
        return fail(moved.error().code, route.peer, moved.error().detail);
    moved->direction = direction;
    return moved;
}

Result<BulkTransfer> bulkWithIperf3(const ProbeSpec& spec, const Route& route, Direction direction,
                                    ServerSeen seen, const CancelToken& cancel)
{
    ThroughputOptions options;
    options.flow = direction == Direction::Forward ? Flow::Forward : Flow::Reverse;
    options.duration = 1s;
    ProbeSpec bulk = spec;
    bulk.options = options;
    BulkTransfer transfer;
    transfer.direction = direction;
    transfer.asked = bulkSize;
    const auto begin = std::chrono::steady_clock::now();
    const Result<ProbeResult> ran = runOnceFree(bulk, route, seen, cancel);
    transfer.time = std::chrono::steady_clock::now() - begin;
    if (ran) {
        if (ran->fault && ran->fault->isCancelled())
            return tl::unexpected(*ran->fault);
        transfer.arrived = receivedIn(std::get<ThroughputData>(ran->data));
        transfer.asked = std::max(transfer.asked, transfer.arrived);
        if (ran->completion == Completion::Complete)
            transfer.asked = transfer.arrived;
        else if (ran->fault && ran->fault->code == ErrorCode::PeerSilent)
            transfer.outcome = Outcome::Stalled;
        else
            notMade(transfer, ran->fault.value_or(Error{}));
        return transfer;
    }
    switch (ran.error().code) {
    case ErrorCode::NothingMeasured:
        transfer.outcome = Outcome::Stalled;
        return transfer;
    case ErrorCode::TimedOut:
    case ErrorCode::HostUnreachable:
        transfer.outcome = Outcome::NotConnected;
        return transfer;
    case ErrorCode::Cancelled:
        return tl::unexpected(ran.error());
    default:
        notMade(transfer, ran.error());
        return transfer;
    }
}

} // namespace napkin
