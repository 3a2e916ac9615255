// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "ui/inspector/cataloguecombo.h"

namespace napkin {

// All link classes, grouped by medium, and "not set".
class ClassCombo final : public CatalogueCombo
{
    Q_OBJECT
public:
    // `catalogue` may be null.
    explicit ClassCombo(const Catalogue* catalogue, QWidget* parent = nullptr);

private:
    void addHeading(const QString& text);
};

} // namespace napkin
