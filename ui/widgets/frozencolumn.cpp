// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/frozencolumn.h"

#include "ui/theme/theme.h"
#include "ui/widgets/ledger.h"
#include "ui/widgets/ledgerheader.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

namespace napkin {

FrozenColumn::FrozenColumn(LedgerView* ledger)
    : QTableView(ledger)
    , m_ledger(ledger)
{
    auto* header = new LedgerHeader(this);
    setHorizontalHeader(header);
    setItemDelegate(new LedgerDelegate(ledger));
    setModel(ledger->model());
    setSelectionModel(ledger->selectionModel());
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setFocusPolicy(Qt::NoFocus); // the ledger has the keyboard, for this column too
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setCornerButtonEnabled(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(ledger->selectionMode());
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAutoScroll(false);
    header->setSectionsMovable(false);

    QHeaderView* whole = ledger->horizontalHeader();
    whole->setFirstSectionMovable(false);
    connect(header, &QHeaderView::sectionClicked, this, &FrozenColumn::sortByIt);
    connect(header, &QHeaderView::sectionResized, this, [this](int section, int, int size) {
        if (section == 0 && m_ledger->columnWidth(0) != size)
            m_ledger->setColumnWidth(0, size);
    });
    connect(whole, &QHeaderView::sectionResized, this, [this](int section) {
        if (section == 0)
            follow();
    });
    connect(whole, &QHeaderView::sortIndicatorChanged, header, &QHeaderView::setSortIndicator);
    connect(model(), &QAbstractItemModel::modelReset, this, &FrozenColumn::showOnlyIt);
    connect(ledger->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(),
            &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, ledger->verticalScrollBar(),
            &QScrollBar::setValue);
    connect(ledger->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::follow);
    connect(ledger->horizontalScrollBar(), &QScrollBar::rangeChanged, this, &FrozenColumn::follow);
    connect(this, &QAbstractItemView::doubleClicked, ledger, &QAbstractItemView::doubleClicked);
    header->setSortIndicator(whole->sortIndicatorSection(), whole->sortIndicatorOrder());
    showOnlyIt();
    follow();
}

void FrozenColumn::showOnlyIt()
{
    for (int column = 1; column < horizontalHeader()->count(); ++column)
        setColumnHidden(column, true);
    follow();
}

void FrozenColumn::follow()
{
    const int width = m_ledger->columnWidth(0);
    const int head = m_ledger->horizontalHeader()->height();
    // Only where something is scrolled under it, so that nothing is there twice without need.
    const bool scrolled = m_ledger->horizontalScrollBar()->value() > 0;
    const bool fits = 2 * width <= m_ledger->viewport()->width();
    verticalHeader()->setDefaultSectionSize(m_ledger->verticalHeader()->defaultSectionSize());
    setColumnWidth(0, width);
    horizontalHeader()->setFixedHeight(head);
    const QRect inner = m_ledger->viewport()->geometry();
    setGeometry(inner.left(), inner.top() - head, width, inner.height() + head);
    setVisible(scrolled && fits);
    verticalScrollBar()->setValue(m_ledger->verticalScrollBar()->value());
}

void FrozenColumn::sortByIt()
{
    const QHeaderView* whole = m_ledger->horizontalHeader();
    const bool ascends =
        whole->sortIndicatorSection() == 0 && whole->sortIndicatorOrder() == Qt::AscendingOrder;
    m_ledger->sortByColumn(0, ascends ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void FrozenColumn::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    painter.setPen(themeColor(ColorRole::Line, palette()));
    const int edge = viewport()->width() - 1;
    painter.drawLine(edge, 0, edge, viewport()->height());
}

void FrozenColumn::mousePressEvent(QMouseEvent* event)
{
    m_ledger->setFocus(Qt::MouseFocusReason);
    QTableView::mousePressEvent(event);
}

void FrozenColumn::mouseMoveEvent(QMouseEvent* event)
{
    m_ledger->setHovered(rowAt(event->position().toPoint().y()));
    QTableView::mouseMoveEvent(event);
}

void FrozenColumn::wheelEvent(QWheelEvent* event)
{
    QCoreApplication::sendEvent(m_ledger->viewport(), event);
}

} // namespace napkin
