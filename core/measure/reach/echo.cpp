// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/reach/echo.h"

#include "core/measure/os/icmp.h"
#include "core/measure/reach/pingprogram.h"
#include "core/results/statistics.h"

#include <QCoreApplication>

#include <poll.h>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Echo)
};

// One round of echoes over a socket.
class EchoRound
{
public:
    EchoRound(IcmpSocket& socket, const EchoOptions& options, Deadline deadline,
              const Interrupt& interrupt)
        : m_socket(socket)
        , m_options(options)
        , m_deadline(deadline)
        , m_interrupt(interrupt)
    {}

    void run(EchoReport& report);

private:
    void sendNext();
    void listenUntil(Deadline until);
    [[nodiscard]] bool isAnswered() const;

    IcmpSocket& m_socket;
    const EchoOptions& m_options;
    Deadline m_deadline;
    const Interrupt& m_interrupt;
    std::vector<SteadyTime> m_sent;
    std::vector<std::optional<Duration>> m_times;
    int m_returned = 0;
    std::optional<Error> m_fault; // the last one
};

void EchoRound::sendNext()
{
    m_sent.push_back(std::chrono::steady_clock::now());
    m_times.emplace_back();
    const auto sequence = static_cast<std::uint16_t>(m_sent.size());
    if (const auto sent = m_socket.send(sequence); !sent) {
        ++m_returned;
        m_fault = sent.error();
    }
}

bool EchoRound::isAnswered() const
{
    const auto answers = std::count_if(m_times.begin(), m_times.end(),
                                       [](const auto& time) { return time.has_value(); });
    return answers + m_returned >= m_options.count;
}

void EchoRound::listenUntil(Deadline until)
{
    while (!isAnswered()) {
        while (const auto heard = m_socket.receive()) {
            const SteadyTime now = std::chrono::steady_clock::now();
            if (heard->fault) {
                ++m_returned;
                m_fault = heard->fault;
                continue;
            }
            const size_t index = size_t{*heard->sequence} - 1; // a duplicate counts once
            if (index < m_times.size() && !m_times[index])
                m_times[index] = now - m_sent[index];
        }
        if (isAnswered() || waitReady(m_socket.fd(), POLLIN, until, m_interrupt) != Ready::Yes)
            return;
    }
}

void EchoRound::run(EchoReport& report)
{
    for (int i = 0; i < m_options.count && !m_interrupt.isCancelled(); ++i) {
        sendNext();
        const bool isLast = i + 1 == m_options.count;
        listenUntil(m_deadline.within(isLast ? m_options.patience : m_options.interval));
    }
    std::vector<Duration> times;
    for (const auto& time : m_times) {
        if (time)
            times.push_back(*time);
    }
    report.sent = static_cast<int>(m_sent.size());
    takeTimes(report, std::move(times));
    if (report.received > 0)
        return;
    if (!m_fault) {
        report.why = Words::tr("no reply to %Ln echoes; the machine may be off, or a firewall may "
                               "drop them",
                               nullptr, report.sent);
        return;
    }
    report.why = m_fault->detail;
    if (m_fault->code == ErrorCode::ConnectionRefused)
        report.outcome = ReachOutcome::Refused;
    else if (m_fault->code == ErrorCode::PermissionDenied) // the packet filter of this machine
        report.outcome = ReachOutcome::NotPermitted;
}

Result<void> echoBy(EchoMeans means, const SocketAddress& to, const LeaveBy& by,
                    const EchoOptions& options, Deadline deadline, const Interrupt& interrupt,
                    EchoReport& report)
{
    if (means == EchoMeans::SystemPing)
        return runPing(to, by, options, deadline, interrupt, report);
    const auto kind = means == EchoMeans::Raw ? IcmpSocketKind::Raw : IcmpSocketKind::Datagram;
    auto socket = IcmpSocket::open(kind, to, by);
    if (!socket)
        return tl::unexpected(socket.error());
    EchoRound(*socket, options, deadline, interrupt).run(report);
    return {};
}

} // namespace

bool isAboutTheMeans(const Error& error)
{
    return error.code == ErrorCode::PermissionDenied || error.code == ErrorCode::Unsupported ||
           error.code == ErrorCode::NotFound;
}

QString reasonOf(EchoMeans means, const Error& error)
{
    if (means == EchoMeans::Datagram && error.code == ErrorCode::PermissionDenied)
        return Words::tr("not for this user: net.ipv4.ping_group_range leaves out its group");
    if (means == EchoMeans::Raw && error.code == ErrorCode::PermissionDenied)
        return Words::tr("it needs the capability CAP_NET_RAW");
    return error.detail;
}

QString noMeansAdvice()
{
    return Words::tr("this user may send no echoes; to allow it: sudo sysctl "
                     "net.ipv4.ping_group_range=\"0 2147483647\"");
}

void takeTimes(EchoReport& report, std::vector<Duration> times)
{
    report.received = static_cast<int>(times.size());
    if (times.empty())
        return;
    report.outcome = ReachOutcome::Reachable;
    report.least = *std::min_element(times.begin(), times.end());
    report.median = quantile(std::move(times), 0.5);
}

EchoReport echo(const SocketAddress& to, const LeaveBy& by, const EchoOptions& options,
                Deadline deadline, const Interrupt& interrupt)
{
    EchoReport report;
    for (const EchoMeans means : options.means) {
        const auto done = echoBy(means, to, by, options, deadline, interrupt, report);
        if (done) {
            report.used = means;
            return report;
        }
        if (!isAboutTheMeans(done.error())) { // no way there: no other means will find one
            report.outcome = ReachOutcome::NoAnswer;
            report.why = done.error().detail.isEmpty() ? done.error().context : done.error().detail;
            return report;
        }
        report.notUsed.push_back({means, reasonOf(means, done.error())});
    }
    report.outcome = ReachOutcome::NotPermitted;
    report.why = noMeansAdvice();
    return report;
}

} // namespace napkin
