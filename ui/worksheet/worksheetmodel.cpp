// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/worksheetmodel.h"

#include "core/quantity/format.h"
#include "core/workflow/resulttext.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/ledger.h"
#include "ui/widgets/reltime.h"
#include "ui/worksheet/cells.h"
#include "ui/worksheet/worksheetcells.h"

#include <algorithm>

namespace napkin {

namespace {

using namespace worksheetcells;
using cells::unknown;

bool isSame(const WorksheetRow& a, const WorksheetRow& b)
{
    return a.link == b.link && a.period == b.period && (a.link || a.name == b.name);
}

template <typename T>
QVariant badgeOf(const std::optional<Fact<T>>& fact)
{
    return fact ? QVariant::fromValue(CellBadge{fact->provenance(), fact->origin()}) : QVariant();
}

template <typename T>
QString sourceOf(const std::optional<Fact<T>>& fact)
{
    return fact ? badgeText(*fact) : QString();
}

QVariant rateKey(const std::optional<MeasuredRate>& rate)
{
    return cells::sortKey(rate ? std::optional(rate->rate.value()) : std::nullopt);
}

} // namespace

WorksheetModel::WorksheetModel(std::shared_ptr<const Clock> clock, QObject* parent)
    : QAbstractTableModel(parent)
    , m_clock(std::move(clock))
{}

void WorksheetModel::setRows(std::vector<WorksheetRow> rows)
{
    const bool sameRows = rows.size() == m_rows.size() &&
                          std::equal(rows.begin(), rows.end(), m_rows.begin(), isSame);
    if (!sameRows) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    // Selection and scroll position stay.
    m_rows = std::move(rows);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const WorksheetRow* WorksheetModel::row(int index) const
{
    return index >= 0 && index < rowCount() ? &m_rows[static_cast<std::size_t>(index)] : nullptr;
}

bool WorksheetModel::belongs(const RecordSummary& record, const WorksheetRow& row)
{
    return holds(row, record);
}

int WorksheetModel::rowOf(const RecordSummary& record) const
{
    for (int i = 0; i < rowCount(); ++i) {
        if (belongs(record, *row(i)))
            return i;
    }
    return -1;
}

int WorksheetModel::rowLike(const WorksheetRow& other) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&other](const WorksheetRow& row) { return isSame(row, other); });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

void WorksheetModel::refreshTimes()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, LastMeasured), index(rowCount() - 1, LastMeasured),
                           {Qt::DisplayRole});
}

int WorksheetModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WorksheetModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WorksheetModel::data(const QModelIndex& index, int role) const
{
    const WorksheetRow* one = index.isValid() ? row(index.row()) : nullptr;
    if (!one)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return display(*one, index.column());
    case Qt::TextAlignmentRole:
        return cells::alignment(isTextColumn(index.column()));
    case Qt::ToolTipRole:
        return toolTip(*one, index.column());
    case SortRole:
        return sortKey(*one, index.column());
    case BadgeRole:
        return badge(*one, index.column());
    case EndsRole:
        return index.column() == Name; // an address or a port may be all that tells two apart
    case CautionRole:
        return wantsCare(*one, index.column());
    case Qt::AccessibleDescriptionRole:
        return toolTip(*one, index.column());
    default:
        return {};
    }
}

QString WorksheetModel::display(const WorksheetRow& row, int column) const
{
    switch (column) {
    case Name:
        return row.name;
    case Class:
        return row.className.isEmpty() ? unknown() : row.className;
    case RatedBits:
    case RatedBytes:
        return joinedRatings(row, column);
    case ForwardBits:
    case ReverseBits:
        return bits(measuredOf(row, column));
    case ForwardBytes:
    case ReverseBytes:
        return bytes(measuredOf(row, column));
    case ForwardRatio:
    case ReverseRatio:
        return ratios(measuredOf(row, column));
    case BothBits:
        return row.bothForward || row.bothReverse
                   ? bits(row.bothForward) + QStringLiteral(" / ") + bits(row.bothReverse)
                   : unknown();
    case Retransmits:
        return retransmits(row);
    case ConnectTime:
    case RttMedian:
    case RttTail:
    case LoadedRtt:
    case Alpha:
        return timeText(row, column);
    case PathMtu:
        return row.pathMtu ? QLocale().toString(row.pathMtu->value()) : unknown();
    case UdpArrived:
        return udpArrived(row);
    case UdpLost:
        return udpLost(row);
    case Beta:
        return row.beta ? formatGigabytes(row.beta->value()) : unknown();
    case LastMeasured:
        return row.lastMeasured.isValid() ? relativeTime(row.lastMeasured, m_clock->now())
                                          : tr("never");
    case Label:
        return row.label;
    case Runs:
        return QLocale().toString(row.runs);
    default:
        return {};
    }
}

QVariant WorksheetModel::sortKey(const WorksheetRow& row, int column)
{
    switch (column) {
    case Name:
        return row.name;
    case Class:
        return cells::sortKey(row.className);
    case RatedBits:
    case RatedBytes:
        return row.ratings.empty() ? QVariant()
                                   : qlonglong(row.ratings.front().value().bitsPerSecond());
    case ForwardBits:
    case ForwardBytes:
    case ReverseBits:
    case ReverseBytes:
    case BothBits:
        return rateKey(measuredOf(row, column));
    case ForwardRatio:
    case ReverseRatio: {
        const auto& rate = measuredOf(row, column);
        return rate && !rate->ratios.empty() ? QVariant(rate->ratios.front().value()) : QVariant();
    }
    case Retransmits: {
        const auto& rate = row.forward ? row.forward : row.reverse;
        return rate ? cells::sortKey(rate->retransmits) : QVariant();
    }
    case ConnectTime:
    case RttMedian:
    case RttTail:
    case LoadedRtt:
    case Alpha: {
        const auto& time = *timeOf(row, column);
        return time ? cells::sortKey(std::optional(time->value())) : QVariant();
    }
    case PathMtu:
        return row.pathMtu ? QVariant(row.pathMtu->value()) : QVariant();
    case UdpArrived:
        return row.udp.empty() || !firstOf(row.udp.front())
                   ? QVariant()
                   : qlonglong(firstOf(row.udp.front())->value().bitsPerSecond());
    case UdpLost: {
        const auto lost = mostLost(row);
        return lost ? QVariant(lost->value()) : QVariant();
    }
    case Beta:
        return row.beta ? QVariant(qlonglong(row.beta->value().bytesPerSecond())) : QVariant();
    case LastMeasured:
        return row.lastMeasured.isValid() ? QVariant(row.lastMeasured) : QVariant();
    case Label:
        return cells::sortKey(row.label);
    case Runs:
        return row.runs;
    default:
        return {};
    }
}

QVariant WorksheetModel::badge(const WorksheetRow& row, int column)
{
    switch (column) {
    case RatedBits:
    case RatedBytes:
        if (!row.ratings.empty()) {
            return QVariant::fromValue(
                CellBadge{row.ratings.front().provenance(), row.ratings.front().origin()});
        }
        break;
    case ForwardBits:
    case ForwardBytes:
    case ReverseBits:
    case ReverseBytes:
    case BothBits:
        if (const auto& rate = measuredOf(row, column))
            return QVariant::fromValue(CellBadge{rate->rate.provenance(), rate->rate.origin()});
        break;
    case ConnectTime:
    case RttMedian:
    case RttTail:
    case LoadedRtt:
    case Alpha:
        return badgeOf(*timeOf(row, column));
    case PathMtu:
        return badgeOf(row.pathMtu);
    case UdpArrived:
        return row.udp.empty() ? QVariant() : badgeOf(firstOf(row.udp.front()));
    case UdpLost:
        return mostLost(row) ? badgeOf(firstOf(row.udp.front())) : QVariant();
    case Beta:
        return badgeOf(row.beta);
    default:
        break;
    }
    return {};
}

// What makes an RTT one that can be compared, and what it leaves out.
QStringList WorksheetModel::echoTip(const WorksheetRow& row, int column)
{
    QStringList lines;
    const auto* manner = mannerOf(row, column);
    if (manner && *manner)
        lines << tr("By %1, waiting: %2. Runs with other messages stand in the list below.")
                     .arg(mannerText({(*manner)->method, WaitMode::Blocking, (*manner)->size}),
                          waitModeText((*manner)->wait));
    if ((column == RttMedian || column == RttTail) && hasLost(row.latencyLost))
        lines << tr("%1 of the messages had no answer and are not in it.")
                     .arg(formatRatio(*row.latencyLost));
    return lines;
}

QStringList WorksheetModel::udpTip(const WorksheetRow& row)
{
    QStringList lines;
    for (const MeasuredUdp& one : row.udp) {
        const auto& fact = firstOf(one);
        if (!fact)
            continue;
        const QString run =
            badgeText(fact->provenance(), fact->origin(),
                      tr("run %1").arg(QLocale().toString(qint64(one.number))), fact->date());
        lines << arrowOf(one.flow) + QLatin1Char(' ') + run;
        if (one.offered)
            lines << tr("%1 offered, %2 lost")
                         .arg(formatBitRate(*one.offered),
                              one.lost ? formatRatio(*one.lost) : tr("not known how much"));
    }
    return lines;
}

QString WorksheetModel::toolTip(const WorksheetRow& row, int column) const
{
    QStringList lines;
    switch (column) {
    case RatedBits:
    case RatedBytes:
        for (const auto& rating : row.ratings)
            lines << formatRating(rating.value()) + QStringLiteral(": ") + badgeText(rating);
        break;
    case ForwardBits:
    case ForwardBytes:
    case ForwardRatio:
    case ReverseBits:
    case ReverseBytes:
    case ReverseRatio:
    case BothBits:
        if (const auto& rate = measuredOf(row, column)) {
            lines << badgeText(rate->rate.provenance(), rate->rate.origin(),
                               tr("run %1").arg(QLocale().toString(qint64(rate->number))),
                               rate->rate.date());
        }
        break;
    case Retransmits:
        if (row.forward && row.reverse)
            lines << tr("→ / ←, segments sent again");
        else
            lines << tr("Segments sent again");
        break;
    case RttMedian:
    case RttTail:
    case LoadedRtt:
    case Alpha:
        if (*timeOf(row, column))
            lines << display(row, column) << sourceOf(*timeOf(row, column));
        lines << echoTip(row, column);
        break;
    case PathMtu:
        if (row.pathMtu)
            lines << sourceOf(row.pathMtu);
        if (row.isBlackHole)
            lines << tr("Larger packets vanish without a word: a black hole. Connections may stand "
                        "and large transfers stall.");
        break;
    case UdpArrived:
    case UdpLost:
        lines << udpTip(row);
        break;
    case Beta:
        if (row.beta)
            lines << formatByteRate(row.beta->value()) << sourceOf(row.beta);
        lines << echoTip(row, column);
        break;
    case LastMeasured:
        lines << exactTime(row.lastMeasured);
        break;
    default:
        lines << display(row, column);
        break;
    }
    for (const QualityFlag flag : row.flags)
        lines << qualityFlagText(flag);
    return lines.join(QLatin1Char('\n'));
}

} // namespace napkin
