// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/record.h"

#include <QAbstractTableModel>

#include <vector>

namespace napkin {

// The runs behind the worksheet, one row a run; partial and voided ones too. The label is edited in
// place: setData tells whoever writes the notebook.
class RunsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Number,
        Date,
        Kind,
        Direction,
        Headline, // the one figure of any kind
        Forward,
        Reverse,
        Connect,
        State, // within sight of the figures, for what it says of them
        Far,
        Streams,
        Retransmits,
        Flags,
        Label,
        ColumnCount,
    };

    explicit RunsModel(QObject* parent = nullptr);

    void setRecords(std::vector<RecordSummary> records);
    [[nodiscard]] const RecordSummary* record(int row) const; // null out of range
    [[nodiscard]] int rowOf(RecordId id) const;               // -1: not there

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void labelEdited(napkin::RecordId record, const QString& label);

private:
    std::vector<RecordSummary> m_records;
};

} // namespace napkin
