// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace napkin {

// Flat headings: the words in the secondary colour, a small arrow at the sorted one.
class LedgerHeader : public QHeaderView
{
    Q_OBJECT
public:
    explicit LedgerHeader(QWidget* parent);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override;
};

} // namespace napkin
