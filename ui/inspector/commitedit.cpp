// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/commitedit.h"

#include "core/topology/limits.h"

#include <QKeyEvent>

namespace napkin {

CommitEdit::CommitEdit(QWidget* parent)
    : QLineEdit(parent)
{
    setMaxLength(static_cast<int>(detail::longestText));
    connect(this, &QLineEdit::editingFinished, this, &CommitEdit::commit);
}

void CommitEdit::present(const QString& text)
{
    const bool typing = isPending();
    m_shown = text;
    if (typing || QLineEdit::text() == text)
        return;
    setText(text);
    setCursorPosition(0); // the beginning of a long name tells more than its end
}

void CommitEdit::reset()
{
    setModified(false);
    setText(m_shown);
}

void CommitEdit::commit()
{
    if (!isPending())
        return;
    setModified(false);
    Q_EMIT committed(text());
}

void CommitEdit::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        setCursorPosition(0);
}

void CommitEdit::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && text() != m_shown) {
        setText(m_shown);
        Q_EMIT textEdited(m_shown);
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace napkin
