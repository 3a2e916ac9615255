// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/ledger.h"

#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/frozencolumn.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/ledgerheader.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace napkin {

namespace {

constexpr int sidePadding = gap(2);
constexpr int rowsLookedAt = 100; // for the width of a column, besides the visible ones

} // namespace

LedgerSorter::LedgerSorter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
}

bool LedgerSorter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool known = left.data(SortRole).isValid();
    const bool otherKnown = right.data(SortRole).isValid();
    if (known != otherKnown)
        return known == (sortOrder() == Qt::AscendingOrder);
    return known && QSortFilterProxyModel::lessThan(left, right);
}

LedgerView::LedgerView(QWidget* parent)
    : QTableView(parent)
{
    setHorizontalHeader(new LedgerHeader(this));
    setItemDelegate(new LedgerDelegate(this));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + gap(3));
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setSortingEnabled(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    horizontalHeader()->setResizeContentsPrecision(rowsLookedAt);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        if (QGuiApplication::mouseButtons() != Qt::NoButton)
            m_sized = true;
    });
    restyle();
}

QString LedgerView::selectedText() const
{
    if (!model())
        return {};
    QList<int> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(column))
            columns << column;
    }
    QList<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows << index.row();
    if (rows.isEmpty()) {
        for (int row = 0; row < model()->rowCount(); ++row)
            rows << row;
    }
    std::sort(rows.begin(), rows.end());
    const auto clean = [](QString text) {
        return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
            .replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    QStringList header;
    for (const int column : columns)
        header << clean(model()->headerData(column, Qt::Horizontal).toString());
    QStringList lines{header.join(QLatin1Char('\t'))};
    for (const int row : rows) {
        QStringList cells;
        for (const int column : columns)
            cells << clean(model()->index(row, column).data().toString());
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void LedgerView::copy() const
{
    QGuiApplication::clipboard()->setText(selectedText());
}

void LedgerView::fitColumns()
{
    if (m_sized || !model() || model()->rowCount() == 0)
        return;
    for (int column = 0; column < horizontalHeader()->count(); ++column) {
        const int needed =
            std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        const int least = m_fitted ? columnWidth(column) : 56;
        setColumnWidth(column, std::clamp(needed, least, std::max(least, 320)));
    }
    m_fitted = true;
}

void LedgerView::freezeFirstColumn()
{
    if (!m_frozen)
        m_frozen = new FrozenColumn(this);
}

// What comes into sight must not hide below the frozen column; that one is in sight already.
void LedgerView::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    QScrollBar* bar = horizontalScrollBar();
    const int before = bar->value();
    const bool isFrozen = m_frozen && m_frozen->isVisible();
    QTableView::scrollTo(index, hint);
    if (!m_frozen || !index.isValid())
        return;
    if (index.column() == 0 && isFrozen) {
        bar->setValue(before);
        return;
    }
    const int width = columnWidth(0);
    const int hidden = width - visualRect(index).left();
    if (index.column() != 0 && hidden > 0 && 2 * width <= viewport()->width())
        bar->setValue(bar->value() - hidden);
}

void LedgerView::updateGeometries()
{
    QTableView::updateGeometries();
    if (m_frozen)
        m_frozen->follow();
}

void LedgerView::saveColumns(QSettings& settings, const QString& key) const
{
    settings.setValue(key, horizontalHeader()->saveState());
    settings.setValue(key + QStringLiteral("Sized"), m_sized);
}

void LedgerView::restoreColumns(const QSettings& settings, const QString& key)
{
    if (!horizontalHeader()->restoreState(settings.value(key).toByteArray()))
        return;
    m_fitted = true;
    m_sized = settings.value(key + QStringLiteral("Sized"), true).toBool();
}

void LedgerView::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(rowAt(event->position().toPoint().y()));
    QTableView::mouseMoveEvent(event);
}

void LedgerView::leaveEvent(QEvent* event)
{
    setHovered(-1);
    QTableView::leaveEvent(event);
}

void LedgerView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableView::keyPressEvent(event);
}

void LedgerView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_restyling)
        restyle();
    if (event->type() == QEvent::FontChange)
        verticalHeader()->setDefaultSectionSize(fontMetrics().height() + gap(3));
}

// The selection is a tint, so that badges keep their colours on it.
void LedgerView::restyle()
{
    m_restyling = true;
    QPalette p = palette();
    const QColor accent = themeColor(ColorRole::Accent, p);
    const QColor ground = themeColor(ColorRole::Ground, p);
    const auto mix = [](int a, int b, double share) {
        return static_cast<int>(a * (1 - share) + b * share);
    };
    for (const auto& [group, share] :
         {std::pair(QPalette::Active, 0.18), std::pair(QPalette::Inactive, 0.12)}) {
        p.setColor(group, QPalette::Highlight,
                   QColor(mix(ground.red(), accent.red(), share),
                          mix(ground.green(), accent.green(), share),
                          mix(ground.blue(), accent.blue(), share)));
        p.setColor(group, QPalette::HighlightedText, themeColor(ColorRole::Text, p));
    }
    setPalette(p);
    m_restyling = false;
}

void LedgerView::setHovered(int row)
{
    if (row == m_hovered)
        return;
    m_hovered = row;
    viewport()->update();
    if (m_frozen)
        m_frozen->viewport()->update();
}

LedgerDelegate::LedgerDelegate(LedgerView* view)
    : QStyledItemDelegate(view)
    , m_view(view)
{}

void LedgerDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const QPalette& palette = option.palette;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    if (option.state & QStyle::State_Selected) {
        painter->fillRect(option.rect,
                          palette.brush(m_view->hasFocus() ? QPalette::Active : QPalette::Inactive,
                                        QPalette::Highlight));
    } else if (index.row() == m_view->hoveredRow()) {
        painter->fillRect(option.rect, themeColor(ColorRole::Surface, palette));
    }
    QColor line = themeColor(ColorRole::Line, palette);
    line.setAlphaF(0.55F);
    painter->setPen(line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    QRect box = option.rect.adjusted(sidePadding, 0, -sidePadding, -1);
    const QVariant badge = index.data(BadgeRole);
    const QSizeF size = badgeSize(QFontMetricsF(option.font));
    if (badge.canConvert<CellBadge>()) {
        const auto cell = badge.value<CellBadge>();
        QRectF place(QPointF(), size);
        place.moveCenter(QPointF(box.right() - size.width() / 2 + 1, QRectF(box).center().y()));
        painter->setFont(option.font);
        paintBadge(*painter, place, cell.provenance, cell.origin, palette);
        box.setRight(static_cast<int>(place.left()) - gap(1) - 1);
    }
    const bool caution = index.data(CautionRole).toBool();
    const bool keepsEnds = caution || index.data(EndsRole).toBool();
    if (caution) {
        const int side = QFontMetrics(option.font).ascent() + 4;
        QPalette inks = palette;
        inks.setColor(QPalette::WindowText, themeColor(ColorRole::Caution, palette));
        const QRect place(box.right() - side, box.center().y() - side / 2, side, side);
        themeIcon(u"caution", inks).paint(painter, place);
        box.setRight(place.left() - gap(1));
    }
    const QVariant aligned = index.data(Qt::TextAlignmentRole);
    const int alignment =
        aligned.isValid() ? aligned.toInt() : int(Qt::AlignLeft | Qt::AlignVCenter);
    const QString text = index.data(Qt::DisplayRole).toString();
    const bool faded = index.data(FadedRole).toBool() || index.data(MutedRole).toBool() ||
                       text == QStringLiteral("–");
    QFont font = option.font;
    if (index.data(StrongRole).toBool())
        font.setWeight(QFont::DemiBold);
    font.setStrikeOut(index.data(FadedRole).toBool());
    painter->setFont(font);
    painter->setPen(themeColor(faded ? ColorRole::Secondary : ColorRole::Text, palette));
    painter->drawText(box, alignment | Qt::TextSingleLine,
                      QFontMetrics(font).elidedText(
                          text, keepsEnds ? Qt::ElideMiddle : Qt::ElideRight, box.width()));
    if (index == m_view->currentIndex() && m_view->hasFocus()) {
        painter->setPen(QPen(themeColor(ColorRole::Accent, palette), 1));
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QSize LedgerDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QFont font = option.font;
    if (index.data(StrongRole).toBool())
        font.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(font);
    int width = metrics.horizontalAdvance(index.data().toString()) + 2 * sidePadding + 2;
    if (index.data(BadgeRole).isValid())
        width += static_cast<int>(badgeSize(QFontMetricsF(option.font)).width()) + gap(1) + 2;
    if (index.data(CautionRole).toBool())
        width += metrics.ascent() + 4 + gap(2);
    return {width, metrics.height() + gap(3)};
}

} // namespace napkin
