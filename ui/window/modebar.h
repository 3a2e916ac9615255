// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QActionGroup>
#include <QFrame>

class QVBoxLayout;

namespace napkin {

// One mode: icon above its word.
class ModeButton : public QAbstractButton
{
    Q_OBJECT
public:
    explicit ModeButton(QAction* action, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
};

// The modes, down the left side of the window. The actions belong to the window.
class ModeBar : public QFrame
{
    Q_OBJECT
public:
    explicit ModeBar(QWidget* parent = nullptr);

    void addMode(QAction* action);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_column;
};

} // namespace napkin
