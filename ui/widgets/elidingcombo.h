// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace napkin {

// A choice whose text is shortened in the middle where it does not fit, instead of cut off.
class ElidingCombo : public QComboBox
{
    Q_OBJECT
public:
    explicit ElidingCombo(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace napkin
