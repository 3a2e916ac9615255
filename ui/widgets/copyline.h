// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace napkin {

// A command to be typed elsewhere: a caption, the line in a fixed-width font, a Copy button.
class CopyLine : public QWidget
{
    Q_OBJECT
public:
    CopyLine(const QString& caption, const QString& line, QWidget* parent = nullptr);

    [[nodiscard]] QString line() const;
    void setLine(const QString& line);
    void copy(); // to the clipboard; says so for a moment

private:
    QLineEdit* m_line;
    QToolButton* m_copy;
};

} // namespace napkin
