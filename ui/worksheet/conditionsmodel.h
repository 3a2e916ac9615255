// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workflow/conditionrows.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace napkin {

// The conditions of a run as a table, a heading before each group. What changed since the run
// before carries a sign and the word.
class ConditionsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { What, Near, Far, ColumnCount };

    explicit ConditionsModel(QObject* parent = nullptr);

    void setRows(std::vector<ConditionRow> rows);
    void setEnds(const QString& near, const QString& far); // names, for the headings
    void setMachine(const QString& name);                  // of a run that has no far end
    [[nodiscard]] bool isHeading(int row) const;
    [[nodiscard]] int changes() const; // cells that changed

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Line
    {
        ConditionGroup group = ConditionGroup::Machine;
        std::optional<ConditionRow> row; // none: the group's heading
    };
    std::vector<Line> m_lines;
    QString m_near;
    QString m_far;
};

} // namespace napkin
