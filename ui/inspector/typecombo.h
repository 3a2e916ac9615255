// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "ui/inspector/cataloguecombo.h"

namespace napkin {

// The catalogue's machines, found by typing any part of a name, and "not listed".
class TypeCombo final : public CatalogueCombo
{
    Q_OBJECT
public:
    // `catalogue` may be null.
    explicit TypeCombo(const Catalogue* catalogue, QWidget* parent = nullptr);

    void present(const QString& typeId) override;

private:
    void take(int index);
    void takeTyped();

    QString m_shown;
};

} // namespace napkin
