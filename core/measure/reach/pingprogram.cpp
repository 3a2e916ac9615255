// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/reach/pingprogram.h"

#include "core/measure/os/childprocess.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PingProgram)
};

QStringList argumentsFor(const SocketAddress& to, const LeaveBy& by, const EchoOptions& options)
{
    const auto patience = std::max(1s, std::chrono::floor<std::chrono::seconds>(options.patience));
    QStringList words{QStringLiteral("-n"),
                      QStringLiteral("-c"),
                      QString::number(options.count),
                      QStringLiteral("-i"),
                      QString::number(static_cast<double>(options.interval.count()) / 1000, 'f', 1),
                      QStringLiteral("-W"),
                      QString::number(patience.count())};
    if (!by.interfaceName.isEmpty())
        words += {QStringLiteral("-I"), by.interfaceName};
    else if (by.source)
        words += {QStringLiteral("-I"), by.source->text()};
    return words << to.text();
}

// The line that says most of why nothing came: the last one that is no statistics.
QString reasonIn(const QByteArray& output)
{
    QString reason;
    for (const QByteArray& raw : output.split('\n')) {
        const QString line = QString::fromUtf8(raw).trimmed();
        if (line.startsWith(QLatin1StringView("---")))
            break;
        if (!line.isEmpty() && !line.startsWith(QLatin1StringView("PING ")))
            reason = line;
    }
    constexpr qsizetype longest = 200;
    return reason.left(longest);
}

// From "5 packets transmitted, 4 received".
std::optional<int> sentIn(const QByteArray& output)
{
    static const QRegularExpression line(QStringLiteral(R"((\d{1,6}) packets transmitted)"));
    const QRegularExpressionMatch match = line.match(QString::fromUtf8(output));
    return match.hasMatch() ? std::optional(match.captured(1).toInt()) : std::nullopt;
}

} // namespace

bool isAboutPermission(const QString& reason)
{
    return reason.contains(QLatin1StringView("not permitted"), Qt::CaseInsensitive) ||
           reason.contains(QLatin1StringView("permission denied"), Qt::CaseInsensitive) ||
           reason.contains(QLatin1StringView("missing cap_net_raw"), Qt::CaseInsensitive);
}

std::vector<Duration> parsePing(QByteArrayView output)
{
    static const QRegularExpression reply(
        QStringLiteral(R"(icmp_seq[=:]\s*(\d{1,9})\b.*\btime[=<]\s*(\d{1,9}(?:\.\d{1,9})?) ms)"));
    std::vector<Duration> times;
    QSet<int> seen;
    auto matches = reply.globalMatch(QString::fromUtf8(output));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const int sequence = match.captured(1).toInt();
        if (seen.contains(sequence))
            continue;
        seen.insert(sequence);
        times.emplace_back(std::llround(match.captured(2).toDouble() * 1e6));
    }
    return times;
}

Result<void> runPing(const SocketAddress& to, const LeaveBy& by, const EchoOptions& options,
                     Deadline deadline, const Interrupt& interrupt, EchoReport& report)
{
    const Deadline until =
        deadline.within(options.interval * options.count + options.patience + 300ms);
    const auto ended =
        runChild(options.pingProgram, argumentsFor(to, by, options), until, interrupt);
    if (!ended) {
        Error error = ended.error();
        if (error.code == ErrorCode::NotFound)
            error.detail = Words::tr("it is not installed");
        return tl::unexpected(error);
    }
    const std::vector<Duration> times = parsePing(ended->text);
    const QString reason = reasonIn(ended->text);
    if (times.empty() && isAboutPermission(reason))
        return fail(ErrorCode::PermissionDenied, {}, reason);
    if (times.empty() && reason.contains(QLatin1StringView("unreachable"), Qt::CaseInsensitive))
        return fail(ErrorCode::HostUnreachable, {}, reason);
    const auto sent = sentIn(ended->text);
    if (times.empty() && !sent && ended->exitCode >= 0) // it did not understand what was asked
        return fail(ErrorCode::Unsupported, {}, reason);
    report.sent = sent.value_or(options.count);
    takeTimes(report, times);
    if (times.empty())
        report.why = reason.isEmpty() ? Words::tr("no reply; the machine may be off, or a "
                                                  "firewall may drop echoes")
                                      : reason;
    return {};
}

} // namespace napkin
