// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/celllayout.h"

#include "ui/theme/theme.h"

#include <QWidget>

#include <algorithm>

namespace napkin {

namespace {

constexpr int between = gap(3); // name and figure, and two cells
constexpr int betweenRows = gap(1);

} // namespace

CellLayout::CellLayout(int mostAcross)
    : m_most(mostAcross)
{}

CellLayout::~CellLayout() = default;

void CellLayout::addPair(QWidget* name, QWidget* figure)
{
    addWidget(name);
    addWidget(figure);
}

void CellLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
    invalidate();
}

int CellLayout::count() const
{
    return static_cast<int>(m_items.size());
}

QLayoutItem* CellLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* CellLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    const auto at = m_items.begin() + index;
    QLayoutItem* taken = at->release(); // the caller's now
    m_items.erase(at);
    return taken;
}

std::vector<CellLayout::Column> CellLayout::columns(int across) const
{
    std::vector<Column> all(static_cast<std::size_t>(across));
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        Column& column = all[i / 2 % all.size()];
        int& width = i % 2 == 0 ? column.name : column.figure;
        width = std::max(width, m_items[i]->sizeHint().width());
    }
    return all;
}

int CellLayout::widthOf(const std::vector<Column>& columns) const
{
    int width = 0;
    for (const Column& one : columns)
        width += one.name + between + one.figure;
    return width + (static_cast<int>(columns.size()) - 1) * between;
}

int CellLayout::across(int width) const
{
    int fitting = m_most;
    while (fitting > 1 && widthOf(columns(fitting)) > width)
        --fitting;
    return fitting;
}

int CellLayout::rowHeight() const
{
    int height = 0;
    for (const auto& item : m_items)
        height = std::max(height, item->sizeHint().height());
    return height;
}

QSize CellLayout::sizeHint() const
{
    const int width = widthOf(columns(m_most));
    return {width, heightForWidth(width)};
}

QSize CellLayout::minimumSize() const
{
    return {m_items.empty() ? 0 : widthOf(columns(1)), rowHeight()};
}

int CellLayout::heightForWidth(int width) const
{
    if (m_items.empty())
        return 0;
    const int cells = (count() + 1) / 2;
    const int perRow = across(width);
    const int rows = (cells + perRow - 1) / perRow;
    return rows * rowHeight() + (rows - 1) * betweenRows;
}

void CellLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    const std::vector<Column> all = columns(across(rect.width()));
    const int height = rowHeight();
    QPoint at = rect.topLeft();
    std::size_t column = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const bool isName = i % 2 == 0;
        const int width = isName ? all[column].name : all[column].figure;
        m_items[i]->setGeometry(QRect(at, QSize(width, height)));
        at.rx() += width + between;
        if (isName)
            continue;
        column = (column + 1) % all.size();
        if (column == 0)
            at = QPoint(rect.left(), at.y() + height + betweenRows);
    }
}

} // namespace napkin
