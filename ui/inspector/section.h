// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace napkin {

class FoldButton;

// A titled part of a panel that folds.
class Section final : public QWidget
{
    Q_OBJECT
public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    [[nodiscard]] QVBoxLayout* content() const { return m_content; }
    void setTitle(const QString& title);
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const { return m_open; }

private:
    FoldButton* m_header;
    QWidget* m_body;
    QVBoxLayout* m_content;
    bool m_open = true;
};

} // namespace napkin
