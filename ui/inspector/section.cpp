// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/section.h"

#include "ui/theme/theme.h"
#include "ui/widgets/foldbutton.h"

#include <QVBoxLayout>

namespace napkin {

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_header(new FoldButton(title, this))
    , m_body(new QWidget(this))
    , m_content(new QVBoxLayout(m_body))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(1));
    column->addWidget(m_header);
    column->addWidget(m_body);
    m_content->setContentsMargins(0, 0, 0, gap(1));
    m_content->setSpacing(gap(2));
    m_header->setChecked(true);
    connect(m_header, &QAbstractButton::clicked, this, [this] { setOpen(!m_open); });
}

void Section::setTitle(const QString& title)
{
    m_header->setText(title);
    m_header->setAccessibleName(title);
}

void Section::setOpen(bool open)
{
    m_open = open;
    m_header->setChecked(open);
    m_body->setVisible(open);
    m_header->setAccessibleDescription(open ? tr("open") : tr("folded"));
}

} // namespace napkin
