// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/errorbanner.h"

#include "ui/theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

namespace napkin {

namespace {

QLabel* textLabel()
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent)
    , m_what(textLabel())
    , m_more(textLabel())
    , m_steps(new QHBoxLayout)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    QFont bold = m_what->font();
    bold.setWeight(QFont::DemiBold);
    m_what->setFont(bold);
    auto* close = new QToolButton;
    close->setIcon(themeIcon(u"close"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close this message"));
    close->setToolTip(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, &ErrorBanner::dismiss);

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_what);
    words->addWidget(m_more);
    m_steps->setSpacing(gap(2));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(gap(4), gap(2), gap(2), gap(2));
    row->setSpacing(gap(2));
    row->addLayout(words, 1);
    row->addLayout(m_steps);
    row->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void ErrorBanner::showError(const Error& error)
{
    if (error.isCancelled())
        return;
    showText(describe(error));
}

void ErrorBanner::showText(const ErrorText& text, Kind kind)
{
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    m_kind = kind;
    m_what->setText(text.what);
    QStringList more;
    for (const QString& part : {text.why, text.advice}) {
        if (!part.isEmpty())
            more << part;
    }
    m_more->setText(more.join(QLatin1Char(' ')));
    m_more->setVisible(!more.isEmpty());
    setAccessibleName(text.joined());
    restyle();
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void ErrorBanner::dismiss()
{
    if (isHidden())
        return;
    hide();
    Q_EMIT dismissed();
}

QString ErrorBanner::text() const
{
    return isHidden() ? QString() : accessibleName();
}

QPushButton* ErrorBanner::addStep(const QString& text)
{
    auto* button = new QPushButton(text);
    m_steps->addWidget(button, 0, Qt::AlignVCenter);
    return button;
}

void ErrorBanner::paintEvent(QPaintEvent*)
{
    const QColor color =
        themeColor(m_kind == Kind::Problem ? ColorRole::Problem : ColorRole::Caution, palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor tint = color;
    tint.setAlphaF(0.08F);
    painter.fillRect(rect(), themeColor(ColorRole::Ground, palette()));
    painter.fillRect(rect(), tint);
    painter.fillRect(QRect(0, 0, 4, height()), color);
}

void ErrorBanner::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (!m_restyling && event->type() == QEvent::PaletteChange)
        restyle();
}

void ErrorBanner::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void ErrorBanner::restyle()
{
    m_restyling = true;
    QPalette p = palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text}) {
        p.setColor(
            role, themeColor(m_kind == Kind::Problem ? ColorRole::Problem : ColorRole::Caution, p));
    }
    m_what->setPalette(p);
    m_restyling = false;
}

} // namespace napkin
