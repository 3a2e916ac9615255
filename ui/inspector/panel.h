// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

class QLabel;
class QVBoxLayout;
class QWidget;

namespace napkin {

// Pieces that the panels of the inspector share.

// Gives a label's text a colour of the theme. The label keeps it through changes of the palette
// when called again from changeEvent.
void tint(QLabel& label, ColorRole role);

// Of the column that says what a field or a figure is.
[[nodiscard]] int captionWidth(const QWidget& widget);

// A column for a panel's content.
[[nodiscard]] QVBoxLayout* panelColumn(QWidget& panel);

// The kind of what is shown, small above everything: "Machine".
[[nodiscard]] QLabel* panelKind(const QString& text, QWidget* parent);

// A field with its caption on the left; the caption names the field for screen readers too.
QLabel* addField(QVBoxLayout& column, const QString& caption, QWidget* field);

// A field below its caption, for a caption that may be long.
QLabel* addFieldBelow(QVBoxLayout& column, const QString& caption, QWidget* field);

// A wrapping line of words; small and secondary for notes, in the problem colour for faults.
enum class LineKind { Note, Caution, Fault };
[[nodiscard]] QLabel* wordLine(LineKind kind, QWidget* parent);

} // namespace napkin
