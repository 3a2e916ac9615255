// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/runsmodel.h"

#include "core/base/errortext.h"
#include "core/quantity/format.h"
#include "core/workflow/resulttext.h"
#include "ui/measure/measurewords.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/ledger.h"
#include "ui/widgets/reltime.h"
#include "ui/worksheet/cells.h"
#include "ui/worksheet/worksheetmodel.h"

#include <QLocale>

#include <algorithm>

namespace napkin {

namespace {

using cells::unknown;

bool isText(int column)
{
    switch (column) {
    case RunsModel::Date:
    case RunsModel::Far:
    case RunsModel::Kind:
    case RunsModel::Direction:
    case RunsModel::Headline:
    case RunsModel::State:
    case RunsModel::Flags:
    case RunsModel::Label:
        return true;
    default:
        return false;
    }
}

QString stateText(const RecordSummary& record)
{
    if (record.voided)
        return RunsModel::tr("voided: %1").arg(*record.voided);
    if (record.completion == Completion::Complete)
        return RunsModel::tr("complete");
    if (!record.fault)
        return RunsModel::tr("partial: ended before its time");
    return record.fault->isCancelled() ? RunsModel::tr("partial: cancelled")
                                       : RunsModel::tr("partial: %1", "a whole sentence follows")
                                             .arg(describe(*record.fault).what);
}

QString flagsText(const RecordSummary& record)
{
    QStringList texts;
    for (const QualityFlag flag : record.flags)
        texts << qualityFlagText(flag);
    return texts.join(QLatin1Char(' '));
}

// Whether the run had a direction and streams.
bool hasFlow(const RecordSummary& record)
{
    return record.kind == ProbeKind::Throughput || record.kind == ProbeKind::UdpThroughput;
}

QString display(const RecordSummary& record, int column)
{
    switch (column) {
    case RunsModel::Number:
        return QLocale().toString(qint64(record.number));
    case RunsModel::Date:
        return QLocale().toString(record.startedAt.toLocalTime(), QLocale::ShortFormat);
    case RunsModel::Far:
        return isOfMachine(record.kind) ? record.nearName : record.farName;
    case RunsModel::Kind:
        return kindWords(record.kind);
    case RunsModel::Direction:
        if (!hasFlow(record))
            return unknown();
        switch (record.flow) {
        case Flow::Forward:
            return QStringLiteral("→");
        case Flow::Reverse:
            return QStringLiteral("←");
        case Flow::Bidirectional:
            return QStringLiteral("⇄");
        }
        return {};
    case RunsModel::Streams:
        return hasFlow(record) ? QLocale().toString(record.streams) : unknown();
    case RunsModel::Headline: {
        const QString text = headline(record);
        return text.isEmpty() ? unknown() : text;
    }
    case RunsModel::Forward:
        return record.forward ? formatGigabits(*record.forward) : unknown();
    case RunsModel::Reverse:
        return record.reverse ? formatGigabits(*record.reverse) : unknown();
    case RunsModel::Retransmits:
        return record.retransmits ? QLocale().toString(qint64(*record.retransmits)) : unknown();
    case RunsModel::Connect:
        return record.connectMedian ? formatDuration(*record.connectMedian) : unknown();
    case RunsModel::State:
        return stateText(record);
    case RunsModel::Flags:
        return flagsText(record);
    case RunsModel::Label:
        return record.label;
    default:
        return {};
    }
}

QVariant sortKey(const RecordSummary& record, int column)
{
    switch (column) {
    case RunsModel::Number:
        return qlonglong(record.number);
    case RunsModel::Date:
        return record.startedAt;
    case RunsModel::Streams:
        return hasFlow(record) ? QVariant(record.streams) : QVariant();
    case RunsModel::Forward:
        return cells::sortKey(record.forward);
    case RunsModel::Reverse:
        return cells::sortKey(record.reverse);
    case RunsModel::Retransmits:
        return cells::sortKey(record.retransmits);
    case RunsModel::Connect:
        return cells::sortKey(record.connectMedian);
    default:
        return cells::sortKey(display(record, column));
    }
}

QVariant badge(const RecordSummary& record, int column)
{
    if (column == RunsModel::Headline && !headline(record).isEmpty()) {
        return QVariant::fromValue(CellBadge{Provenance::Measured, record.origin});
    }
    const bool shown = (column == RunsModel::Forward && record.forward) ||
                       (column == RunsModel::Reverse && record.reverse) ||
                       (column == RunsModel::Connect && record.connectMedian);
    return shown ? QVariant::fromValue(CellBadge{Provenance::Measured, record.origin}) : QVariant();
}

QString toolTip(const RecordSummary& record, int column)
{
    if (column == RunsModel::Date)
        return exactTime(record.startedAt);
    if (column == RunsModel::State && record.fault && !record.voided)
        return describe(*record.fault).joined();
    QStringList lines;
    if (column == RunsModel::Headline) {
        lines << display(record, column);
        if (const QString care = careText(record, record.kind); !care.isEmpty())
            lines << care;
        if (record.manner)
            lines << RunsModel::tr("By %1").arg(mannerText(*record.manner));
    }
    if (badge(record, column).isValid())
        lines << badgeText(badge(record, column).value<CellBadge>().provenance, record.origin,
                           RunsModel::tr("run %1").arg(QLocale().toString(qint64(record.number))),
                           record.startedAt);
    return lines.isEmpty() ? display(record, column) : lines.join(QLatin1Char('\n'));
}

} // namespace

RunsModel::RunsModel(QObject* parent)
    : QAbstractTableModel(parent)
{}

void RunsModel::setRecords(std::vector<RecordSummary> records)
{
    const auto same = [](const RecordSummary& a, const RecordSummary& b) { return a.id == b.id; };
    // Newest first: what was there before is usually the tail of what is there now.
    const std::size_t old = m_records.size();
    const bool grown = old > 0 && records.size() >= old &&
                       std::equal(m_records.begin(), m_records.end(),
                                  records.end() - static_cast<std::ptrdiff_t>(old), same);
    if (!grown) {
        beginResetModel();
        m_records = std::move(records);
        endResetModel();
        return;
    }
    const int added = static_cast<int>(records.size() - old);
    if (added > 0)
        beginInsertRows({}, 0, added - 1);
    m_records = std::move(records);
    if (added > 0)
        endInsertRows();
    Q_EMIT dataChanged(index(added, 0), index(rowCount() - 1, ColumnCount - 1));
}

const RecordSummary* RunsModel::record(int row) const
{
    return row >= 0 && row < rowCount() ? &m_records[static_cast<std::size_t>(row)] : nullptr;
}

int RunsModel::rowOf(RecordId id) const
{
    const auto it = std::find_if(m_records.begin(), m_records.end(),
                                 [id](const RecordSummary& one) { return one.id == id; });
    return it == m_records.end() ? -1 : static_cast<int>(it - m_records.begin());
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    const RecordSummary* one = index.isValid() ? record(index.row()) : nullptr;
    if (!one)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return display(*one, index.column());
    case Qt::TextAlignmentRole:
        return cells::alignment(isText(index.column()));
    case Qt::ToolTipRole:
        return toolTip(*one, index.column());
    case SortRole:
        return sortKey(*one, index.column());
    case BadgeRole:
        return badge(*one, index.column());
    case CautionRole:
        return (index.column() == Flags && !one->flags.empty()) ||
               (index.column() == Headline && !careText(*one, one->kind).isEmpty());
    case Qt::AccessibleDescriptionRole:
        return index.column() == Headline ? QVariant(toolTip(*one, Headline)) : QVariant();
    case FadedRole:
        return one->voided.has_value() && index.column() != State && index.column() != Label;
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return cells::alignment(isText(section));
    if (role == Qt::ToolTipRole &&
        (section == Direction || section == Forward || section == Reverse))
        return WorksheetModel::directionHelp();
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number:
        return tr("Run");
    case Date:
        return tr("Date");
    case Far:
        return tr("Far end, or machine");
    case Kind:
        return tr("Kind");
    case Direction:
        return tr("Direction");
    case Streams:
        return tr("Streams");
    case Headline:
        return tr("Result");
    case Forward:
        return tr("→ Gb/s");
    case Reverse:
        return tr("← Gb/s");
    case Retransmits:
        return tr("Retransmissions");
    case Connect:
        return tr("Connect time");
    case State:
        return tr("State");
    case Flags:
        return tr("To be read with care");
    case Label:
        return tr("Label");
    default:
        return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags base = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Label ? base | Qt::ItemIsEditable : base;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || index.column() != Label ||
        index.row() >= rowCount())
        return false;
    RecordSummary& one = m_records[static_cast<std::size_t>(index.row())];
    const QString label = value.toString().trimmed();
    if (label == one.label)
        return false;
    one.label = label; // shown at once; the notebook's word follows
    Q_EMIT dataChanged(index, index);
    Q_EMIT labelEdited(one.id, label);
    return true;
}

} // namespace napkin
