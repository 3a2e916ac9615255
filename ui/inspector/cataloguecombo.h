// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/elidingcombo.h"

namespace napkin {

// A choice among things of the catalogue: first the one for "none", with an empty id, then others
// with theirs. Scrolling the panel does not change what happens to lie under the mouse.
class CatalogueCombo : public ElidingCombo
{
    Q_OBJECT
public:
    // One that the catalogue does not know is shown by its id.
    virtual void present(const QString& id);

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    CatalogueCombo(const QString& none, QWidget* parent);
    void wheelEvent(QWheelEvent* event) override;
};

} // namespace napkin
