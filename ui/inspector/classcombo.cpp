// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/classcombo.h"

#include "ui/canvas/mediumname.h"

#include <QStandardItemModel>

namespace napkin {

ClassCombo::ClassCombo(const Catalogue* catalogue, QWidget* parent)
    : CatalogueCombo(tr("Not set"), parent)
{
    if (catalogue) {
        for (const Medium medium : allMedia) {
            bool headed = false;
            for (const LinkClass& kind : catalogue->linkClasses()) {
                if (kind.medium != medium)
                    continue;
                if (!headed)
                    addHeading(mediumName(medium));
                headed = true;
                addItem(kind.name, kind.id);
            }
        }
    }
    connect(this, &QComboBox::activated, this,
            [this](int index) { Q_EMIT chosen(itemData(index).toString()); });
}

void ClassCombo::addHeading(const QString& text)
{
    addItem(text, QVariant());
    auto* items = qobject_cast<QStandardItemModel*>(model());
    QStandardItem* item = items->item(count() - 1);
    item->setFlags(Qt::NoItemFlags); // passed over by mouse and keyboard
    QFont font = this->font();
    font.setWeight(QFont::DemiBold);
    item->setFont(font);
}

} // namespace napkin
