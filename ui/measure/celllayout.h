// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace napkin {

// Names and figures, a pair a cell: as many cells side by side as there is room for, at most
// `mostAcross`, the others below. Names and figures of a column begin in line.
class CellLayout : public QLayout
{
public:
    explicit CellLayout(int mostAcross);
    ~CellLayout() override;

    void addPair(QWidget* name, QWidget* figure);
    [[nodiscard]] int across(int width) const; // cells side by side in that width

    void addItem(QLayoutItem* item) override; // a name, then its figure
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;

private:
    struct Column
    {
        int name = 0;
        int figure = 0;
    };
    [[nodiscard]] std::vector<Column> columns(int across) const;
    [[nodiscard]] int widthOf(const std::vector<Column>& columns) const;
    [[nodiscard]] int rowHeight() const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    int m_most;
};

} // namespace napkin
