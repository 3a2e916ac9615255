// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/quality/rules.h"
#include "core/results/summary.h"

#include <algorithm>
#include <cmath>

namespace napkin::quality {

namespace {

using namespace std::chrono_literals;

constexpr double steadyTolerance = 0.10;

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

void assessThroughput(const ThroughputData& data, Notes& notes)
{
    const ThroughputSummary summary = summarise(data);
    for (const auto& direction : {summary.forward, summary.reverse}) {
        if (direction && direction->duration < 900ms) {
            notes.push_back(
                {QualityFlag::TooShort, formatDuration(direction->duration, QLocale::c())});
            break;
        }
    }
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        assessStreams(data, direction, notes);
        assessSteadiness(data, direction, notes);
    }
}

} // namespace

void assessFlow(const ProbeResult& result, Notes& notes)
{
    if (const auto* throughput = std::get_if<ThroughputData>(&result.data)) {
        assessThroughput(*throughput, notes);
        return;
    }
    const auto summary = summarise(std::get<ConnectData>(result.data));
    if (summary.connected < 5)
        notes.push_back(
            {QualityFlag::TooShort, QStringLiteral("%1 handshakes").arg(summary.connected)});
}

} // namespace napkin::quality
