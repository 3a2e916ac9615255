// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/peerforms.h"

#include "core/peer/peerchannel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/copyline.h"
#include "ui/widgets/headings.h"

#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace napkin {

namespace {

QLabel* wrapped(const QString& text)
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    return label;
}

QVBoxLayout* formColumn(QWidget* form, const QString& title)
{
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(2));
    column->addWidget(new TypeLabel(title, TypeSize::Heading));
    return column;
}

void closeOnEscape(QWidget* form, QPushButton* button)
{
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), form);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(escape, &QShortcut::activated, button, &QAbstractButton::click);
}

} // namespace

PairForm::PairForm(QWidget* parent)
    : QWidget(parent)
    , m_place(new QLineEdit)
    , m_code(new QLineEdit)
    , m_pair(new QPushButton(tr("Pair")))
    , m_cancel(new QPushButton(tr("Cancel")))
{
    QVBoxLayout* column = formColumn(this, tr("Pair with another machine"));
    column->addWidget(wrapped(tr("Let the other machine show a code: press Invite in its window, "
                                 "or type these two lines there.")));
    column->addWidget(new CopyLine(tr("On the other machine, let paired machines in"),
                                   QStringLiteral("napkin-cli serve --peer")));
    column->addWidget(new CopyLine(tr("And in a second terminal there, make a code"),
                                   QStringLiteral("napkin-cli peers invite")));
    m_place->setPlaceholderText(tr("address or name, or with :port"));
    m_place->setAccessibleName(tr("Address of the other machine"));
    m_code->setPlaceholderText(tr("the code it shows"));
    m_code->setAccessibleName(tr("Code of the other machine"));
    m_code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_pair->setDefault(true);
    auto* fields = new QFormLayout;
    fields->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    fields->setRowWrapPolicy(QFormLayout::WrapLongRows);
    fields->addRow(tr("Address"), m_place);
    fields->addRow(tr("Code"), m_code);
    column->addLayout(fields);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_pair);
    buttons->addWidget(m_cancel);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addStretch();
    connect(m_pair, &QPushButton::clicked, this, &PairForm::send);
    connect(m_place, &QLineEdit::returnPressed, this, [this] { m_code->setFocus(); });
    connect(m_code, &QLineEdit::returnPressed, this, &PairForm::send);
    connect(m_cancel, &QPushButton::clicked, this, &PairForm::cancelled);
    closeOnEscape(this, m_cancel);
}

void PairForm::begin(const QString& place)
{
    m_place->setText(place);
    m_code->clear();
    setBusy(false);
    (place.isEmpty() ? m_place : m_code)->setFocus();
}

void PairForm::setBusy(bool busy)
{
    const bool hasEnded = m_busy && !busy;
    m_busy = busy;
    m_pair->setEnabled(!busy);
    m_pair->setText(busy ? tr("Pairing…") : tr("Pair"));
    m_place->setEnabled(!busy);
    m_code->setEnabled(!busy);
    if (hasEnded) { // most often the code is to be pasted again
        m_code->setFocus();
        m_code->selectAll();
    }
}

void PairForm::send()
{
    if (!m_busy)
        Q_EMIT pairRequested(m_place->text(), m_code->text());
}

InviteForm::InviteForm(QWidget* parent)
    : QWidget(parent)
    , m_code(new QLabel)
    , m_copyCode(new CopyLine(tr("The code, to copy"), {}))
    , m_line(new CopyLine(tr("Or type this line on the other machine"), {}))
    , m_others(new TypeLabel({}, TypeSize::Small))
    , m_left(new QLabel)
    , m_another(new QPushButton(tr("Another code")))
{
    QVBoxLayout* column = formColumn(this, tr("Invite another machine"));
    column->addWidget(
        wrapped(tr("Type or paste this code on the other machine: in its window under "
                   "Peers, Pair. It is good for one machine, once.")));
    column->addWidget(
        wrapped(tr("This machine serves paired machines from now on, so that the other one "
                   "reaches it. The switch on this page ends that.")));
    QFont large = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_code->setFont(large);
    m_code->setTextFormat(Qt::PlainText);
    m_code->setWordWrap(true);
    m_code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_code->setAccessibleDescription(tr("Pairing code"));
    m_others->setWordWrap(true);
    m_left->setWordWrap(true);
    column->addWidget(m_code);
    column->addWidget(m_left);
    column->addWidget(m_copyCode);
    column->addWidget(m_line);
    column->addWidget(m_others);
    auto* close = new QPushButton(tr("Close"));
    close->setAccessibleName(tr("Close the invitation"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_another);
    buttons->addWidget(close);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addStretch();
    connect(m_another, &QPushButton::clicked, this, &InviteForm::anotherRequested);
    connect(close, &QPushButton::clicked, this, &InviteForm::closed);
    connect(&m_timer, &QTimer::timeout, this, &InviteForm::tick);
    m_timer.setInterval(std::chrono::seconds(1));
    closeOnEscape(this, close);
}

void InviteForm::present(const PairingCode& code, int port, const QStringList& addresses,
                         const QDateTime& expires)
{
    m_expires = expires;
    // A zero-width space after each dash lets a narrow window break the line there.
    m_code->setText(code.text().replace(QLatin1Char('-'), QStringLiteral("-\u200b")));
    m_copyCode->setLine(code.text());
    const QString first = addresses.isEmpty() ? tr("ADDRESS") : addresses.front();
    const bool six = first.contains(QLatin1Char(':'));
    QString place =
        six && port != defaultPeerPort ? QLatin1Char('[') + first + QLatin1Char(']') : first;
    if (port != defaultPeerPort)
        place += QLatin1Char(':') + QString::number(port);
    // The code is pasted when it is asked for: on the line, others could read it.
    m_line->setLine(QStringLiteral("napkin-cli peers pair %1 -").arg(place));
    m_others->setText(addresses.size() > 1 ? tr("This machine’s other addresses: %1.")
                                                 .arg(addresses.mid(1).join(QStringLiteral(", ")))
                                           : QString());
    m_others->setVisible(addresses.size() > 1);
    m_timer.start();
    tick();
}

QString InviteForm::code() const
{
    return m_copyCode->line();
}

QString InviteForm::line() const
{
    return m_line->line();
}

void InviteForm::tick()
{
    const qint64 left = QDateTime::currentDateTimeUtc().secsTo(m_expires);
    if (left <= 0) {
        m_timer.stop();
        m_left->setText(tr("This code has expired. Make another one."));
        return;
    }
    m_left->setText(tr("Good for %1:%2 more.", "minutes, seconds")
                        .arg(left / 60)
                        .arg(left % 60, 2, 10, QLatin1Char('0')));
}

} // namespace napkin
