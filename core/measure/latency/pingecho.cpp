// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/latency/pingecho.h"

#include "core/measure/latency/echoio.h"
#include "core/measure/os/childprocess.h"
#include "core/measure/reach/pingprogram.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

namespace napkin::pingpong {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PingProgram)
};

constexpr qsizetype longestLine = 1'000;

QString secondsText(Duration time, int digits)
{
    return QString::number(inSeconds(time), 'f', digits);
}

QStringList argumentsFor(const SocketAddress& to, const LeaveBy& by, const PingOptions& options)
{
    const std::int64_t count = std::max<std::int64_t>(1, options.duration / options.interval);
    QStringList words{QStringLiteral("-n"), QStringLiteral("-D"),
                      QStringLiteral("-c"), QString::number(std::min(count, mostRoundTrips)),
                      QStringLiteral("-i"), secondsText(options.interval, 6),
                      QStringLiteral("-s"), QString::number(options.payload),
                      QStringLiteral("-W"), secondsText(options.timeout, 3)};
    if (!by.interfaceName.isEmpty())
        words += {QStringLiteral("-I"), by.interfaceName};
    else if (by.source)
        words += {QStringLiteral("-I"), by.source->text()};
    return words << to.text();
}

// One run of the program.
class PingRun
{
public:
    PingRun(const PingOptions& options, EchoLedger& ledger,
            const std::function<bool(Duration)>& tell)
        : m_options(options)
        , m_ledger(ledger)
        , m_tell(tell)
    {}

    [[nodiscard]] Result<void> run(const SocketAddress& to, const LeaveBy& by,
                                   const Interrupt& interrupt);
    [[nodiscard]] const PingReader& reader() const { return m_reader; }

private:
    GoOn take(QByteArrayView piece);
    void note(const PingReader::Reply& reply);
    void fillUpTo(std::int64_t count);
    [[nodiscard]] Result<void> whyNothing(int exitCode) const;

    const PingOptions& m_options;
    EchoLedger& m_ledger;
    const std::function<bool(Duration)>& m_tell;
    PingReader m_reader;
    std::optional<double> m_first; // the wall clock's time of the first message
};

// Those that ping sent and said nothing of.
void PingRun::fillUpTo(std::int64_t count)
{
    while (m_ledger.sent() < std::min(count, mostRoundTrips))
        m_ledger.noteSent(m_ledger.sent() == 0 ? Duration(0)
                                               : m_ledger.lastStart() + m_options.interval);
}

void PingRun::note(const PingReader::Reply& reply)
{
    const double sentAt = reply.stamp - inSeconds(reply.time);
    if (!m_first)
        m_first = sentAt - inSeconds(m_options.interval) * static_cast<double>(reply.number);
    fillUpTo(reply.number);
    if (reply.number == m_ledger.sent()) {
        const Duration start(std::llround((sentAt - *m_first) * 1e9));
        m_ledger.noteSent(std::max(start, m_ledger.lastStart()));
    }
    m_ledger.noteAnswer(reply.number, reply.time);
}

GoOn PingRun::take(QByteArrayView piece)
{
    Duration elapsed{};
    for (const PingReader::Reply& reply : m_reader.feed(piece)) {
        note(reply);
        elapsed = std::max(elapsed, m_ledger.lastStart());
    }
    m_ledger.expire(elapsed);
    return m_tell(m_ledger.lastStart()) ? GoOn::Yes : GoOn::No;
}

Result<void> PingRun::whyNothing(int exitCode) const
{
    const QString& complaint = m_reader.complaint();
    if (isAboutPermission(complaint))
        return fail(ErrorCode::PermissionDenied, {}, complaint);
    if (complaint.contains(QLatin1StringView("unreachable"), Qt::CaseInsensitive))
        return fail(ErrorCode::HostUnreachable, {}, complaint);
    if (!m_reader.transmitted() && exitCode >= 0) // it did not understand what was asked
        return fail(ErrorCode::Unsupported, {}, complaint);
    return {};
}

Result<void> PingRun::run(const SocketAddress& to, const LeaveBy& by, const Interrupt& interrupt)
{
    // Silent for longer than this, and it is not waited for: nothing more will come.
    const Duration spare = m_options.timeout + 2s;
    const Deadline deadline(std::min<Duration>(m_options.duration + spare, 48h));
    const auto ended = followChild(m_options.program, argumentsFor(to, by, m_options), deadline,
                                   interrupt, [this](QByteArrayView piece) { return take(piece); });
    if (!ended) {
        Error error = ended.error();
        if (error.code == ErrorCode::NotFound)
            error.detail = Words::tr("it is not installed");
        return tl::unexpected(error);
    }
    if (m_ledger.answered() == 0) {
        if (auto why = whyNothing(ended->exitCode); !why)
            return why;
    }
    fillUpTo(m_reader.transmitted().value_or(0));
    m_ledger.expire(Duration::max());
    return {};
}

} // namespace

std::optional<PingReader::Reply> PingReader::read(const QByteArray& line)
{
    static const QRegularExpression pattern(QStringLiteral(
        R"(^\[(\d{1,12}\.\d{1,9})\] .*icmp_seq[=:]\s*(\d{1,5})\b.*\btime[=<]\s*(\d{1,9}(?:\.\d{1,9})?) ms)"));
    static const QRegularExpression sum(QStringLiteral(R"(^(\d{1,7}) packets transmitted)"));
    static const QRegularExpression least(QStringLiteral(R"(interval.*\b(\d{1,4})\s*ms)"));
    const QString text = QString::fromUtf8(line).trimmed();
    if (const auto match = pattern.match(text); match.hasMatch()) {
        const int shown = match.captured(2).toInt(); // 16 bits of it, and it begins with 1
        const std::int64_t ahead = static_cast<std::int16_t>(shown - (m_latest & 0xffff));
        const std::int64_t number = m_latest + ahead;
        if (number < 1)
            return std::nullopt;
        m_latest = std::max(m_latest, number);
        return Reply{number - 1, match.captured(1).toDouble(),
                     Duration(std::llround(match.captured(3).toDouble() * 1e6))};
    }
    if (const auto match = sum.match(text); match.hasMatch()) {
        m_transmitted = match.captured(1).toLongLong();
        return std::nullopt;
    }
    if (const auto match = least.match(text); match.hasMatch())
        m_leastInterval = std::chrono::milliseconds(match.captured(1).toInt());
    const bool isReport = text.startsWith(QLatin1StringView("PING ")) ||
                          text.startsWith(QLatin1StringView("---")) ||
                          text.startsWith(QLatin1StringView("rtt "));
    constexpr qsizetype longestComplaint = 200;
    if (!text.isEmpty() && !isReport && !m_transmitted)
        m_complaint = text.left(longestComplaint);
    return std::nullopt;
}

std::vector<PingReader::Reply> PingReader::feed(QByteArrayView piece)
{
    std::vector<Reply> replies;
    m_rest += piece;
    qsizetype end = 0;
    while ((end = m_rest.indexOf('\n')) >= 0) {
        if (const auto reply = read(m_rest.first(end)))
            replies.push_back(*reply);
        m_rest.remove(0, end + 1);
    }
    if (m_rest.size() > longestLine)
        m_rest.clear();
    return replies;
}

Result<void> echoByPing(const SocketAddress& to, const LeaveBy& by, const PingOptions& options,
                        EchoLedger& ledger, const Interrupt& interrupt,
                        const std::function<bool(Duration elapsed)>& tell)
{
    PingRun first(options, ledger, tell);
    const Result<void> outcome = first.run(to, by, interrupt);
    const auto least = first.reader().leastInterval();
    if (outcome || !least || *least <= options.interval)
        return outcome;
    PingOptions slower = options; // older ones allow users 200 ms at least
    slower.interval = *least;
    return PingRun(slower, ledger, tell).run(to, by, interrupt);
}

} // namespace napkin::pingpong
