// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/foldbutton.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace napkin {

namespace {

constexpr int arrowRoom = gap(4);

} // namespace

FoldButton::FoldButton(const QString& text, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(text);
    setAccessibleName(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QFont FoldButton::headingFont() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

QSize FoldButton::sizeHint() const
{
    const QFontMetrics metrics(headingFont());
    return {metrics.horizontalAdvance(text()) + arrowRoom, metrics.height() + gap(2)};
}

void FoldButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(headingFont());
    const QFontMetrics metrics(headingFont());
    const QString shown = metrics.elidedText(text(), Qt::ElideRight, width() - arrowRoom);
    painter.setPen(themeColor(underMouse() ? ColorRole::Accent : ColorRole::Text, palette()));
    painter.drawText(rect(), int(Qt::AlignLeft | Qt::AlignVCenter), shown);

    const int words = metrics.horizontalAdvance(shown);
    const QPointF middle(words + arrowRoom * 0.6, height() / 2.0 + 1);
    QPainterPath arrow;
    if (isChecked()) {
        arrow.moveTo(middle + QPointF(-3.5, -2));
        arrow.lineTo(middle + QPointF(0, 2));
        arrow.lineTo(middle + QPointF(3.5, -2));
    } else {
        arrow.moveTo(middle + QPointF(-2, -3.5));
        arrow.lineTo(middle + QPointF(2, 0));
        arrow.lineTo(middle + QPointF(-2, 3.5));
    }
    painter.setPen(QPen(themeColor(ColorRole::Secondary, palette()), 1.5));
    painter.drawPath(arrow);
    if (hasFocus()) {
        painter.setPen(QPen(themeColor(ColorRole::Accent, palette()), 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

void FoldButton::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void FoldButton::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace napkin
