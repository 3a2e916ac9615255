// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workflow/resulttext.h"

#include <QDateTime>
#include <QWidget>

class QGridLayout;
class QHBoxLayout;
class QVBoxLayout;

namespace napkin {

class CellLayout;

// Which run a figure comes from, for its badge.
struct RunSource
{
    Origin origin = Origin::Mine;
    QString name; // "run 12", "not recorded"
    QDateTime startedAt;
};

// What a run found: the figure that stands for it, then rows of figures, each with its badge. Short
// ones stand side by side as far as there is room, those with a remark and sentences have a line
// each, a command can be copied, a wide table is scrolled, a long one unfolds.
class ResultView : public QWidget
{
    Q_OBJECT
public:
    explicit ResultView(RunSource source, QWidget* parent = nullptr);

    // `care`: why it wants to be read with care; marked, if not empty.
    void addHeadline(const QString& text, Provenance provenance, const QString& care = {});
    void addRows(const std::vector<ResultRow>& rows);
    void addTable(const ResultTable& table, const QString& title);
    // Headline, rows and table of one of the kinds that resultText() knows.
    void addResult(const ProbeResult& result);

private:
    [[nodiscard]] QWidget* makeBadge(Provenance provenance) const;
    [[nodiscard]] QHBoxLayout* makeFigure(const ResultRow& row) const;
    void addCell(const ResultRow& row);
    void addLine(QGridLayout& lines, const ResultRow& row);
    void addGrid(const ResultTable& table, const QString& title);
    void addFolded(const ResultTable& table, const QString& title);

    RunSource m_source;
    QVBoxLayout* m_column;
    QGridLayout* m_lines;
    QGridLayout* m_remarks; // what is not known and why, and words: below the figures
    CellLayout* m_cells;
};

} // namespace napkin
