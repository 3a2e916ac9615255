// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/modebar.h"

#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QAction>
#include <QPainter>
#include <QVBoxLayout>

namespace napkin {

namespace {

constexpr int iconSide = 24;

} // namespace

ModeButton::ModeButton(QAction* action, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(action->iconText());
    setIcon(action->icon());
    setCheckable(true);
    setChecked(action->isChecked());
    setEnabled(action->isEnabled());
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(action->iconText());
    setToolTip(tr("%1 (%2)").arg(action->iconText(),
                                 action->shortcut().toString(QKeySequence::NativeText)));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, this, &QAbstractButton::setChecked);
    connect(action, &QAction::enabledChanged, this, &QWidget::setEnabled);
}

QSize ModeButton::sizeHint() const
{
    const QFontMetrics metrics(sized(font(), TypeSize::Small));
    return {std::max(64, metrics.horizontalAdvance(text()) + gap(4)),
            iconSide + metrics.height() + gap(5)};
}

void ModeButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF pad = QRectF(rect()).adjusted(gap(1), 2, -gap(1), -2);
    const QColor accent = themeColor(ColorRole::Accent, palette());
    if (isChecked() || underMouse()) {
        QColor tint = isChecked() ? accent : themeColor(ColorRole::Secondary, palette());
        tint.setAlphaF(isChecked() ? 0.14F : 0.10F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawRoundedRect(pad, 6, 6);
    }
    if (hasFocus()) {
        painter.setPen(QPen(accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(pad, 6, 6);
    }
    QPalette inks = palette();
    if (isChecked())
        inks.setColor(QPalette::WindowText, accent);
    const QFont small = sized(font(), TypeSize::Small);
    const QFontMetrics metrics(small);
    const QRect icon((width() - iconSide) / 2, gap(2), iconSide, iconSide);
    const QIcon::Mode mode = isEnabled() ? QIcon::Normal : QIcon::Disabled;
    if (isChecked() && isEnabled())
        themeIcon(objectName(), inks).paint(&painter, icon);
    else
        QAbstractButton::icon().paint(&painter, icon, Qt::AlignCenter, mode);
    painter.setFont(small);
    painter.setPen(isEnabled() ? inks.color(QPalette::WindowText)
                               : inks.color(QPalette::Disabled, QPalette::WindowText));
    painter.drawText(QRect(0, icon.bottom() + 3, width(), metrics.height() + 2), Qt::AlignHCenter,
                     text());
}

void ModeButton::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void ModeButton::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

ModeBar::ModeBar(QWidget* parent)
    : QFrame(parent)
    , m_column(new QVBoxLayout(this))
{
    setAccessibleName(tr("Modes"));
    m_column->setContentsMargins(0, gap(1), 1, gap(1));
    m_column->setSpacing(0);
    m_column->addStretch();
    setMinimumWidth(76);
}

void ModeBar::addMode(QAction* action)
{
    auto* button = new ModeButton(action);
    button->setObjectName(action->objectName()); // the icon's name
    m_column->insertWidget(m_column->count() - 1, button);
}

void ModeBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(themeColor(ColorRole::Line, palette()));
    painter.drawLine(rect().topRight(), rect().bottomRight());
}

} // namespace napkin
