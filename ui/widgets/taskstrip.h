// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

#include <chrono>
#include <map>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace napkin {

// What runs, along the bottom of the window: one line a task, hidden when there is none, scrolling
// from the fifth on.
class TaskStrip : public QFrame
{
    Q_OBJECT
public:
    explicit TaskStrip(QWidget* parent = nullptr);

    int addTask(const QString& title); // its number
    // What it does at the moment, and how far it is: 0 to 1, or nullopt when nobody knows.
    void setProgress(int task, const QString& phase, std::optional<double> fraction);
    void removeTask(int task);
    [[nodiscard]] int taskCount() const { return static_cast<int>(m_rows.size()); }

Q_SIGNALS:
    void cancelRequested(int task);
    void focusLeft(); // what had the keyboard before is gone: somebody should take it

private:
    struct Row
    {
        QWidget* widget = nullptr;
        QLabel* title = nullptr;
        QLabel* phase = nullptr;
        QProgressBar* bar = nullptr;
        QLabel* left = nullptr;
        QPushButton* cancel = nullptr;
        std::optional<std::chrono::steady_clock::time_point> begun;
    };
    Row makeRow(int task, const QString& title);
    void resizeToRows();
    void giveFocusBack(); // to where it was before it came here

    std::map<int, Row> m_rows;
    QScrollArea* m_scroll;
    QVBoxLayout* m_list;
    int m_next = 1;
    QPointer<QWidget> m_before; // had the focus before the strip
};

} // namespace napkin
