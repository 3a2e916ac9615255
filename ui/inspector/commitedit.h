// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace napkin {

// A line of text that is taken over when it is left or Return is pressed, and only if it was
// changed. Escape brings back what was there.
class CommitEdit final : public QLineEdit
{
    Q_OBJECT
public:
    explicit CommitEdit(QWidget* parent = nullptr);

    // From the document. Does not disturb what is being typed.
    void present(const QString& text);
    // Drops what was typed.
    void reset();
    // Takes over what was typed, if anything. A receiver that refuses it may setModified() to keep
    // it on screen, or reset().
    void commit();
    [[nodiscard]] bool isPending() const { return isModified() && text() != m_shown; }

Q_SIGNALS:
    void committed(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QString m_shown;
};

} // namespace napkin
