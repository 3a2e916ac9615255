// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/latencysummary.h"
#include "core/results/machinesummary.h"
#include "core/results/pathsummary.h"
#include "core/results/quality/rules.h"
#include "core/results/soaksummary.h"
#include "core/results/summary.h"

#include <algorithm>
#include <cmath>

namespace napkin::quality {

namespace {

using namespace std::chrono_literals;

constexpr double steadyTolerance = 0.10;
constexpr int fewestHandshakes = 5;
constexpr std::int64_t fewestAnswers = 20;
constexpr int fewestRounds = 5;
constexpr double muchWarmUp = 0.25; // of the time
constexpr int fewestPasses = 10;
constexpr auto shortestFlow = 900ms;
constexpr double otherWorkAllowed = 0.10; // of all cores before, of the threads' time meanwhile

QString amount(double bytes)
{
    return formatBytes(ByteCount::bytes(std::llround(bytes)), QLocale::c());
}

void assessStreams(const ThroughputData& data, Direction direction, Notes& notes)
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
        notes.push_back(
            {QualityFlag::StreamsUnequal, QStringLiteral("least %1, mean %2, %3")
                                              .arg(amount(static_cast<double>(least)))
                                              .arg(amount(static_cast<double>(sum) / streams))
                                              .arg(directionName(direction))});
    }
}

// Bytes a second in the first and in the second half of the samples' time.
void assessSteadiness(const ThroughputData& data, Direction direction, Notes& notes)
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
        notes.push_back({QualityFlag::NotSteady,
                         QStringLiteral("halves %1 and %2, %3")
                             .arg(amount(first), amount(second), directionName(direction))});
    }
}

QString rateText(double bitsPerSecond)
{
    return formatBitRate(BitRate::bitsPerSecond(std::llround(bitsPerSecond)), QLocale::c());
}

QString timeText(double nanoseconds)
{
    return formatDuration(Duration(std::llround(nanoseconds)), QLocale::c());
}

void assessCertainty(const Certainty& certainty, const QString& what, QString (*text)(double),
                     Notes& notes)
{
    if (certainty.verdict == Certainty::Verdict::NotSteady)
        notes.push_back({QualityFlag::NotSteady,
                         QStringLiteral("from %1 to %2 in intervals of 50 ms, %3")
                             .arg(text(certainty.lowest), text(certainty.highest), what)});
}

// As the two ends told them.
QString countsText(const UdpData& data, Direction direction)
{
    std::int64_t received = 0;
    std::int64_t lost = 0;
    std::optional<std::int64_t> sent = 0;
    for (const UdpTotal& total : data.totals) {
        if (total.direction != direction)
            continue;
        received += total.packetsReceived;
        lost += total.lost;
        sent = sent && total.packetsSent ? std::optional(*sent + *total.packetsSent) : std::nullopt;
    }
    return QStringLiteral("sent %1, received %2, gaps %3, %4")
        .arg(sent ? QString::number(*sent) : QStringLiteral("unknown"))
        .arg(received)
        .arg(lost)
        .arg(directionName(direction));
}

void assessThroughput(const ProbeResult& result, const ThroughputData& data, Notes& notes)
{
    const ThroughputSummary summary = summariseThroughput(result);
    for (const auto& direction : {summary.forward, summary.reverse}) {
        if (direction && direction->duration < shortestFlow) {
            notes.push_back(
                {QualityFlag::TooShort, formatDuration(direction->duration, QLocale::c())});
            break;
        }
    }
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        assessStreams(data, direction, notes);
        const auto& own = direction == Direction::Forward ? summary.forward : summary.reverse;
        if (own && own->certainty)
            assessCertainty(*own->certainty, directionName(direction), rateText, notes);
        else
            assessSteadiness(data, direction, notes);
    }
}

void assess(const ProbeResult& result, const ThroughputData& data, Notes& notes)
{
    assessThroughput(result, data, notes);
}

void assess(const ProbeResult& /*result*/, const ConnectData& data, Notes& notes)
{
    const auto summary = summarise(data);
    if (summary.connected < fewestHandshakes)
        notes.push_back(
            {QualityFlag::TooShort, QStringLiteral("%1 handshakes").arg(summary.connected)});
}

void assess(const ProbeResult& result, const LatencyData& data, Notes& notes)
{
    const LatencySummary summary = summarise(data);
    if (summary.answered < fewestAnswers)
        notes.push_back(
            {QualityFlag::TooShort, QStringLiteral("%1 answers").arg(summary.answered)});
    if (summary.warmUpShare.value() > muchWarmUp)
        notes.push_back(
            {QualityFlag::LongWarmUp, QStringLiteral("the first %1 of the time is left out")
                                          .arg(formatRatio(summary.warmUpShare, QLocale::c()))});
    const auto* options = std::get_if<LatencyOptions>(&result.spec.options);
    if (options != nullptr && options->ending == Ending::WhenSure && summary.certainty)
        assessCertainty(*summary.certainty, QStringLiteral("RTT"), timeText, notes);
}

void assess(const ProbeResult& /*result*/, const SweepData& data, Notes& notes)
{
    int rounds = 0;
    for (const SweepPoint& point : summarise(data).points)
        rounds = rounds == 0 ? point.count : std::min(rounds, point.count);
    if (rounds < fewestRounds)
        notes.push_back({QualityFlag::TooShort, QStringLiteral("%1 rounds").arg(rounds)});
}

void assess(const ProbeResult& /*result*/, const LoadedLatencyData& data, Notes& notes)
{
    for (const LoadedPhaseSummary& phase : summarise(data)) {
        if (phase.sent - phase.lost >= fewestAnswers)
            continue;
        notes.push_back({QualityFlag::TooShort,
                         QStringLiteral("%1 answers in one phase").arg(phase.sent - phase.lost)});
        return;
    }
}

// What is missing is part of its verdict.
void assess(const ProbeResult& /*result*/, const PathMtuData& /*data*/, Notes& /*notes*/) {}

void assess(const ProbeResult& /*result*/, const UdpData& data, Notes& notes)
{
    const UdpSummary summary = summarise(data);
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const auto& own = direction == Direction::Forward ? summary.forward : summary.reverse;
        if (own && own->isContradictory)
            notes.push_back({QualityFlag::Contradictory, countsText(data, direction)});
    }
}

QString shareText(Ratio share)
{
    return formatRatio(share, QLocale::c());
}

QString rateText(ByteRate rate)
{
    return formatByteRate(rate, QLocale::c());
}

void assessHalves(std::optional<ByteRate> first, std::optional<ByteRate> second, Notes& notes)
{
    if (!first || !second)
        return;
    const auto a = static_cast<double>(first->bytesPerSecond());
    const auto b = static_cast<double>(second->bytesPerSecond());
    if (std::abs(a - b) > steadyTolerance * std::max(a, b))
        notes.push_back(
            {QualityFlag::NotSteady,
             QStringLiteral("halves %1 and %2").arg(rateText(*first), rateText(*second))});
}

// What the samples from the first to before the last one come to.
template <typename Data>
Data partOf(const Data& data, size_t first, size_t last)
{
    Data part = data;
    part.samples.assign(data.samples.begin() + static_cast<std::ptrdiff_t>(first),
                        data.samples.begin() + static_cast<std::ptrdiff_t>(last));
    return part;
}

void assess(const ProbeResult& /*result*/, const MemoryData& data, Notes& notes)
{
    const MemorySummary summary = summarise(data);
    if (summary.passes < fewestPasses)
        notes.push_back({QualityFlag::TooShort, QStringLiteral("%1 passes").arg(summary.passes)});
    const size_t count = data.samples.size();
    if (summary.passes >= fewestPasses)
        assessHalves(summarise(partOf(data, 0, count / 2)).median,
                     summarise(partOf(data, count / 2, count)).median, notes);
    QStringList witnesses;
    if (data.busyBefore && data.busyBefore->value() > otherWorkAllowed)
        witnesses
            << QStringLiteral("%1 of all cores were busy before").arg(shareText(*data.busyBefore));
    if (data.ran && data.ran->value() < 1 - otherWorkAllowed)
        witnesses << QStringLiteral("the threads had their cores for %1 of the time")
                         .arg(shareText(*data.ran));
    if (!witnesses.isEmpty())
        notes.push_back({QualityFlag::OtherWork, witnesses.join(QStringLiteral("; "))});
}

void assess(const ProbeResult& /*result*/, const StorageData& data, Notes& notes)
{
    const StorageSummary summary = summarise(data);
    if (summary.duration < shortestFlow)
        notes.push_back({QualityFlag::TooShort, formatDuration(summary.duration, QLocale::c())});
    if (!summary.isPastCache)
        notes.push_back(
            {QualityFlag::FromCache, QStringLiteral("%1 of %2 were in the page cache")
                                         .arg(formatBytes(data.cachedBefore, QLocale::c()),
                                              formatBytes(data.fileSize, QLocale::c()))});
    if (data.place == StoragePlace::Network || data.place == StoragePlace::Memory)
        notes.push_back(
            {QualityFlag::NotADisk, data.fileSystem.isEmpty() ? data.device : data.fileSystem});
    const size_t count = data.samples.size();
    if (summary.duration < 2s || count < 4)
        return;
    StorageData late = partOf(data, count / 2, count);
    const Duration from = late.samples.front().start;
    for (StorageSample& sample : late.samples)
        sample.start -= from;
    assessHalves(summarise(partOf(data, 0, count / 2)).mean, summarise(late).mean, notes);
}

void assess(const ProbeResult& /*result*/, const SoakData& data, Notes& notes)
{
    if (data.elapsed < 9s)
        notes.push_back({QualityFlag::TooShort, formatDuration(data.elapsed, QLocale::c())});
    const SoakSummary summary = summarise(data);
    if (summary.faults > 0)
        notes.push_back({QualityFlag::FaultsSeen,
                         QStringLiteral("stalls %1, drop-outs %2, damaged blocks %3, blocks out of "
                                        "sequence %4")
                             .arg(data.stalls)
                             .arg(data.dropOuts)
                             .arg(summary.corrupted)
                             .arg(summary.outOfSequence)});
    if (data.heldUps > 0)
        notes.push_back({QualityFlag::IntervalAnomaly,
                         QStringLiteral("held up %1 times, near end").arg(data.heldUps)});
    for (const auto& side : {summary.forward, summary.reverse}) {
        if (side && side->drift && side->drift->isSeen) {
            notes.push_back(
                {QualityFlag::NotSteady, QStringLiteral("drift of %1 % over the run")
                                             .arg(100 * side->drift->change, 0, 'f', 1)});
            break;
        }
    }
}

} // namespace

void assessFlow(const ProbeResult& result, Notes& notes)
{
    std::visit([&](const auto& data) { assess(result, data, notes); }, result.data);
}

} // namespace napkin::quality
