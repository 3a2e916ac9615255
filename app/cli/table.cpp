// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <algorithm>
#include <numeric>

namespace napkin::cli {

namespace {

constexpr int gap = 2;
constexpr int hidden = -1;

QString fitted(const QString& cell, int width, Align align)
{
    if (cell.size() > width)
        return cell.left(width - 1) + u'…';
    return align == Align::Left ? cell.leftJustified(width) : cell.rightJustified(width);
}

int totalOf(const std::vector<int>& widths)
{
    const auto shown =
        std::count_if(widths.begin(), widths.end(), [](int w) { return w != hidden; });
    return std::accumulate(widths.begin(), widths.end(), 0,
                           [](int sum, int w) { return w == hidden ? sum : sum + w; }) +
           gap * std::max(0, static_cast<int>(shown) - 1);
}

} // namespace

Table::Table(std::vector<Column> columns)
    : m_columns(std::move(columns))
{}

void Table::add(QStringList row)
{
    row.resize(static_cast<qsizetype>(m_columns.size()));
    m_rows.push_back(std::move(row));
}

std::vector<int> Table::naturalWidths() const
{
    std::vector<int> widths;
    for (size_t i = 0; i < m_columns.size(); ++i) {
        const Column& column = m_columns[i];
        qsizetype widest = 0;
        for (const QStringList& row : m_rows)
            widest = std::max(widest, row[static_cast<qsizetype>(i)].size());
        if (widest == 0 && column.expendable > 0)
            widths.push_back(hidden);
        else
            widths.push_back(
                static_cast<int>(std::max({widest, column.title.size(), column.unit.size()})));
    }
    return widths;
}

QString Table::line(const QStringList& cells, const std::vector<int>& widths) const
{
    QStringList parts;
    for (size_t i = 0; i < m_columns.size(); ++i) {
        if (widths[i] != hidden)
            parts << fitted(cells[static_cast<qsizetype>(i)], widths[i], m_columns[i].align);
    }
    QString text = parts.join(QString(gap, u' '));
    while (text.endsWith(u' '))
        text.chop(1);
    return text;
}

bool Table::shorten(std::vector<int>& widths, int width) const
{
    int excess = totalOf(widths) - width;
    for (size_t i = m_columns.size(); i-- > 0 && excess > 0;) {
        if (!m_columns[i].elastic || widths[i] <= m_columns[i].least)
            continue;
        const int cut = std::min(excess, widths[i] - m_columns[i].least);
        widths[i] -= cut;
        excess -= cut;
    }
    return excess <= 0;
}

std::optional<size_t> Table::leastImportant(const std::vector<int>& widths) const
{
    std::optional<size_t> victim;
    for (size_t i = 0; i < m_columns.size(); ++i) {
        const int expendable = m_columns[i].expendable;
        if (widths[i] != hidden && expendable > 0 &&
            (!victim || expendable >= m_columns[*victim].expendable))
            victim = i;
    }
    return victim;
}

Table::Rendered Table::render(std::optional<int> width) const
{
    Rendered rendered;
    const std::vector<int> natural = naturalWidths();
    std::vector<bool> isLeftOut(m_columns.size(), false);
    std::vector<int> widths = natural;
    while (width && totalOf(widths) > *width && !shorten(widths, *width)) {
        const auto victim = leastImportant(widths);
        if (!victim)
            break; // narrower than the least that makes sense
        isLeftOut[*victim] = true;
        const Column& column = m_columns[*victim];
        const QString name = column.name.isEmpty() ? column.title : column.name;
        if (!rendered.leftOut.contains(name))
            rendered.leftOut << name;
        for (size_t i = 0; i < m_columns.size(); ++i)
            widths[i] = isLeftOut[i] ? hidden : natural[i];
    }

    QStringList titles;
    QStringList units;
    for (const Column& column : m_columns) {
        titles << column.title;
        units << column.unit;
    }
    QStringList lines{line(titles, widths)};
    if (std::any_of(m_columns.begin(), m_columns.end(),
                    [](const Column& c) { return !c.unit.isEmpty(); }))
        lines << line(units, widths);
    for (const QStringList& row : m_rows)
        lines << line(row, widths);
    rendered.text = lines.join(u'\n');
    return rendered;
}

} // namespace napkin::cli
