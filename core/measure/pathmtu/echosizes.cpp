// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/pathmtu/echosizes.h"

#include "core/measure/os/childprocess.h"
#include "core/measure/os/errorqueue.h"
#include "core/measure/reach/pingprogram.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

using namespace std::chrono_literals;
using Fate = SizeProbe::Fate;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::PathMtu)
};

constexpr int echoHeader = 8;
constexpr auto neighbourPatience = 3300ms; // until the kernel gives up to find a neighbour

int headersOf(int family)
{
    return (family == AF_INET ? 20 : 40) + echoHeader;
}

bool isAboutTheMeans(ErrorCode code)
{
    return code == ErrorCode::PermissionDenied || code == ErrorCode::Unsupported;
}

std::optional<int> numberOf(const QString& digits)
{
    bool isNumber = false;
    const int number = digits.toInt(&isNumber);
    return isNumber && number > 0 ? std::optional(number) : std::nullopt;
}

} // namespace

EchoSizes::EchoSizes(const SocketAddress& to, LeaveBy by, EchoSizesOptions options,
                     const Interrupt& interrupt)
    : m_to(to)
    , m_by(std::move(by))
    , m_options(std::move(options))
    , m_interrupt(interrupt)
{}

Result<EchoSizes> EchoSizes::open(const SocketAddress& to, const LeaveBy& by,
                                  EchoSizesOptions options, const Interrupt& interrupt)
{
    EchoSizes sizes(to, by, std::move(options), interrupt);
    for (const EchoMeans means : sizes.m_options.means) {
        sizes.m_means = means;
        if (means == EchoMeans::SystemPing)
            return sizes;
        const auto kind = means == EchoMeans::Raw ? IcmpSocketKind::Raw : IcmpSocketKind::Datagram;
        Result<IcmpSocket> socket = IcmpSocket::open(kind, to, by);
        if (socket) {
            if (auto set = socket->forbidFragments(); !set)
                return tl::unexpected(set.error());
            sizes.m_socket.emplace(std::move(*socket));
            return sizes;
        }
        if (!isAboutTheMeans(socket.error().code))
            return tl::unexpected(socket.error());
    }
    return fail(ErrorCode::PermissionDenied, Words::tr("Sending echoes"),
                Words::tr("to allow it: sudo sysctl net.ipv4.ping_group_range=\"0 2147483647\""));
}

QString EchoSizes::means() const
{
    switch (m_means) {
    case EchoMeans::Datagram:
        return QStringLiteral("ICMP socket");
    case EchoMeans::Raw:
        return QStringLiteral("raw socket");
    case EchoMeans::SystemPing:
        break;
    }
    return QStringLiteral("ping program");
}

Result<SizeProbe> EchoSizes::trySize(int size)
{
    Result<SizeProbe> probe = m_socket ? tryBySocket(size) : tryByProgram(size);
    if (probe && probe->fate == Fate::Passed)
        m_hasPassed = true;
    return probe;
}

Result<SizeProbe> EchoSizes::tryBySocket(int size)
{
    const auto begin = std::chrono::steady_clock::now();
    m_socket->setPayload(size - headersOf(m_to.family()));
    m_first = static_cast<std::uint16_t>(m_sequence + 1);
    SizeProbe probe;
    probe.size = size;
    for (probe.attempts = 1; probe.attempts <= m_options.probe.attempts; ++probe.attempts) {
        bool isDecided = false;
        if (auto sent = sendOne(probe, isDecided); !sent)
            return tl::unexpected(sent.error());
        if (isDecided)
            return probe;
        const bool isLast = probe.attempts == m_options.probe.attempts;
        auto until = std::chrono::steady_clock::now() + m_options.probe.timeout;
        if (isLast && !m_hasPassed) // nobody there: the kernel will say so
            until = std::max(until, begin + neighbourPatience);
        const Result<bool> heard = listen(probe, Deadline(until));
        if (!heard)
            return tl::unexpected(heard.error());
        if (*heard)
            return probe;
    }
    probe.attempts = m_options.probe.attempts;
    probe.fate = Fate::Silent;
    return probe;
}

Result<void> EchoSizes::sendOne(SizeProbe& probe, bool& isDecided)
{
    const Result<bool> before = hear(probe); // what came late counts, too
    if (!before || *before) {
        isDecided = before.value_or(false);
        return before.map([](bool) {});
    }
    forgetFault(m_socket->fd());
    const Result<void> sent = m_socket->send(++m_sequence);
    // A full queue of this machine loses a packet like any other.
    if (sent || sent.error().code == ErrorCode::OutOfMemory)
        return {};
    if (sent.error().code != ErrorCode::FrameTooLarge)
        return sent;
    isDecided = true;
    probe.fate = Fate::TooBigHere;
    while (const auto heard = m_socket->receive()) {
        if (heard->tooBig && heard->tooBig->by.isEmpty())
            probe.told = heard->tooBig->mtu;
    }
    return {};
}

// Whether the fate of the probe is known now.
Result<bool> EchoSizes::take(SizeProbe& probe, const IcmpSocket::Heard& heard) const
{
    const auto sent = static_cast<std::uint16_t>(m_sequence - m_first + 1);
    if (static_cast<std::uint16_t>(heard.sequence.value_or(m_first) - m_first) >= sent)
        return false; // of an earlier size
    if (!heard.fault) {
        probe.fate = Fate::Passed;
        return true;
    }
    if (!heard.tooBig) {
        const ErrorCode code = heard.fault->code;
        const bool isOfTheWay =
            code == ErrorCode::HostUnreachable || code == ErrorCode::PermissionDenied;
        return isOfTheWay ? Result<bool>(tl::unexpected(*heard.fault)) : Result<bool>(false);
    }
    if (heard.tooBig->by.isEmpty() || heard.tooBig->mtu.value_or(0) >= probe.size)
        return false; // no word about this size
    probe.fate = Fate::TooBigOnWay;
    probe.told = heard.tooBig->mtu;
    probe.by = heard.tooBig->by;
    return true;
}

Result<bool> EchoSizes::hear(SizeProbe& probe)
{
    while (const auto heard = m_socket->receive()) {
        const Result<bool> isKnown = take(probe, *heard);
        if (!isKnown || *isKnown)
            return isKnown;
    }
    return false;
}

Result<bool> EchoSizes::listen(SizeProbe& probe, Deadline until)
{
    while (true) {
        const Result<bool> heard = hear(probe);
        if (!heard || *heard)
            return heard;
        forgetFault(m_socket->fd());
        switch (waitReady(m_socket->fd(), POLLIN, until, m_interrupt)) {
        case Ready::Interrupted:
            return fail(ErrorCode::Cancelled);
        case Ready::TimedOut:
            return false;
        case Ready::Yes:
            break;
        }
    }
}

QStringList EchoSizes::pingWords(int payload) const
{
    const auto patience = std::chrono::ceil<std::chrono::seconds>(m_options.probe.timeout);
    QStringList words{
        QStringLiteral("-n"), QStringLiteral("-M"),     QStringLiteral("do"),
        QStringLiteral("-s"), QString::number(payload), QStringLiteral("-c"),
        QStringLiteral("1"),  QStringLiteral("-W"),     QString::number(patience.count())};
    if (!m_by.interfaceName.isEmpty())
        words += {QStringLiteral("-I"), m_by.interfaceName};
    else if (m_by.source)
        words += {QStringLiteral("-I"), m_by.source->text()};
    return words << m_to.text();
}

Result<SizeProbe> EchoSizes::tryByProgram(int size)
{
    const QStringList words = pingWords(size - headersOf(m_to.family()));
    SizeProbe probe;
    for (int attempt = 1; attempt <= m_options.probe.attempts; ++attempt) {
        const auto limit = std::max<std::chrono::milliseconds>(m_options.probe.timeout, 1s) + 500ms;
        const auto ended = runChild(m_options.pingProgram, words, Deadline(limit), m_interrupt);
        if (!ended)
            return fail(ended.error().code, m_options.pingProgram, ended.error().detail);
        const QString text = QString::fromUtf8(ended->text).trimmed();
        const QString last = text.section(u'\n', -1).left(200);
        if (text.contains(QLatin1StringView("not permitted"), Qt::CaseInsensitive) ||
            text.contains(QLatin1StringView("cap_net_raw"), Qt::CaseInsensitive))
            return fail(ErrorCode::PermissionDenied, Words::tr("Sending echoes"), last);
        if (text.contains(QLatin1StringView("unreachable"), Qt::CaseInsensitive))
            return fail(ErrorCode::HostUnreachable, {}, last);
        probe = parsePingOfSize(ended->text);
        probe.size = size;
        probe.attempts = attempt;
        // ping goes by what the kernel has learned from a router before.
        if (probe.fate == Fate::TooBigHere && size <= m_options.interfaceMtu.value_or(0))
            probe.fate = Fate::TooBigOnWay;
        if (probe.fate != Fate::Silent)
            return probe;
        // It did not understand what was asked.
        if (ended->exitCode > 0 && !text.contains(QLatin1StringView("packets transmitted")))
            return fail(ErrorCode::Unsupported, m_options.pingProgram, last);
    }
    return probe;
}

SizeProbe parsePingOfSize(QByteArrayView output)
{
    static const QRegularExpression onWay(QStringLiteral(
        R"(From (\S{1,64}).{0,40}(?:Frag needed and DF set|Packet too big).{0,4}mtu ?[=:] ?(\d{1,6}))"));
    static const QRegularExpression here(
        QStringLiteral(R"([Mm]essage too long(?:, mtu[=:] ?(\d{1,6}))?)"));
    const QString text = QString::fromUtf8(output);
    SizeProbe probe;
    if (const auto match = onWay.match(text); match.hasMatch()) {
        probe.fate = Fate::TooBigOnWay;
        probe.by = match.captured(1);
        probe.told = numberOf(match.captured(2));
        return probe;
    }
    if (const auto match = here.match(text); match.hasMatch()) {
        probe.fate = Fate::TooBigHere;
        probe.told = numberOf(match.captured(1));
        return probe;
    }
    probe.fate = parsePing(output).empty() ? Fate::Silent : Fate::Passed;
    return probe;
}

} // namespace napkin
