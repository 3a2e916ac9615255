// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/results/latency.h"

#include <QList>
#include <QString>

class QComboBox;
class QFormLayout;
class QSpinBox;
class QWidget;

namespace napkin {

// What the fields of the measure form have in common.

[[nodiscard]] QFormLayout* formLayout();
[[nodiscard]] QSpinBox* spinBox(int least, int most, int value, const QString& suffix);
[[nodiscard]] QSpinBox* secondsBox(int least, int most, int value);
[[nodiscard]] QSpinBox* millisecondsBox(int least, int most, int value);
[[nodiscard]] QComboBox* flowBox(); // its data are Flow
[[nodiscard]] QComboBox* waitBox(); // its data are WaitMode

// Labels are buddies, so that screen readers and mnemonics find the field.
void addField(QFormLayout* form, const QString& label, QWidget* field);
void showField(QFormLayout* form, QWidget* field, bool visible);
// The fields of all forms begin in one line.
void alignLabels(const QList<QFormLayout*>& forms);
// A long choice does not widen the form.
void makeShrinkable(QComboBox* box);
// A choice that can not be taken now stays in the list, with the reason.
void setChoice(QComboBox* box, int index, const QString& text, const QString& whyNot);

[[nodiscard]] QString methodWords(EchoMethod method);

// A fault of what was typed says in which field: "Message: “abc”".
[[nodiscard]] Error inField(const QWidget* field, Error error);

} // namespace napkin
