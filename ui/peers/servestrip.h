// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace napkin {

class PeerDesk;

// Says in every mode that this machine lets others measure it, who is connected, and offers to
// stop. Hidden while nothing is let in.
class ServeStrip : public QFrame
{
    Q_OBJECT
public:
    explicit ServeStrip(PeerDesk* desk, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void shownOrHidden();
    void peersRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    PeerDesk* m_desk;
    QLabel* m_text;
    QPushButton* m_stop;
};

} // namespace napkin
