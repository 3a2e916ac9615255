// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/startpage.h"

#include "core/base/errortext.h"
#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace napkin {

namespace {

QLabel* words()
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    label->setFixedWidth(520);
    return label;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_title(new TypeLabel({}, TypeSize::Title))
    , m_why(words())
    , m_advice(words())
    , m_retry(new QPushButton(tr("Try again")))
    , m_readOnly(new QPushButton(tr("Open for reading only")))
    , m_open(new QPushButton(tr("Open another notebook…")))
    , m_new(new QPushButton(tr("New notebook…")))
{
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setAlignment(Qt::AlignCenter);
    connect(m_retry, &QPushButton::clicked, this, &StartPage::retryRequested);
    connect(m_readOnly, &QPushButton::clicked, this, &StartPage::readOnlyRequested);
    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(m_new, &QPushButton::clicked, this, &StartPage::newRequested);
    auto* steps = new QHBoxLayout;
    steps->setSpacing(gap(2));
    steps->addStretch();
    for (QPushButton* button : {m_retry, m_readOnly, m_open, m_new})
        steps->addWidget(button);
    steps->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(gap(8), gap(4), gap(8), gap(4));
    column->setSpacing(gap(3));
    column->addStretch(2);
    column->addWidget(m_title);
    for (QLabel* label : {m_why, m_advice}) {
        auto* centred = new QHBoxLayout; // an aligned item would not grow with its lines
        centred->addStretch();
        centred->addWidget(label);
        centred->addStretch();
        column->addLayout(centred);
    }
    column->addSpacing(gap(2));
    column->addLayout(steps);
    column->addStretch(3);
}

void StartPage::showOpening(const QString& path)
{
    m_title->setText(tr("Opening %1").arg(QFileInfo(path).completeBaseName()));
    m_why->setText(path);
    m_advice->hide();
    for (QPushButton* button : {m_retry, m_readOnly, m_open, m_new})
        button->hide();
}

void StartPage::showError(const Error& error)
{
    const ErrorText text = describe(error);
    m_title->setText(text.what);
    m_why->setText(text.why);
    m_why->setVisible(!text.why.isEmpty());
    m_advice->setText(text.advice);
    m_advice->setVisible(!text.advice.isEmpty());
    const bool readable =
        error.code == ErrorCode::StorageReadOnly || error.code == ErrorCode::StorageTooNew;
    m_retry->setVisible(error.code != ErrorCode::NotANotebook);
    m_readOnly->setVisible(readable);
    m_open->show();
    m_new->show();
    m_retry->setFocus();
}

QString StartPage::text() const
{
    return QStringList{m_title->text(), m_why->text(), m_advice->text()}.join(QLatin1Char(' '));
}

} // namespace napkin
