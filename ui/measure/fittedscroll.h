// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace napkin {

// As tall as what is in it, but never more than half of the widget it stands in: what is beyond
// that is scrolled to. Content that grows or wraps anew is followed.
class FittedScroll : public QScrollArea
{
    Q_OBJECT
public:
    explicit FittedScroll(QWidget* content, QWidget* parent = nullptr);

    void scrollToTop();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fit();
    QWidget* m_host = nullptr; // the parent whose height is shared
};

} // namespace napkin
