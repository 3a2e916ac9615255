// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/copyline.h"

#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace napkin {

CopyLine::CopyLine(const QString& caption, const QString& line, QWidget* parent)
    : QWidget(parent)
    , m_line(new QLineEdit(line))
    , m_copy(new QToolButton)
{
    m_line->setReadOnly(true);
    m_line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_line->setAccessibleName(caption);
    m_line->setCursorPosition(0);
    m_copy->setText(tr("Copy"));
    m_copy->setIcon(themeIcon(u"copy"));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAccessibleName(tr("Copy: %1").arg(caption));
    m_copy->setToolTip(tr("Copy this line"));
    m_copy->setFocusPolicy(Qt::StrongFocus);
    connect(m_copy, &QToolButton::clicked, this, &CopyLine::copy);

    auto* row = new QHBoxLayout;
    row->setSpacing(gap(1));
    row->addWidget(m_line, 1);
    row->addWidget(m_copy);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* label = new TypeLabel(caption, TypeSize::Small);
    label->setWordWrap(true);
    column->addWidget(label);
    column->addLayout(row);
}

QString CopyLine::line() const
{
    return m_line->text();
}

void CopyLine::setLine(const QString& line)
{
    m_line->setText(line);
    m_line->setCursorPosition(0);
}

void CopyLine::copy()
{
    QGuiApplication::clipboard()->setText(m_line->text());
    m_copy->setText(tr("Copied"));
    QTimer::singleShot(1'500, m_copy, [button = m_copy] { button->setText(tr("Copy")); });
}

} // namespace napkin
