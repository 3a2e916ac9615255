// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "ui/widgets/elidingcombo.h"

namespace napkin {

// All link classes, grouped by medium, and "not set".
class ClassCombo final : public ElidingCombo
{
    Q_OBJECT
public:
    // `catalogue` may be null.
    explicit ClassCombo(const Catalogue* catalogue, QWidget* parent = nullptr);

    // One that the catalogue does not know is shown by its id.
    void present(const QString& classId);

Q_SIGNALS:
    void chosen(const QString& classId);

protected:
    void wheelEvent(QWheelEvent* event) override;

private:
    void addHeading(const QString& text);
};

} // namespace napkin
