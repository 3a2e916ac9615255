// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errortext.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace napkin {

// A fault told where it happened: what, why, what to do. Never in the way of anything; Esc or the
// button closes it. Hidden to begin with.
class ErrorBanner : public QFrame
{
    Q_OBJECT
public:
    enum class Kind { Problem, Caution };

    explicit ErrorBanner(QWidget* parent = nullptr);

    void showError(const Error& error); // a cancellation is no fault and shows nothing
    void showText(const ErrorText& text, Kind kind = Kind::Problem);
    void dismiss();
    [[nodiscard]] QString text() const; // as shown; empty when hidden

    // A step offered beside the text, for as long as this text stands. Owned by this.
    QPushButton* addStep(const QString& text);

Q_SIGNALS:
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void restyle();
    Kind m_kind = Kind::Problem;
    QLabel* m_what;
    QLabel* m_more;
    QHBoxLayout* m_steps;
    bool m_restyling = false;
};

} // namespace napkin
