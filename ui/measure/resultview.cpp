// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/resultview.h"

#include "ui/measure/celllayout.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/copyline.h"
#include "ui/widgets/foldbutton.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/ledger.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>

#include <algorithm>

namespace napkin {

namespace {

constexpr int cellsAcross = 3;
constexpr int longestCell = 40; // characters
constexpr int longestName = 24;
constexpr std::size_t longestGrid = 8; // rows

bool isCommand(const QString& value)
{
    return value.startsWith(QLatin1StringView("ping "));
}

bool isShort(const ResultRow& row)
{
    return row.value.size() <= longestCell && row.label.size() <= longestName &&
           !row.value.endsWith(QLatin1Char('.')) && row.remark.isEmpty();
}

QLabel* plainLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    return label;
}

// As tall as what is in it, and no wider than there is room: what is beyond is scrolled to.
class SideScroll final : public QScrollArea
{
public:
    explicit SideScroll(QWidget* content)
    {
        setWidget(content);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        content->setAutoFillBackground(false);
        viewport()->setAutoFillBackground(false);
    }
    [[nodiscard]] QSize sizeHint() const override
    {
        return {widget()->sizeHint().width(), heightFor(width())};
    }
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        return {leastWidth, heightFor(width())};
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        setFixedHeight(heightFor(width()));
        // Reached by the keyboard where there is something to scroll.
        setFocusPolicy(scrolls(width()) ? Qt::TabFocus : Qt::NoFocus);
    }

private:
    static constexpr int leastWidth = 160;
    [[nodiscard]] bool scrolls(int width) const
    {
        return widget()->minimumSizeHint().width() > width;
    }
    [[nodiscard]] int heightFor(int width) const
    {
        const int bar = scrolls(width) ? horizontalScrollBar()->sizeHint().height() : 0;
        return widget()->sizeHint().height() + bar;
    }
};

} // namespace

ResultView::ResultView(RunSource source, QWidget* parent)
    : QWidget(parent)
    , m_source(std::move(source))
    , m_column(new QVBoxLayout(this))
    , m_lines(new QGridLayout)
    , m_remarks(new QGridLayout)
    , m_cells(new CellLayout(cellsAcross))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(gap(2));
    for (QGridLayout* lines : {m_lines, m_remarks}) {
        lines->setHorizontalSpacing(gap(3));
        lines->setVerticalSpacing(gap(1));
        lines->setColumnStretch(1, 1);
    }
    m_column->addLayout(m_lines);
    m_column->addLayout(m_cells);
    m_column->addLayout(m_remarks);
}

QWidget* ResultView::makeBadge(Provenance provenance) const
{
    auto* badge = new Badge;
    badge->setFact(provenance, m_source.origin,
                   badgeText(provenance, m_source.origin, m_source.name, m_source.startedAt));
    return badge;
}

void ResultView::addHeadline(const QString& text, Provenance provenance, const QString& care)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(gap(2));
    auto* label = new TypeLabel(text, TypeSize::Heading);
    label->setTextFormat(Qt::PlainText);
    row->addWidget(label);
    row->addWidget(makeBadge(provenance));
    if (!care.isEmpty()) {
        auto* mark = new QLabel;
        QPalette inks = palette();
        inks.setColor(QPalette::WindowText, themeColor(ColorRole::Caution, inks));
        const int side = label->fontMetrics().height();
        mark->setPixmap(themeIcon(u"caution", inks).pixmap(QSize(side, side), devicePixelRatioF()));
        mark->setToolTip(care);
        mark->setAccessibleName(care);
        row->addWidget(mark);
    }
    row->addStretch();
    m_column->insertLayout(0, row);
}

QHBoxLayout* ResultView::makeFigure(const ResultRow& row) const
{
    auto* line = new QHBoxLayout;
    line->setSpacing(gap(1));
    const bool known = !row.value.isEmpty();
    QLabel* figure = plainLabel(known ? row.value : QStringLiteral("–"));
    figure->setToolTip(known ? row.remark : tr("Not known"));
    line->addWidget(figure);
    if (known && row.provenance) { // before a sentence, after a figure
        const bool isSentence = row.value.size() > longestCell;
        line->insertWidget(isSentence ? 0 : 1, makeBadge(*row.provenance), 0,
                           isSentence ? Qt::AlignTop : Qt::AlignVCenter);
    }
    return line;
}

void ResultView::addCell(const ResultRow& row)
{
    QHBoxLayout* line = makeFigure(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addStretch();
    auto* figure = new QWidget;
    figure->setLayout(line);
    m_cells->addPair(new TypeLabel(row.label, TypeSize::Small), figure);
}

void ResultView::addLine(QGridLayout& lines, const ResultRow& row)
{
    const int at = lines.rowCount();
    if (isCommand(row.value)) {
        auto* command = new CopyLine(row.label, row.value);
        command->setToolTip(row.remark);
        lines.addWidget(command, at, 0, 1, 2);
        return;
    }
    auto* label = new TypeLabel(row.label, TypeSize::Small);
    lines.addWidget(label, at, 0, Qt::AlignLeft | Qt::AlignTop);
    QHBoxLayout* line = makeFigure(row);
    if (row.value.size() > longestCell) { // a sentence
        const int last = line->count() - 1;
        qobject_cast<QLabel*>(line->itemAt(last)->widget())->setWordWrap(true);
        line->setStretch(last, 1);
    }
    if (!row.remark.isEmpty()) {
        auto* remark = new TypeLabel(row.remark, TypeSize::Small);
        remark->setTextFormat(Qt::PlainText);
        remark->setWordWrap(true);
        line->addSpacing(gap(1));
        line->addWidget(remark, 1);
    } else if (row.value.size() <= longestCell) {
        line->addStretch();
    }
    lines.addLayout(line, at, 1);
}

void ResultView::addRows(const std::vector<ResultRow>& rows)
{
    for (const ResultRow& row : rows) {
        if (isShort(row) && !isCommand(row.value))
            addCell(row);
        else
            addLine(row.provenance || row.remark.isEmpty() ? *m_lines : *m_remarks, row);
    }
}

void ResultView::addTable(const ResultTable& table, const QString& title)
{
    if (table.rows.size() <= longestGrid)
        addGrid(table, title);
    else
        addFolded(table, title);
}

void ResultView::addGrid(const ResultTable& table, const QString& title)
{
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(gap(3));
    grid->setVerticalSpacing(gap(1));
    const auto side = [&](std::size_t column) {
        return (table.columns[column].isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
    };
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        grid->addWidget(new TypeLabel(table.columns[column].title, TypeSize::Small), 0,
                        static_cast<int>(column), side(column));
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const QString text = table.rows[row].value(static_cast<qsizetype>(column));
            auto* cell = new QHBoxLayout;
            cell->setSpacing(gap(1));
            cell->addWidget(plainLabel(text.isEmpty() ? QStringLiteral("–") : text));
            if (table.columns[column].isFigure) // an empty one keeps the figures in line
                cell->addWidget(text.isEmpty() ? new Badge : makeBadge(Provenance::Measured));
            auto* holder = new QWidget;
            cell->setContentsMargins(0, 0, 0, 0);
            holder->setLayout(cell);
            grid->addWidget(holder, static_cast<int>(row) + 1, static_cast<int>(column),
                            side(column));
        }
    }
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        // Titles end where the figures end, before the badges.
        if (table.columns[column].isFigure)
            grid->itemAtPosition(0, static_cast<int>(column))
                ->widget()
                ->setContentsMargins(0, 0, Badge().sizeHint().width() + gap(1), 0);
    }
    grid->setColumnStretch(static_cast<int>(table.columns.size()), 1);
    auto* scroll = new SideScroll(content);
    scroll->setAccessibleName(title);
    m_column->insertWidget(m_column->indexOf(m_lines), scroll);
}

void ResultView::addFolded(const ResultTable& table, const QString& title)
{
    auto* fold = new FoldButton(title);
    auto* model = new QStandardItemModel(static_cast<int>(table.rows.size()),
                                         static_cast<int>(table.columns.size()), this);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const int at = static_cast<int>(column);
        const bool isFigure = table.columns[column].isFigure;
        const int side = int((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        model->setHeaderData(at, Qt::Horizontal, table.columns[column].title);
        model->setHeaderData(at, Qt::Horizontal, side, Qt::TextAlignmentRole);
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex index = model->index(row, at);
            const QString text = table.rows[static_cast<std::size_t>(row)].value(at);
            model->setData(index, text.isEmpty() ? QStringLiteral("–") : text);
            model->setData(index, side, Qt::TextAlignmentRole);
            if (isFigure && at > 0 && !text.isEmpty()) // the first column names the row
                model->setData(
                    index, QVariant::fromValue(CellBadge{Provenance::Measured, m_source.origin}),
                    BadgeRole);
        }
    }
    auto* view = new LedgerView;
    view->setModel(model);
    view->setSortingEnabled(false);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setAccessibleName(title);
    view->setMinimumHeight(200);
    view->fitColumns();
    view->hide();
    connect(fold, &QAbstractButton::toggled, view, &QWidget::setVisible);
    m_column->addWidget(fold);
    m_column->addWidget(view);
}

void ResultView::addResult(const ProbeResult& result)
{
    const ResultText text = resultText(result);
    const QString head = headline(result);
    if (!head.isEmpty())
        addHeadline(head, Provenance::Measured, careText(keyFigures(result), result.spec.kind()));
    addRows(text.rows);
    if (text.table)
        addTable(*text.table, std::holds_alternative<SoakData>(result.data) ? tr("What happened")
                                                                            : tr("All sizes"));
}

} // namespace napkin
