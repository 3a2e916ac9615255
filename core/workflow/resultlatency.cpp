// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/latencysummary.h"
#include "core/workflow/resultrows.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultText)
};

QString timeText(const std::optional<Duration>& time)
{
    return time ? formatDuration(*time) : QString();
}

QString nanosecondsText(double nanoseconds)
{
    return formatDuration(Duration(std::llround(nanoseconds)));
}

ResultRow timeRow(const QString& label, const std::optional<Duration>& time,
                  const QString& whyNot = {})
{
    return time ? ResultRow{label, formatDuration(*time), {}, Provenance::Measured}
                : ResultRow{label, notKnown(), whyNot};
}

QString lossText(std::int64_t lost, std::int64_t sent)
{
    if (lost == 0 || sent == 0)
        return countText(lost);
    const Ratio share = Ratio::of(static_cast<double>(lost) / static_cast<double>(sent));
    return Words::tr("%1 (%2)").arg(countText(lost), formatRatio(share));
}

// How a message went there and back.
void addHow(ResultText& text, EchoMethod method, std::optional<WaitMode> wait, ByteCount size,
            const QString& means)
{
    text.rows.push_back({Words::tr("Means"),
                         means.isEmpty() ? echoMethodText(method) : meansText(means),
                         method == EchoMethod::Icmp ? Words::tr("the far end’s kernel answers")
                                                    : Words::tr("a Napkin answers")});
    if (wait && method != EchoMethod::Icmp)
        text.rows.push_back({Words::tr("Waiting"), waitModeText(*wait), {}});
    text.rows.push_back({Words::tr("Message"), exactBytes(size), {}});
}

void addClock(ResultText& text, const std::optional<Duration>& step)
{
    if (step)
        text.rows.push_back({Words::tr("Clock"),
                             Words::tr("steps of %1").arg(timeText(step)),
                             {},
                             Provenance::Measured});
}

QString intervalText(const QString& low, const QString& high)
{
    return Words::tr("%1 to %2, with 95 % confidence").arg(low, high);
}

QString rateText(ByteRate rate)
{
    return Words::tr("%1 (%2)").arg(formatByteRate(rate), formatBitRate(rate.toBitRate()));
}

// Where it holds.
QString betaText(const SweepFit& fit)
{
    const QString rate = rateText(fit.beta);
    return fit.upTo() ? Words::tr("%1, messages up to %2").arg(rate, exactBytes(*fit.upTo()))
                      : rate;
}

ResultRow alphaRow(const SweepFit& fit)
{
    const QString label = Words::tr("Alpha, one way (half of the RTT)");
    if (!fit.alpha)
        return {label, notKnown(),
                Words::tr("the line through the sizes meets no positive time at a message of no "
                          "length: begin with smaller messages")};
    return {label, timeText(fit.alpha),
            intervalText(timeText(fit.alphaLow), timeText(fit.alphaHigh)), Provenance::Measured};
}

// What large messages go by is another figure where the line breaks.
void addTail(ResultText& text, const SweepFit& fit)
{
    if (!fit.upTo())
        return;
    const QString label = Words::tr("Beta, large messages");
    if (!fit.tail) {
        text.rows.push_back({label, notKnown(),
                             Words::tr("beyond the last break fewer than five sizes lie on a line: "
                                       "measure with larger messages")});
        return;
    }
    const SweepFit::Tail& tail = *fit.tail;
    text.rows.push_back(
        {label, Words::tr("%1, from %2 on").arg(rateText(tail.beta), exactBytes(tail.from)),
         intervalText(formatByteRate(tail.betaLow), formatByteRate(tail.betaHigh)),
         Provenance::Measured});
}

void addFit(ResultText& text, const SweepFit& fit)
{
    text.rows.push_back(alphaRow(fit));
    text.rows.push_back({Words::tr("Beta"), betaText(fit),
                         intervalText(formatByteRate(fit.betaLow), formatByteRate(fit.betaHigh)),
                         Provenance::Measured});
    addTail(text, fit);
    text.rows.push_back(
        {Words::tr("Largest residual"), formatRatio(Ratio::of(std::abs(fit.largestResidual))),
         Words::tr("how far a size’s median is from the line at most"), Provenance::Measured});
    QStringList breaks;
    for (const ByteCount size : fit.breaks)
        breaks << exactBytes(size);
    text.rows.push_back(
        {Words::tr("The line breaks at"),
         breaks.isEmpty() ? Words::tr("no size") : breaks.join(QStringLiteral(", ")),
         {}});
}

QString residualText(const std::optional<double>& residual)
{
    if (!residual)
        return {};
    const QString share = formatRatio(Ratio::of(*residual));
    return *residual > 0 ? u'+' + share : share;
}

ResultTable sizesTable(const std::vector<SweepPoint>& points)
{
    ResultTable table{{{Words::tr("Size"), true},
                       {Words::tr("Count"), true},
                       {Words::tr("RTT least"), true},
                       {Words::tr("RTT median"), true},
                       {Words::tr("RTT p90"), true},
                       {Words::tr("From the line"), true}},
                      {}};
    for (const SweepPoint& point : points)
        table.rows.push_back({exactBytes(point.size), countText(point.count),
                              formatDuration(point.least), formatDuration(point.median),
                              formatDuration(point.p90), residualText(point.residual)});
    return table;
}

QString rateCell(const std::optional<BitRate>& rate)
{
    return rate ? formatBitRate(*rate) : QString();
}

ResultTable phasesTable(const std::vector<LoadedPhaseSummary>& phases)
{
    ResultTable table{{{Words::tr("Load"), false},
                       {Words::tr("RTT p50"), true},
                       {Words::tr("RTT p99"), true},
                       {Words::tr("p50 to idle"), true},
                       {Words::tr("Forward"), true},
                       {Words::tr("Reverse"), true},
                       {Words::tr("Lost"), true}},
                      {}};
    for (const LoadedPhaseSummary& phase : phases)
        table.rows.push_back({loadText(phase.load), timeText(phase.p50), timeText(phase.p99),
                              phase.ratio ? timesText(*phase.ratio) : QString(),
                              rateCell(phase.forward), rateCell(phase.reverse),
                              lossText(phase.lost, phase.sent)});
    return table;
}

} // namespace

ResultText rowsOf(const LatencyOptions& options, const LatencyData& data)
{
    const LatencySummary summary = summarise(data);
    const QString fromHundred = Words::tr("from 100 answers on");
    ResultText text;
    text.rows = {timeRow(Words::tr("RTT least"), summary.least),
                 timeRow(Words::tr("RTT p50 (median)"), summary.p50),
                 timeRow(Words::tr("RTT p90"), summary.p90),
                 timeRow(Words::tr("RTT p99"), summary.p99, fromHundred),
                 timeRow(Words::tr("RTT p99.9"), summary.p999, Words::tr("from 1,000 answers on")),
                 timeRow(Words::tr("RTT most"), summary.most)};
    if (summary.certainty)
        text.rows.push_back(
            certaintyRow(Words::tr("RTT, typical"), *summary.certainty, nanosecondsText));
    text.rows.push_back({Words::tr("Messages sent"), countText(summary.sent),
                         summary.warmUp > 0
                             ? Words::tr("and %1 before, left out as warm-up: %2 of the time")
                                   .arg(countText(summary.warmUp), formatRatio(summary.warmUpShare))
                             : QString(),
                         Provenance::Measured});
    const auto count = [&text](const QString& label, const QString& value) {
        text.rows.push_back({label, value, {}, Provenance::Measured});
    };
    count(Words::tr("Lost"), lossText(summary.lost, summary.sent));
    count(Words::tr("Came twice"), countText(summary.duplicates));
    count(Words::tr("Out of order"), countText(summary.reordered));
    addHow(text, options.method, options.wait, options.messageSize, data.means);
    addClock(text, data.clockStep);
    return text;
}

bool isEnough(const SweepSummary& summary)
{
    constexpr size_t fewest = 5; // sizes and rounds
    return summary.points.size() >= fewest &&
           std::ranges::all_of(summary.points, [](const SweepPoint& point) {
               return point.count >= static_cast<int>(fewest);
           });
}

ResultText rowsOf(const SweepOptions& options, const SweepData& data)
{
    const SweepSummary summary = summarise(data);
    ResultText text;
    if (summary.fit)
        addFit(text, *summary.fit);
    else
        text.rows.push_back(
            {Words::tr("Alpha and beta"), notKnown(),
             isEnough(summary)
                 ? Words::tr("the medians of the smallest sizes do not lie on a line: "
                             "they scatter by more than 20 %")
                 : Words::tr("five sizes and five rounds are needed")});
    text.rows.push_back({Words::tr("Waiting"), waitModeText(options.wait), {}});
    addClock(text, data.clockStep);
    if (!summary.points.empty())
        text.table = sizesTable(summary.points);
    return text;
}

ResultText rowsOf(const LoadedLatencyOptions& options, const LoadedLatencyData& data)
{
    const auto phases = summarise(data);
    ResultText text;
    const auto worst = std::ranges::max_element(
        phases, {}, [](const LoadedPhaseSummary& phase) { return phase.ratio.value_or(0); });
    if (worst != phases.end() && worst->ratio)
        text.rows.push_back({Words::tr("Under load"),
                             Words::tr("%1 the RTT p50 of idle").arg(timesText(*worst->ratio)),
                             loadText(worst->load), Provenance::Measured});
    else
        text.rows.push_back({Words::tr("Under load"), notKnown(),
                             Words::tr("nothing was measured both idle and under load")});
    addHow(text, options.method, std::nullopt, options.messageSize, data.means);
    addClock(text, data.clockStep);
    if (!phases.empty())
        text.table = phasesTable(phases);
    return text;
}

} // namespace napkin::detail
