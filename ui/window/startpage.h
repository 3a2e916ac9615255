// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace napkin {

// What the window shows while a notebook opens, and when it does not.
class StartPage : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void showOpening(const QString& path);
    void showError(const Error& error);
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void retryRequested();
    void readOnlyRequested();
    void openRequested();
    void newRequested();

private:
    QLabel* m_title;
    QLabel* m_why;
    QLabel* m_advice;
    QPushButton* m_retry;
    QPushButton* m_readOnly;
    QPushButton* m_open;
    QPushButton* m_new;
};

} // namespace napkin
