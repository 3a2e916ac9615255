// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elidingcombo.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace napkin {

namespace {

constexpr int textMargin = 4; // what styles leave free around the text

} // namespace

ElidingCombo::ElidingCombo(QWidget* parent)
    : QComboBox(parent)
{}

void ElidingCombo::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideMiddle,
                                                  room.width() - 2 * textMargin);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (!isEditable()) // else the line edit shows it
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace napkin
