// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/factrow.h"

#include "ui/inspector/panel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace napkin {

FactRow::FactRow(const QString& caption, QWidget* parent)
    : QWidget(parent)
    , m_caption(new QLabel(caption, this))
    , m_badge(new Badge(this))
    , m_value(new QLabel(this))
    , m_aside(new QLabel(this))
    , m_below(new QLabel(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(gap(2));
    grid->setVerticalSpacing(0);
    grid->setColumnMinimumWidth(0, captionWidth(*this));
    grid->setColumnStretch(2, 1);
    grid->addWidget(m_caption, 0, 0, Qt::AlignLeft | Qt::AlignTop);
    grid->addWidget(m_badge, 0, 1, Qt::AlignHCenter | Qt::AlignTop);
    grid->addWidget(m_value, 0, 2);
    grid->addWidget(m_aside, 0, 3, Qt::AlignRight | Qt::AlignTop);
    grid->addWidget(m_below, 1, 2, 1, 2);
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_value->setFocusPolicy(Qt::NoFocus);
    m_value->setWordWrap(true);
    m_value->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_below->setWordWrap(true);
    m_below->hide();
    recolour();
}

void FactRow::setFact(Provenance provenance, Origin origin, const QString& value,
                      const QString& why)
{
    m_badge->setFact(provenance, origin, why);
    m_badge->show();
    m_value->setText(value);
    constexpr int shortest = 16; // characters: a figure is not torn from its unit
    m_value->setWordWrap(value.size() > shortest);
    recolour();
}

void FactRow::setUnknown(const QString& text)
{
    m_badge->clear();
    m_badge->hide();
    m_value->setText(text);
    m_value->setWordWrap(true);
    setBelow({});
    setAside({});
    recolour();
}

void FactRow::setBelow(const QString& text)
{
    m_below->setText(text);
    m_below->setVisible(!text.isEmpty());
}

void FactRow::setAside(const QString& text, const QString& tooltip)
{
    m_aside->setText(text);
    m_aside->setToolTip(tooltip);
}

QString FactRow::value() const
{
    return m_value->text();
}

void FactRow::recolour()
{
    for (QLabel* label : {m_caption, m_aside, m_below})
        tint(*label, ColorRole::Secondary);
    tint(*m_value, m_badge->isHidden() ? ColorRole::Secondary : ColorRole::Text);
}

void FactRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolour();
}

} // namespace napkin
