// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sampletext.h"

#include "app/cli/table.h"
#include "app/cli/textreport.h"
#include "core/quantity/format.h"
#include "core/results/machinesummary.h"
#include "core/workflow/resulttext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <span>

namespace napkin::cli {

namespace {

constexpr size_t mostShown = 5'000;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::SampleText)
};

template <typename T>
std::span<const T> first(const std::vector<T>& all)
{
    return std::span(all).first(std::min(all.size(), mostShown));
}

QString orUnknown(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("–") : text;
}

QString seconds(Duration time)
{
    return QLocale().toString(inSeconds(time), 'f', 2);
}

QString milliseconds(Duration time)
{
    return QLocale().toString(inSeconds(time) * 1e3, 'f', 3);
}

QString directionText(Direction direction)
{
    return direction == Direction::Forward ? flowText(Flow::Forward) : flowText(Flow::Reverse);
}

QString countText(std::int64_t count)
{
    return QLocale().toString(static_cast<qlonglong>(count));
}

QString countText(const std::optional<std::int64_t>& count)
{
    return count ? countText(*count) : orUnknown({});
}

QString rateText(ByteCount bytes, Duration length)
{
    return orUnknown(length > Duration::zero() ? formatGigabits(BitRate::of(bytes, length))
                                               : QString());
}

QString gigabytesText(const std::optional<ByteRate>& rate)
{
    return orUnknown(rate ? formatGigabytes(*rate) : QString());
}

Table samplesOf(const ThroughputData& data)
{
    Table table({{Words::tr("From"), QStringLiteral("s"), Align::Right},
                 {Words::tr("Direction"), {}},
                 {Words::tr("Stream"), {}, Align::Right},
                 {Words::tr("Rate"), QStringLiteral("Gb/s"), Align::Right},
                 {Words::tr("Amount"), {}, Align::Right},
                 {Words::tr("Retrans."), {}, Align::Right},
                 {Words::tr("Window"), {}, Align::Right},
                 {Words::tr("RTT"), {}, Align::Right},
                 {QString(), {}, Align::Left, 1}});
    for (const ThroughputSample& sample : first(data.samples)) {
        const QString rate = sample.length > Duration::zero()
                                 ? formatGigabits(BitRate::of(sample.bytes, sample.length))
                                 : QString();
        table.add(
            {seconds(sample.start), directionText(sample.direction),
             QString::number(sample.stream + 1), orUnknown(rate), formatBytes(sample.bytes),
             orUnknown(sample.retransmits ? QLocale().toString(*sample.retransmits) : QString()),
             orUnknown(sample.congestionWindow ? formatBytes(*sample.congestionWindow) : QString()),
             orUnknown(sample.rtt ? formatDuration(*sample.rtt) : QString()),
             sample.omitted ? Words::tr("left out") : QString()});
    }
    return table;
}

Table samplesOf(const ConnectData& data)
{
    Table table({{Words::tr("At"), QStringLiteral("s"), Align::Right},
                 {Words::tr("Time"), {}, Align::Right},
                 {Words::tr("Outcome"), {}}});
    for (const ConnectSample& sample : first(data.samples))
        table.add(
            {seconds(sample.start), formatDuration(sample.time), outcomeText(sample.outcome)});
    return table;
}

QString tripText(const RoundTrip& trip)
{
    return trip.outcome == RoundTrip::Outcome::Answered ? formatDuration(trip.time)
                                                        : Words::tr("lost");
}

Table samplesOf(const LatencyData& data)
{
    Table table({{Words::tr("At"), QStringLiteral("ms"), Align::Right},
                 {Words::tr("RTT"), {}, Align::Right}});
    for (const RoundTrip& trip : first(data.samples))
        table.add({milliseconds(trip.start), tripText(trip)});
    return table;
}

Table samplesOf(const SweepData& data)
{
    Table table({{Words::tr("At"), QStringLiteral("ms"), Align::Right},
                 {Words::tr("Round"), {}, Align::Right},
                 {Words::tr("Size"), {}, Align::Right},
                 {Words::tr("RTT"), {}, Align::Right},
                 {QString(), {}, Align::Left, 1}});
    for (const SweepSample& sample : first(data.samples))
        table.add({milliseconds(sample.start), countText(sample.round), exactBytes(sample.size),
                   formatDuration(sample.time),
                   sample.round == 0 ? Words::tr("left out") : QString()});
    return table;
}

Table samplesOf(const LoadedLatencyData& data)
{
    Table table({{Words::tr("Load"), {}},
                 {Words::tr("At"), QStringLiteral("ms"), Align::Right},
                 {Words::tr("RTT"), {}, Align::Right}});
    size_t left = mostShown;
    for (const LoadPhase& phase : data.phases) {
        for (const RoundTrip& trip :
             std::span(phase.samples).first(std::min(phase.samples.size(), left)))
            table.add({loadText(phase.load), milliseconds(trip.start), tripText(trip)});
        left -= std::min(phase.samples.size(), left);
    }
    return table;
}

Table samplesOf(const PathMtuData& data)
{
    Table table({{Words::tr("Direction"), {}},
                 {Words::tr("Packet"), Words::tr("bytes"), Align::Right},
                 {Words::tr("Attempts"), {}, Align::Right},
                 {Words::tr("Outcome"), {}},
                 {Words::tr("Told MTU"), {}, Align::Right, 1},
                 {Words::tr("By"), {}, Align::Left, 1}});
    for (const SizeProbe& probe : first(data.probes))
        table.add({directionText(probe.direction), countText(probe.size), countText(probe.attempts),
                   fateText(probe.fate), probe.told ? countText(*probe.told) : QString(),
                   probe.by});
    return table;
}

Table samplesOf(const UdpData& data)
{
    Table table({{Words::tr("From"), QStringLiteral("s"), Align::Right},
                 {Words::tr("Direction"), {}},
                 {Words::tr("Stream"), {}, Align::Right},
                 {Words::tr("Where"), {}},
                 {Words::tr("Rate"), QStringLiteral("Gb/s"), Align::Right},
                 {Words::tr("Datagrams"), {}, Align::Right},
                 {Words::tr("Lost"), {}, Align::Right},
                 {Words::tr("Order"), {}, Align::Right},
                 {Words::tr("Jitter"), {}, Align::Right},
                 {QString(), {}, Align::Left, 1}});
    for (const UdpSample& sample : first(data.samples))
        table.add({seconds(sample.start), directionText(sample.direction),
                   QString::number(sample.stream + 1),
                   sample.atReceiver ? Words::tr("arrived") : Words::tr("sent"),
                   rateText(sample.bytes, sample.length), countText(sample.packets),
                   countText(sample.lost), countText(sample.outOfOrder),
                   orUnknown(sample.jitter ? formatDuration(*sample.jitter) : QString()),
                   sample.omitted ? Words::tr("left out") : QString()});
    return table;
}

Table samplesOf(const MemoryData& data)
{
    Table table({{Words::tr("At"), QStringLiteral("ms"), Align::Right},
                 {Words::tr("Time"), {}, Align::Right},
                 {Words::tr("Rate"), QStringLiteral("GB/s"), Align::Right},
                 {QString(), {}, Align::Left, 1}});
    for (const MemorySample& sample : first(data.samples))
        table.add({milliseconds(sample.start), formatDuration(sample.time),
                   gigabytesText(byteRateOf(bytesOfPass(data), sample.time)),
                   sample.warmUp ? Words::tr("left out") : QString()});
    return table;
}

Table samplesOf(const StorageData& data)
{
    Table table({{Words::tr("From"), QStringLiteral("s"), Align::Right},
                 {Words::tr("Amount"), {}, Align::Right},
                 {Words::tr("Rate"), QStringLiteral("GB/s"), Align::Right}});
    for (const StorageSample& sample : first(data.samples))
        table.add({seconds(sample.start), formatBytes(sample.bytes),
                   gigabytesText(byteRateOf(sample.bytes, sample.length))});
    return table;
}

Table samplesOf(const SoakData& data)
{
    Table table({{Words::tr("From"), QStringLiteral("s"), Align::Right},
                 {Words::tr("For"), {}, Align::Right},
                 {Words::tr("Direction"), {}},
                 {Words::tr("Least"), QStringLiteral("Gb/s"), Align::Right},
                 {Words::tr("Median"), QStringLiteral("Gb/s"), Align::Right},
                 {Words::tr("Most"), QStringLiteral("Gb/s"), Align::Right},
                 {Words::tr("Amount"), {}, Align::Right},
                 {Words::tr("Retrans."), {}, Align::Right},
                 {Words::tr("RTT"), {}, Align::Right}});
    for (const SoakSpan& span : first(data.spans))
        table.add({seconds(span.start), formatDuration(span.length), directionText(span.direction),
                   formatGigabits(span.least), formatGigabits(span.median),
                   formatGigabits(span.most), formatBytes(span.bytes), countText(span.retransmits),
                   orUnknown(span.rtt ? formatDuration(*span.rtt) : QString())});
    return table;
}

template <typename Data>
size_t countOf(const Data& data)
{
    return data.samples.size();
}

size_t countOf(const LoadedLatencyData& data)
{
    size_t count = 0;
    for (const LoadPhase& phase : data.phases)
        count += phase.samples.size();
    return count;
}

size_t countOf(const PathMtuData& data)
{
    return data.probes.size();
}

size_t countOf(const SoakData& data)
{
    return data.spans.size();
}

} // namespace

QStringList sampleLines(const ProbeData& data)
{
    const Table table = std::visit([](const auto& any) { return samplesOf(any); }, data);
    QStringList lines = table.render(std::nullopt).text.split(u'\n');
    const size_t count = std::visit([](const auto& any) { return countOf(any); }, data);
    if (count > mostShown)
        lines << Words::tr("%1 more are not shown; --json has all of them.")
                     .arg(countText(static_cast<std::int64_t>(count - mostShown)));
    return lines;
}

} // namespace napkin::cli
