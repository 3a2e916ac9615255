// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace napkin::cli {

enum class Align { Left, Right };

struct Column
{
    QString title;
    QString unit; // second line of the header; may be empty
    Align align = Align::Left;
    int expendable = 0;   // 0: always shown; else the highest is left out first
    bool elastic = false; // text that may be shortened
    QString name = {};    // in the list of what was left out; the title unless given
    int least = 12;       // an elastic one is not made narrower
};

// An aligned text table that fits a given width: long texts are shortened, then the least important
// columns left out. A column without any content is left out as well, unless it is always shown.
class Table
{
public:
    explicit Table(std::vector<Column> columns);
    void add(QStringList row); // as many cells as columns

    struct Rendered
    {
        QString text;        // without a line break at the end
        QStringList leftOut; // names of the columns for which there was no room
    };
    [[nodiscard]] Rendered render(std::optional<int> width) const;

private:
    [[nodiscard]] std::vector<int> naturalWidths() const;
    // Shortens elastic columns; false when that is not enough.
    bool shorten(std::vector<int>& widths, int width) const;
    [[nodiscard]] std::optional<size_t> leastImportant(const std::vector<int>& widths) const;
    [[nodiscard]] QString line(const QStringList& cells, const std::vector<int>& widths) const;

    std::vector<Column> m_columns;
    std::vector<QStringList> m_rows;
};

} // namespace napkin::cli
