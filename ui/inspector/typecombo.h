// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"

#include <QComboBox>

namespace napkin {

// The catalogue's machines, found by typing any part of a name, and "not listed".
class TypeCombo final : public QComboBox
{
    Q_OBJECT
public:
    // `catalogue` may be null.
    explicit TypeCombo(const Catalogue* catalogue, QWidget* parent = nullptr);

    // One that the catalogue does not know is shown by its id.
    void present(const QString& typeId);

Q_SIGNALS:
    void chosen(const QString& typeId);

protected:
    void wheelEvent(QWheelEvent* event) override;

private:
    void take(int index);
    void takeTyped();

    QString m_shown;
};

} // namespace napkin
