// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/notebook/worksheet.h"

#include <QAbstractTableModel>

#include <memory>

namespace napkin {

// Rated beside measured: one row a link (in one period of it) or far end. Units are in the headers;
// what is not known reads "–" and sorts last.
class WorksheetModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Name,
        Class,
        RatedBits, // one figure of everything first, as far as a window is wide
        ForwardBits,
        ForwardRatio,
        ReverseBits,
        ReverseRatio,
        RttMedian,
        RttTail,
        LoadedRtt,
        PathMtu,
        UdpArrived,
        UdpLost,
        LastMeasured,
        Label,
        RatedBytes,
        ForwardBytes,
        ReverseBytes,
        BothBits,
        Retransmits,
        ConnectTime,
        Alpha,
        Beta,
        Runs,
        ColumnCount,
    };

    explicit WorksheetModel(std::shared_ptr<const Clock> clock, QObject* parent = nullptr);

    void setRows(std::vector<WorksheetRow> rows);
    [[nodiscard]] const WorksheetRow* row(int index) const; // null out of range
    [[nodiscard]] const std::vector<WorksheetRow>& rows() const { return m_rows; }
    // The row a run is shown in; -1 when there is none.
    [[nodiscard]] int rowOf(const RecordSummary& record) const;
    // The row of the same link and period, or the same far end; -1 when there is none.
    [[nodiscard]] int rowLike(const WorksheetRow& other) const;
    // Whether the run belongs to that row.
    [[nodiscard]] static bool belongs(const RecordSummary& record, const WorksheetRow& row);
    // What → and ← mean in the tables: for a header's tooltip.
    [[nodiscard]] static QString directionHelp();
    // Words begin at the left, numbers end at the right.
    [[nodiscard]] static bool isTextColumn(int column);
    void refreshTimes(); // "2 h ago" moves on

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString display(const WorksheetRow& row, int column) const;
    [[nodiscard]] static QVariant sortKey(const WorksheetRow& row, int column);
    [[nodiscard]] static QVariant badge(const WorksheetRow& row, int column);
    [[nodiscard]] QString toolTip(const WorksheetRow& row, int column) const;
    [[nodiscard]] static QStringList echoTip(const WorksheetRow& row, int column);
    [[nodiscard]] static QStringList udpTip(const WorksheetRow& row);

    std::shared_ptr<const Clock> m_clock;
    std::vector<WorksheetRow> m_rows;
};

} // namespace napkin
