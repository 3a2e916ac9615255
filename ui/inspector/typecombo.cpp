// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/typecombo.h"

#include <QCompleter>
#include <QLineEdit>

namespace napkin {

TypeCombo::TypeCombo(const Catalogue* catalogue, QWidget* parent)
    : CatalogueCombo(tr("Not listed"), parent)
{
    setEditable(true);
    setInsertPolicy(NoInsert);
    if (catalogue) {
        for (const MachineType& type : catalogue->machineTypes())
            addItem(type.name, type.id);
    }
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    lineEdit()->setAccessibleName(tr("Type, type to search"));
    lineEdit()->setPlaceholderText(tr("Type to search"));
    connect(this, &QComboBox::activated, this, &TypeCombo::take);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &TypeCombo::takeTyped);
}

void TypeCombo::present(const QString& typeId)
{
    m_shown = typeId;
    CatalogueCombo::present(typeId);
    setEditText(itemText(currentIndex()));
    lineEdit()->setCursorPosition(0);
}

void TypeCombo::take(int index)
{
    const QString id = itemData(index).toString();
    if (id != m_shown) {
        m_shown = id;
        Q_EMIT chosen(id);
    }
}

// What was typed counts when it is a name or part of one name only; else the old one comes back.
void TypeCombo::takeTyped()
{
    const QString typed = currentText().trimmed();
    int index = findText(typed, Qt::MatchFixedString);
    if (index < 0 && !typed.isEmpty()) {
        index = findText(typed, Qt::MatchContains);
        for (int other = index + 1; index >= 0 && other < count(); ++other) {
            if (itemText(other).contains(typed, Qt::CaseInsensitive))
                index = -1;
        }
    }
    if (typed.isEmpty())
        index = 0;
    if (index >= 0)
        take(index);
    present(m_shown);
}

} // namespace napkin
