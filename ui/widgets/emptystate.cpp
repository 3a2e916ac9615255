// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/emptystate.h"

#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace napkin {

namespace {

constexpr int textWidth = 380;

} // namespace

EmptyState::EmptyState(const QIcon& icon, const QString& title, const QString& text,
                       QWidget* parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_picture(new QLabel)
    , m_title(new TypeLabel(title, TypeSize::Heading))
    , m_text(new QLabel(text))
    , m_steps(new QHBoxLayout)
{
    m_picture->setAlignment(Qt::AlignCenter);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setFixedWidth(textWidth);
    m_steps->setSpacing(gap(2));
    m_steps->addStretch();
    m_steps->addStretch();
    redrawIcon();

    auto* centred = new QHBoxLayout; // an aligned item would not grow with its lines
    centred->addStretch();
    centred->addWidget(m_text);
    centred->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(gap(4), gap(4), gap(4), gap(4));
    column->setSpacing(gap(2));
    column->addStretch(2);
    column->addWidget(m_picture);
    column->addWidget(m_title);
    column->addLayout(centred);
    column->addSpacing(gap(2));
    column->addLayout(m_steps);
    column->addStretch(3);
}

QPushButton* EmptyState::addStep(const QString& text)
{
    auto* button = new QPushButton(text);
    m_steps->insertWidget(m_steps->count() - 1, button);
    return button;
}

void EmptyState::setTexts(const QString& title, const QString& text)
{
    m_title->setText(title);
    m_text->setText(text);
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        redrawIcon();
}

void EmptyState::redrawIcon()
{
    m_picture->setPixmap(m_icon.pixmap(QSize(48, 48), devicePixelRatioF(), QIcon::Disabled));
}

} // namespace napkin
