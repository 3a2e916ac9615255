// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/soak/soakpipe.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include <cerrno>
#include <mutex>
#include <thread>

namespace napkin::soak {

namespace {

using namespace std::chrono_literals;

constexpr auto reportEvery = 1s;
constexpr std::size_t mostWaiting = 1'000; // reports and events that nobody took

Direction opposite(Direction direction)
{
    return direction == Direction::Forward ? Direction::Reverse : Direction::Forward;
}

SoakEvent::Cause causeOf(int error)
{
    switch (error) {
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
        return SoakEvent::Cause::Reset;
    case ETIMEDOUT:
        return SoakEvent::Cause::Silent;
    default:
        return SoakEvent::Cause::Other;
    }
}

// Spreads bytes over time so that the mean is a rate.
class Brake
{
public:
    explicit Brake(BitRate rate)
        : m_bytesPerSecond(static_cast<double>(rate.bitsPerSecond()) / 8)
    {}
    [[nodiscard]] bool isOn() const { return m_bytesPerSecond > 0; }
    // At once at most: a hundredth of a second's.
    [[nodiscard]] std::size_t portion() const
    {
        return std::max<std::size_t>(1'448, static_cast<std::size_t>(m_bytesPerSecond / 100));
    }
    [[nodiscard]] Deadline next() const { return Deadline(m_due); }
    void took(std::size_t bytes)
    {
        constexpr auto catchUp = 100ms;
        m_due = std::max(m_due, std::chrono::steady_clock::now() - catchUp);
        m_due += std::chrono::nanoseconds(
            static_cast<std::int64_t>(1e9 * static_cast<double>(bytes) / m_bytesPerSecond));
    }

private:
    double m_bytesPerSecond;
    SteadyTime m_due = std::chrono::steady_clock::now();
};

} // namespace

class Pipe::Private
{
public:
    Private(Socket socket, PipeOptions options, SteadyTime began);
    ~Private();
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;
    Private(Private&&) = delete;
    Private& operator=(Private&&) = delete;

    [[nodiscard]] PipeView look();
    [[nodiscard]] Tally tally();
    void finish()
    {
        m_isFinishing = true;
        m_wakeSender.raise();
    }

private:
    void send();
    void receive();
    [[nodiscard]] bool sendBlock();
    [[nodiscard]] bool sendReport();
    [[nodiscard]] bool sendEnd();
    [[nodiscard]] bool sendAll(std::span<const unsigned char> bytes, Brake* brake);
    [[nodiscard]] bool waitToSend(const Brake* brake) const;
    [[nodiscard]] bool take(Checker::Frame frame);
    void ended(SoakEvent::Cause cause, const QString& detail = {});
    [[nodiscard]] Report makeReport();
    [[nodiscard]] Tally tallyLocked() const;
    [[nodiscard]] Duration now() const { return std::chrono::steady_clock::now() - m_began; }

    PipeOptions m_options;
    SteadyTime m_began;
    Socket m_socket;
    CancelSource m_stop;
    Interrupt m_interrupt{m_stop.get_token()};
    Interrupt m_wakeSender{m_stop.get_token()};
    Brake m_brake;
    std::atomic<bool> m_isFinishing{false};
    std::atomic<std::int64_t> m_heard{0};
    std::atomic<std::int64_t> m_handed{0};
    // Of the sending thread.
    std::vector<unsigned char> m_frame;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_reports = 0;
    SteadyTime m_nextReport;
    // Of both and of who looks.
    std::mutex m_mutex;
    Checker m_checker; // the receiving thread's, but for what the mutex guards
    Counts m_counts;
    Tally m_tally; // without m_counts and retransmissions
    std::vector<SoakEvent> m_events;
    std::vector<Report> m_received;
    bool m_isEnded = false;
    std::optional<PipeEnd> m_end;
    std::jthread m_sender;
    std::jthread m_receiver;
};

Pipe::Private::Private(Socket socket, PipeOptions options, SteadyTime began)
    : m_options(std::move(options))
    , m_began(began)
    , m_socket(std::move(socket))
    , m_brake(m_options.rateCap)
    , m_frame(headerSize + m_options.blockSize)
    , m_nextReport(began + reportEvery)
    , m_checker({m_options.seed, opposite(m_options.sends), m_options.connection, 0},
                m_options.blockSize)
    , m_tally(m_options.before)
    , m_sender([this] { send(); })
    , m_receiver([this] { receive(); })
{}

Pipe::Private::~Private()
{
    m_stop.request_stop();
    const std::lock_guard lock(m_mutex);
    const linger atOnce{1, 0}; // what is stuck is not tried for minutes
    if (!m_isEnded)
        ::setsockopt(m_socket.fd(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
}

void Pipe::Private::ended(SoakEvent::Cause cause, const QString& detail)
{
    const std::lock_guard lock(m_mutex);
    if (!m_end)
        m_end = PipeEnd{cause, detail};
}

void Pipe::Private::send()
{
    while (!m_stop.stop_requested()) {
        if (m_options.sendsReports && std::chrono::steady_clock::now() >= m_nextReport) {
            m_nextReport = std::chrono::steady_clock::now() + reportEvery;
            if (!sendReport())
                return;
        }
        if (m_isFinishing) {
            [[maybe_unused]] const bool isSent =
                (!m_options.sendsReports || sendReport()) && sendEnd();
            return;
        }
        if (!m_options.sendsBlocks) {
            const Deadline next =
                m_options.sendsReports ? Deadline(m_nextReport) : Deadline(Duration(1h));
            if (waitReady(-1, 0, next, m_wakeSender) == Ready::Interrupted && !m_isFinishing)
                return;
        } else if (!sendBlock()) {
            return;
        }
    }
}

bool Pipe::Private::sendBlock()
{
    const auto payload = std::span(m_frame).subspan(headerSize);
    fillPayload({m_options.seed, m_options.sends, m_options.connection, m_sequence}, payload);
    const HeaderBytes header =
        encode(Header{FrameKind::Block, m_options.connection, m_sequence,
                      static_cast<std::uint32_t>(payload.size()), checkOf(payload)});
    std::ranges::copy(header, m_frame.begin());
    ++m_sequence;
    return sendAll(m_frame, m_brake.isOn() ? &m_brake : nullptr);
}

bool Pipe::Private::sendReport()
{
    const QByteArray payload = encode(makeReport());
    const auto bytes =
        std::span(reinterpret_cast<const unsigned char*>(payload.constData()), reportSize);
    const HeaderBytes header =
        encode(Header{FrameKind::Report, m_options.connection, m_reports++,
                      static_cast<std::uint32_t>(reportSize), checkOf(bytes)});
    std::vector<unsigned char> frame(header.begin(), header.end());
    frame.insert(frame.end(), bytes.begin(), bytes.end());
    return sendAll(frame, nullptr);
}

bool Pipe::Private::sendEnd()
{
    const HeaderBytes header =
        encode(Header{FrameKind::End, m_options.connection, m_sequence, 0, 0});
    return sendAll(header, nullptr);
}

bool Pipe::Private::waitToSend(const Brake* brake) const
{
    if (brake == nullptr)
        return true;
    return waitReady(-1, 0, brake->next(), m_interrupt) != Ready::Interrupted;
}

bool Pipe::Private::sendAll(std::span<const unsigned char> bytes, Brake* brake)
{
    while (!bytes.empty()) {
        if (!waitToSend(brake))
            return false;
        const auto portion = brake ? bytes.first(std::min(bytes.size(), brake->portion())) : bytes;
        const ssize_t sent =
            ::send(m_socket.fd(), portion.data(), portion.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            const auto count = static_cast<std::size_t>(sent);
            m_handed += sent;
            bytes = bytes.subspan(count);
            if (brake)
                brake->took(count);
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN) {
            ended(causeOf(errno), textOfErrno(errno));
            return false;
        }
        if (waitReady(m_socket.fd(), POLLOUT, Deadline(1s), m_interrupt) == Ready::Interrupted)
            return false;
    }
    return true;
}

void Pipe::Private::receive()
{
    while (!m_stop.stop_requested()) {
        const auto room = m_checker.room();
        const ssize_t got = ::recv(m_socket.fd(), room.data(), room.size(), MSG_DONTWAIT);
        if (got > 0) {
            m_heard += got;
            if (!take(m_checker.took(static_cast<std::size_t>(got), now())))
                return;
            continue;
        }
        if (got == 0)
            return ended(SoakEvent::Cause::Closed);
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN)
            return ended(causeOf(errno), textOfErrno(errno));
        if (waitReady(m_socket.fd(), POLLIN, Deadline(1s), m_interrupt) == Ready::Interrupted)
            return;
    }
}

// False when there is no way on.
bool Pipe::Private::take(Checker::Frame frame)
{
    if (frame == Checker::Frame::None)
        return true;
    if (frame == Checker::Frame::End && m_options.sendsReports)
        finish();
    const std::lock_guard lock(m_mutex);
    m_counts = m_checker.counts();
    for (SoakEvent& event : m_checker.takeEvents()) {
        ++m_tally.events;
        m_tally.newest.push_back(event);
        if (m_tally.newest.size() > mostToldEvents)
            m_tally.newest.pop_front();
        if (m_events.size() < mostWaiting)
            m_events.push_back(event);
    }
    if (frame == Checker::Frame::Report && m_received.size() < mostWaiting)
        m_received.push_back(m_checker.report());
    if (frame == Checker::Frame::End)
        m_isEnded = true;
    if (frame == Checker::Frame::Broken && !m_end)
        m_end = PipeEnd{SoakEvent::Cause::Framing, {}};
    return frame != Checker::Frame::Broken;
}

Report Pipe::Private::makeReport()
{
    const TcpState tcp = tcpState(m_socket.fd());
    const std::lock_guard lock(m_mutex);
    const Tally tally = tallyLocked();
    Report report;
    report.instance = tally.instance;
    report.time = now();
    report.receivedHere = m_checker.received();
    report.counts = tally.counts;
    report.retransmits = tally.retransmits;
    report.rtt = tcp.rtt;
    report.events = tally.events;
    report.newest.assign(tally.newest.begin(), tally.newest.end());
    return report;
}

Tally Pipe::Private::tallyLocked() const
{
    Tally tally = m_tally;
    Counts& sum = tally.counts;
    sum.received += m_checker.received();
    sum.checked += m_counts.checked;
    sum.blocks += m_counts.blocks;
    sum.corrupted += m_counts.corrupted;
    sum.lost += m_counts.lost;
    sum.duplicated += m_counts.duplicated;
    if (const auto here = tcpState(m_socket.fd()).retransmits)
        tally.retransmits = tally.retransmits.value_or(0) + *here;
    return tally;
}

Tally Pipe::Private::tally()
{
    const std::lock_guard lock(m_mutex);
    return tallyLocked();
}

PipeView Pipe::Private::look()
{
    PipeView view;
    view.tcp = tcpState(m_socket.fd());
    view.heard = m_heard;
    view.handed = m_handed;
    const std::lock_guard lock(m_mutex);
    view.counts = m_counts;
    view.counts.received = m_checker.received();
    view.events = std::exchange(m_events, {});
    view.reports = std::exchange(m_received, {});
    view.isEnded = m_isEnded;
    view.end = m_end;
    return view;
}

Pipe::Pipe(Socket socket, PipeOptions options)
{
    // Little waits unsent before the socket, so that a report soon gets its turn.
    const int unsent = 512 * 1024;
    ::setsockopt(socket.fd(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    setNoDelay(socket);
    m_d = std::make_unique<Private>(std::move(socket), std::move(options), m_began);
}

Pipe::~Pipe() = default;

PipeView Pipe::look()
{
    return m_d->look();
}

Tally Pipe::tally()
{
    return m_d->tally();
}

void Pipe::finish()
{
    m_d->finish();
}

} // namespace napkin::soak
