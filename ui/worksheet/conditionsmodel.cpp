// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/worksheet/conditionsmodel.h"

#include "core/workflow/factstext.h"
#include "ui/widgets/ledger.h"

namespace napkin {

namespace {

QString cellText(const ConditionCell& cell)
{
    if (!cell.isKnown())
        return unknownText(cell.whyNot);
    return cell.changed ? ConditionsModel::tr("≠ %1 (changed, was %2)").arg(cell.text, cell.before)
                        : cell.text;
}

QString cellTip(const ConditionCell& cell)
{
    QString text = cellText(cell);
    if (cell.changed || cell.before.isEmpty() || cell.before == cell.text)
        return text;
    return ConditionsModel::tr("%1\nIn the run before: %2").arg(text, cell.before);
}

} // namespace

ConditionsModel::ConditionsModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_near(tr("Near end"))
    , m_far(tr("Far end"))
{}

void ConditionsModel::setRows(std::vector<ConditionRow> rows)
{
    beginResetModel();
    m_lines.clear();
    for (ConditionRow& row : rows) {
        if (m_lines.empty() || m_lines.back().group != row.group)
            m_lines.push_back({row.group, std::nullopt});
        m_lines.push_back({row.group, std::move(row)});
    }
    endResetModel();
}

void ConditionsModel::setEnds(const QString& near, const QString& far)
{
    m_near = near.isEmpty() ? tr("Near end") : tr("Near end: %1").arg(near);
    m_far = far.isEmpty() ? tr("Far end") : tr("Far end: %1").arg(far);
    Q_EMIT headerDataChanged(Qt::Horizontal, Near, Far);
}

void ConditionsModel::setMachine(const QString& name)
{
    m_near = name.isEmpty() ? tr("Machine") : tr("Machine: %1").arg(name);
    m_far.clear();
    Q_EMIT headerDataChanged(Qt::Horizontal, Near, Far);
}

bool ConditionsModel::isHeading(int row) const
{
    return row >= 0 && row < rowCount() && !m_lines[static_cast<std::size_t>(row)].row;
}

int ConditionsModel::changes() const
{
    int count = 0;
    for (const Line& line : m_lines) {
        if (line.row)
            count += (line.row->near.changed ? 1 : 0) + (line.row->far.changed ? 1 : 0);
    }
    return count;
}

int ConditionsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int ConditionsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ConditionsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    if (!line.row) {
        if (index.column() != What)
            return {};
        if (role == Qt::DisplayRole)
            return conditionGroupText(line.group);
        return role == StrongRole ? QVariant(true) : QVariant();
    }
    if (index.column() == What) {
        return role == Qt::DisplayRole || role == Qt::ToolTipRole ? line.row->name : QVariant();
    }
    const ConditionCell& cell = index.column() == Near ? line.row->near : line.row->far;
    switch (role) {
    case Qt::DisplayRole:
        return cellText(cell);
    case Qt::ToolTipRole:
        return cellTip(cell);
    case MutedRole:
        return !cell.isKnown();
    case StrongRole:
        return cell.changed;
    default:
        return {};
    }
}

QVariant ConditionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case What:
        return tr("Condition");
    case Near:
        return m_near;
    case Far:
        return m_far;
    default:
        return {};
    }
}

} // namespace napkin
