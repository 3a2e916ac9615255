// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/result.h"
#include "core/results/summary.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace napkin {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Quality)
};

constexpr std::array allFlags{
    QualityFlag::Partial,        QualityFlag::TooShort,          QualityFlag::Loopback,
    QualityFlag::StreamsUnequal, QualityFlag::NotSteady,         QualityFlag::CpuBound,
    QualityFlag::WrongInterface, QualityFlag::BackgroundTraffic, QualityFlag::ClockTooCoarse,
    QualityFlag::PeerOverloaded, QualityFlag::IntervalAnomaly};

constexpr double steadyTolerance = 0.10;

// 127.0.0.0/8 and ::1, also as IPv6 writes the former and with a scope.
bool isLoopback(const QString& address)
{
    const QString plain = address.section(u'%', 0, 0).trimmed().toLower();
    return plain.startsWith(QStringLiteral("127.")) || plain == QStringLiteral("::1") ||
           plain == QStringLiteral("0:0:0:0:0:0:0:1") ||
           plain.startsWith(QStringLiteral("::ffff:127."));
}

void assessLoopback(const ProbeResult& result, std::vector<QualityNote>& notes)
{
    const QString& near = result.conditions.near.address;
    const QString& far = result.conditions.far.address;
    // Two different addresses of one machine: what goes between them goes through "lo", too.
    const bool byLoopback = result.conditions.near.interfaceName == QStringLiteral("lo");
    if (byLoopback || isLoopback(near) || isLoopback(far) || (!near.isEmpty() && near == far))
        notes.push_back({QualityFlag::Loopback, near + QStringLiteral(" to ") + far});
}

void assessStreams(const ThroughputData& data, Direction direction, std::vector<QualityNote>& notes)
{
    std::int64_t sum = 0;
    std::int64_t least = 0;
    int streams = 0;
    for (const StreamTotal& total : data.totals) {
        if (total.direction != direction)
            continue;
        least = streams == 0 ? total.received.bytes() : std::min(least, total.received.bytes());
        sum += total.received.bytes();
        ++streams;
    }
    if (streams > 1 && least * streams * 2 < sum) {
        notes.push_back({QualityFlag::StreamsUnequal, QStringLiteral("least %1 bytes, mean %2, %3")
                                                          .arg(least)
                                                          .arg(sum / streams)
                                                          .arg(directionName(direction))});
    }
}

// Bytes a second in the first and in the second half of the samples' time.
void assessSteadiness(const ThroughputData& data, Direction direction,
                      std::vector<QualityNote>& notes)
{
    Duration from = Duration::max();
    Duration to = Duration::min();
    for (const ThroughputSample& s : data.samples) {
        if (s.direction == direction && !s.omitted) {
            from = std::min(from, s.start);
            to = std::max(to, s.start + s.length);
        }
    }
    if (to <= from || to - from < 2s)
        return;
    const Duration middle = from + (to - from) / 2;
    double first = 0;
    double second = 0;
    for (const ThroughputSample& s : data.samples) {
        if (s.direction == direction && !s.omitted)
            (s.start + s.length / 2 < middle ? first : second) +=
                static_cast<double>(s.bytes.bytes());
    }
    const double larger = std::max(first, second);
    if (larger > 0 && std::abs(first - second) > steadyTolerance * larger) {
        notes.push_back({QualityFlag::NotSteady, QStringLiteral("halves %1 and %2 bytes, %3")
                                                     .arg(first, 0, 'f', 0)
                                                     .arg(second, 0, 'f', 0)
                                                     .arg(directionName(direction))});
    }
}

void assessThroughput(const ThroughputData& data, std::vector<QualityNote>& notes)
{
    const ThroughputSummary summary = summarise(data);
    for (const auto& direction : {summary.forward, summary.reverse}) {
        if (direction && direction->duration < 900ms) {
            notes.push_back(
                {QualityFlag::TooShort, QStringLiteral("%1 ns").arg(direction->duration.count())});
            break;
        }
    }
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        assessStreams(data, direction, notes);
        assessSteadiness(data, direction, notes);
    }
}

} // namespace

QString qualityFlagName(QualityFlag flag)
{
    switch (flag) {
    case QualityFlag::Partial:
        return QStringLiteral("partial");
    case QualityFlag::TooShort:
        return QStringLiteral("too-short");
    case QualityFlag::Loopback:
        return QStringLiteral("loopback");
    case QualityFlag::StreamsUnequal:
        return QStringLiteral("streams-unequal");
    case QualityFlag::NotSteady:
        return QStringLiteral("not-steady");
    case QualityFlag::CpuBound:
        return QStringLiteral("cpu-bound");
    case QualityFlag::WrongInterface:
        return QStringLiteral("wrong-interface");
    case QualityFlag::BackgroundTraffic:
        return QStringLiteral("background-traffic");
    case QualityFlag::ClockTooCoarse:
        return QStringLiteral("clock-too-coarse");
    case QualityFlag::PeerOverloaded:
        return QStringLiteral("peer-overloaded");
    case QualityFlag::IntervalAnomaly:
        return QStringLiteral("interval-anomaly");
    }
    return {};
}

Result<QualityFlag> qualityFlagFromName(QStringView name)
{
    for (const QualityFlag flag : allFlags) {
        if (name == qualityFlagName(flag))
            return flag;
    }
    return fail(ErrorCode::ParseFailed, name.toString(), Words::tr("not a quality flag"));
}

QString qualityFlagText(QualityFlag flag)
{
    switch (flag) {
    case QualityFlag::Partial:
        return Words::tr("The run ended before its time.");
    case QualityFlag::TooShort:
        return Words::tr("The run is too short to be relied on.");
    case QualityFlag::Loopback:
        return Words::tr("This machine talked to itself: no link was measured.");
    case QualityFlag::StreamsUnequal:
        return Words::tr("The streams did not share the link evenly.");
    case QualityFlag::NotSteady:
        return Words::tr(
            "The rate changed during the run: its two halves differ by more than 10 %.");
    case QualityFlag::CpuBound:
        return Words::tr("A processor core was at its limit: the wire may be faster than this.");
    case QualityFlag::WrongInterface:
        return Words::tr(
            "The bytes took another interface than the link’s, so the run is not filed under it.");
    case QualityFlag::BackgroundTraffic:
        return Words::tr("The link carried other traffic at the same time.");
    case QualityFlag::ClockTooCoarse:
        return Words::tr("The clock is too coarse for times this short.");
    case QualityFlag::PeerOverloaded:
        return Words::tr("A machine had more work than processor cores when the run began.");
    case QualityFlag::IntervalAnomaly:
        return Words::tr("The samples came unevenly: something held the measuring program up.");
    }
    return {};
}

std::vector<QualityNote> assessQuality(const ProbeResult& result)
{
    std::vector<QualityNote> notes;
    if (result.completion == Completion::Partial)
        notes.push_back(
            {QualityFlag::Partial, result.fault ? errorCodeName(result.fault->code) : QString()});
    assessLoopback(result, notes);
    if (const auto* throughput = std::get_if<ThroughputData>(&result.data)) {
        assessThroughput(*throughput, notes);
    } else {
        const auto summary = summarise(std::get<ConnectData>(result.data));
        if (summary.connected < 5)
            notes.push_back(
                {QualityFlag::TooShort, QStringLiteral("%1 handshakes").arg(summary.connected)});
    }
    return notes;
}

} // namespace napkin
