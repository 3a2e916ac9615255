// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/cataloguecombo.h"

#include <QWheelEvent>

namespace napkin {

CatalogueCombo::CatalogueCombo(const QString& none, QWidget* parent)
    : ElidingCombo(parent)
{
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    setMaxVisibleItems(24);
    addItem(none, QString());
}

void CatalogueCombo::present(const QString& id)
{
    int index = id.isEmpty() ? 0 : findData(id);
    if (index < 0) {
        addItem(tr("%1 (not in the catalogue)").arg(id), id);
        index = count() - 1;
    }
    setCurrentIndex(index);
}

void CatalogueCombo::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

} // namespace napkin
