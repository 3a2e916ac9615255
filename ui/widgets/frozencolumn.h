// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace napkin {

class LedgerView;

// The first column of a ledger, laid over its left edge so that it stays in sight while the others
// are scrolled. It shares model and selection; the keyboard stays with the ledger. Where it would
// take more than half of the width it steps aside.
class FrozenColumn : public QTableView
{
    Q_OBJECT
public:
    explicit FrozenColumn(LedgerView* ledger); // which has its model already

    void follow(); // the ledger's size, widths and rows

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void sortByIt();
    void showOnlyIt(); // to the one column
    LedgerView* m_ledger;
};

} // namespace napkin
