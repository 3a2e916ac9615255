// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/ledgerheader.h"

#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QPainter>

namespace napkin {

namespace {

constexpr int sidePadding = gap(2);

} // namespace

LedgerHeader::LedgerHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setSortIndicatorShown(true);
    setMinimumSectionSize(48);
    setSectionsMovable(true);
    setTextElideMode(Qt::ElideRight);
}

QSize LedgerHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), fontMetrics().height() + gap(4)};
}

void LedgerHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    painter->fillRect(rect, themeColor(ColorRole::Surface, palette()));
    painter->setPen(themeColor(ColorRole::Line, palette()));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    const int alignment =
        model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    QString text = model()->headerData(section, Qt::Horizontal).toString();
    const QRect box = rect.adjusted(sidePadding, 0, -sidePadding, -1);
    QFont small = sized(font(), TypeSize::Small);
    small.setWeight(sorted ? QFont::DemiBold : QFont::Normal);
    painter->setFont(small);
    painter->setPen(themeColor(sorted ? ColorRole::Text : ColorRole::Secondary, palette()));
    if (sorted) {
        const QString mark = sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral(" ▴")
                                                                        : QStringLiteral(" ▾");
        text += mark;
    }
    text = QFontMetrics(small).elidedText(text, Qt::ElideRight, box.width());
    painter->drawText(box, (alignment ? alignment : int(Qt::AlignLeft)) | Qt::AlignVCenter, text);
    painter->restore();
}

QSize LedgerHeader::sectionSizeFromContents(int section) const
{
    QFont bold = sized(font(), TypeSize::Small);
    bold.setWeight(QFont::DemiBold);
    const QString text = model()->headerData(section, Qt::Horizontal).toString();
    return {QFontMetrics(bold).horizontalAdvance(text + QStringLiteral(" ▴")) + 2 * sidePadding + 2,
            sizeHint().height()};
}

} // namespace napkin
