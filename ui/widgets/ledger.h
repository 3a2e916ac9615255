// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/provenance.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

class QSettings;

namespace napkin {

class FrozenColumn;

// A badge as a table cell carries it.
struct CellBadge
{
    Provenance provenance = Provenance::Measured;
    Origin origin = Origin::Mine;
    bool operator==(const CellBadge&) const = default;
};

enum LedgerRole {
    SortRole = Qt::UserRole, // typed; invalid: not known, stands last in either order
    BadgeRole,               // CellBadge, drawn after the text
    FadedRole,               // bool: does not count (voided)
    CautionRole,             // bool: to be read with care; the tooltip says why. As EndsRole, too:
                             // what is to be heeded ends the words
    EndsRole,                // bool: words that do not fit lose their middle, not their end
    MutedRole,               // bool: words that stand for a value, in the secondary colour
    StrongRole,              // bool: in bold
};

// Unknown values last, whichever way it is sorted.
class LedgerSorter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit LedgerSorter(QObject* parent = nullptr);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

// A table that reads like a ledger: no grid, a light line under each row, the row under the pointer
// tinted, the selected one clear, flat headings.
class LedgerView : public QTableView
{
    Q_OBJECT
public:
    explicit LedgerView(QWidget* parent = nullptr);

    [[nodiscard]] int hoveredRow() const { return m_hovered; }
    // The selected rows (or all, when none is) as tab-separated text with the header.
    [[nodiscard]] QString selectedText() const;
    void copy() const;
    // Widths fit for the contents, within bounds; columns grow with what comes, and never shrink.
    // Nothing happens once the user has set a width.
    void fitColumns();
    // The first column stays in sight. Once, when the model is set.
    void freezeFirstColumn();
    [[nodiscard]] FrozenColumn* frozenColumn() const { return m_frozen; } // null: none
    void setHovered(int row);                                             // -1: none
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    // Order, sorting and widths, to be restored another day.
    void saveColumns(QSettings& settings, const QString& key) const;
    void restoreColumns(const QSettings& settings, const QString& key);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void updateGeometries() override;

private:
    void restyle();
    FrozenColumn* m_frozen = nullptr;
    int m_hovered = -1;
    bool m_restyling = false;
    bool m_fitted = false;
    bool m_sized = false; // by the user
};

class LedgerDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit LedgerDelegate(LedgerView* view);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    LedgerView* m_view;
};

} // namespace napkin

Q_DECLARE_METATYPE(napkin::CellBadge)
