// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace napkin {

// The heading of something that folds: bold words flush with what stands below them, and an arrow
// that points down while it is open. Checked means open.
class FoldButton final : public QAbstractButton
{
    Q_OBJECT
public:
    explicit FoldButton(const QString& text, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QFont headingFont() const;
};

} // namespace napkin
