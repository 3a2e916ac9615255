// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/worksheetcells.h"

#include "core/quantity/format.h"
#include "core/workflow/resulttext.h"
#include "ui/worksheet/cells.h"
#include "ui/worksheet/worksheetmodel.h"

#include <QLocale>

namespace napkin::worksheetcells {

using cells::unknown;

const std::optional<MeasuredRate>& measuredOf(const WorksheetRow& row, int column)
{
    switch (column) {
    case WorksheetModel::ReverseBits:
    case WorksheetModel::ReverseBytes:
    case WorksheetModel::ReverseRatio:
        return row.reverse;
    case WorksheetModel::BothBits:
        return row.bothForward ? row.bothForward : row.bothReverse;
    default:
        return row.forward;
    }
}

QString joinedRatings(const WorksheetRow& row, int column)
{
    QStringList parts;
    for (const auto& rating : row.ratings) {
        parts << (column == WorksheetModel::RatedBits
                      ? formatRatedGigabits(rating.value())
                      : formatRatedGigabytes(rating.value().toByteRate()));
    }
    return parts.isEmpty() ? unknown() : parts.join(QStringLiteral(" / "));
}

QString bits(const std::optional<MeasuredRate>& rate)
{
    return rate ? formatGigabits(rate->rate.value()) : unknown();
}

QString bytes(const std::optional<MeasuredRate>& rate)
{
    return rate ? formatGigabytes(rate->rate.value().toByteRate()) : unknown();
}

QString ratios(const std::optional<MeasuredRate>& rate)
{
    if (!rate || rate->ratios.empty())
        return unknown();
    QStringList parts;
    for (const Ratio& ratio : rate->ratios)
        parts << formatRatio(ratio);
    return parts.join(QStringLiteral(" / "));
}

QString retransmits(const WorksheetRow& row)
{
    QStringList parts;
    for (const auto* rate : {&row.forward, &row.reverse}) {
        if (*rate)
            parts << ((*rate)->retransmits ? QLocale().toString(qint64(*(*rate)->retransmits))
                                           : unknown());
    }
    return parts.isEmpty() ? unknown() : parts.join(QStringLiteral(" / "));
}

// The columns that show one time.
const std::optional<Fact<Duration>>* timeOf(const WorksheetRow& row, int column)
{
    switch (column) {
    case WorksheetModel::ConnectTime:
        return &row.connectMedian;
    case WorksheetModel::RttMedian:
        return &row.latencyP50;
    case WorksheetModel::RttTail:
        return &row.latencyP99;
    case WorksheetModel::LoadedRtt:
        return &row.loadedP50;
    case WorksheetModel::Alpha:
        return &row.alpha;
    default:
        return nullptr;
    }
}

// How messages went there and back; null where a column is of something else.
const std::optional<EchoManner>* mannerOf(const WorksheetRow& row, int column)
{
    switch (column) {
    case WorksheetModel::RttMedian:
    case WorksheetModel::RttTail:
        return &row.latencyManner;
    case WorksheetModel::LoadedRtt:
        return &row.loadedManner;
    case WorksheetModel::Alpha:
    case WorksheetModel::Beta:
        return &row.sweepManner;
    default:
        return nullptr;
    }
}

QString timeText(const WorksheetRow& row, int column)
{
    const auto& time = *timeOf(row, column);
    if (!time)
        return unknown();
    QString text = formatDuration(time->value());
    if (column == WorksheetModel::LoadedRtt && row.loadedRatio)
        text = WorksheetModel::tr("%1 (%2)", "RTT under load, against idle")
                   .arg(text, timesText(row.loadedRatio->value().value()));
    const auto* manner = mannerOf(row, column);
    return manner && *manner
               ? WorksheetModel::tr("%1 %2", "an RTT, how it was measured: 0.21 ms TCP 64 B")
                     .arg(text, mannerText(**manner))
               : text;
}

QString arrowOf(Flow flow)
{
    return flow == Flow::Bidirectional ? QStringLiteral("⇄")
           : flow == Flow::Forward     ? QStringLiteral("→")
                                       : QStringLiteral("←");
}

// "→ 95.6 Mb/s of 300 Mb/s", each way.
QString udpArrived(const WorksheetRow& row)
{
    QStringList parts;
    for (const MeasuredUdp& one : row.udp) {
        QStringList rates;
        for (const auto* rate : {&one.forward, &one.reverse}) {
            if (*rate)
                rates << formatBitRate((*rate)->value());
        }
        const QString arrived =
            arrowOf(one.flow) + QLatin1Char(' ') + rates.join(QStringLiteral(" / "));
        parts << (one.offered && one.flow != Flow::Bidirectional
                      ? WorksheetModel::tr("%1 of %2", "what arrived, what was offered")
                            .arg(arrived, formatBitRate(*one.offered))
                      : arrived);
    }
    return parts.isEmpty() ? unknown() : parts.join(QStringLiteral("   "));
}

QString udpLost(const WorksheetRow& row)
{
    QStringList parts;
    for (const MeasuredUdp& one : row.udp)
        parts << arrowOf(one.flow) + QLatin1Char(' ') +
                     (one.lost ? formatRatio(*one.lost) : unknown());
    return parts.isEmpty() ? unknown() : parts.join(QStringLiteral("   "));
}

const std::optional<Fact<BitRate>>& firstOf(const MeasuredUdp& udp)
{
    return udp.forward ? udp.forward : udp.reverse;
}

std::optional<Ratio> mostLost(const WorksheetRow& row)
{
    std::optional<Ratio> most;
    for (const MeasuredUdp& one : row.udp) {
        if (one.lost && (!most || *one.lost > *most))
            most = one.lost;
    }
    return most;
}

bool hasLost(const std::optional<Ratio>& share)
{
    return share && share->value() > 0;
}

// Whether the cell's own figure wants care, whatever else is said of the run.
bool wantsCare(const WorksheetRow& row, int column)
{
    switch (column) {
    case WorksheetModel::Name:
        return !row.flags.empty();
    case WorksheetModel::PathMtu:
        return row.isBlackHole;
    case WorksheetModel::UdpLost:
        return hasLost(mostLost(row));
    case WorksheetModel::RttMedian:
    case WorksheetModel::RttTail:
        return hasLost(row.latencyLost);
    default:
        return false;
    }
}

} // namespace napkin::worksheetcells
