// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace napkin {

// What stands where nothing is yet: what comes here, and the step that brings it.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    EmptyState(const QIcon& icon, const QString& title, const QString& text,
               QWidget* parent = nullptr);

    // The first one is the step to take. Owned by this.
    QPushButton* addStep(const QString& text);
    void setTexts(const QString& title, const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void redrawIcon();
    QIcon m_icon;
    QLabel* m_picture;
    QLabel* m_title;
    QLabel* m_text;
    QHBoxLayout* m_steps;
};

} // namespace napkin
