// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/fields.h"

#include "core/results/spec.h"
#include "ui/measure/measurewords.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::MeasureForm)
};

} // namespace

QFormLayout* formLayout()
{
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(gap(3));
    form->setVerticalSpacing(gap(2));
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setContentsMargins(0, 0, 0, 0);
    return form;
}

QSpinBox* spinBox(int least, int most, int value, const QString& suffix)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(false);
    return box;
}

QSpinBox* secondsBox(int least, int most, int value)
{
    return spinBox(least, most, value, Words::tr(" s", "seconds, after a number"));
}

QSpinBox* millisecondsBox(int least, int most, int value)
{
    return spinBox(least, most, value, Words::tr(" ms", "milliseconds, after a number"));
}

QComboBox* flowBox()
{
    auto* box = new QComboBox;
    for (const auto flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional})
        box->addItem(flowWords(flow), static_cast<int>(flow));
    return box;
}

QComboBox* waitBox()
{
    auto* box = new QComboBox;
    box->addItem(Words::tr("blocking"), static_cast<int>(WaitMode::Blocking));
    box->addItem(Words::tr("busy polling"), static_cast<int>(WaitMode::BusyPoll));
    box->setToolTip(Words::tr("Blocking: asleep until the kernel wakes the program, as most "
                              "programs do. Busy polling: asking all the time, a core each."));
    return box;
}

void addField(QFormLayout* form, const QString& label, QWidget* field)
{
    field->setAccessibleName(label);
    form->addRow(label, field);
    form->labelForField(field)->setMinimumHeight(field->sizeHint().height()); // in line with it
}

void showField(QFormLayout* form, QWidget* field, bool visible)
{
    field->setVisible(visible);
    if (QWidget* label = form->labelForField(field))
        label->setVisible(visible);
}

void alignLabels(const QList<QFormLayout*>& forms)
{
    std::vector<QWidget*> labels;
    int widest = 0;
    for (const QFormLayout* form : forms) {
        for (int row = 0; row < form->rowCount(); ++row) {
            const QLayoutItem* item = form->itemAt(row, QFormLayout::LabelRole);
            if (item && item->widget()) {
                labels.push_back(item->widget());
                widest = std::max(widest, item->widget()->sizeHint().width());
            }
        }
    }
    for (QWidget* label : labels)
        label->setMinimumWidth(widest);
}

void makeShrinkable(QComboBox* box)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
}

void setChoice(QComboBox* box, int index, const QString& text, const QString& whyNot)
{
    box->setItemText(index, whyNot.isEmpty() ? text
                                             : Words::tr("%1 (%2)", "a choice, and why it can not "
                                                                    "be taken")
                                                   .arg(text, whyNot));
    if (const auto* model = qobject_cast<QStandardItemModel*>(box->model()))
        model->item(index)->setEnabled(whyNot.isEmpty());
    // The list is as wide as its words, however narrow the form.
    box->view()->setMinimumWidth(box->view()->sizeHintForColumn(0));
}

Error inField(const QWidget* field, Error error)
{
    error.context = Words::tr("%1: %2", "a field, what was typed there")
                        .arg(field->accessibleName(), error.context);
    return error;
}

QString methodWords(EchoMethod method)
{
    switch (method) {
    case EchoMethod::Icmp:
        return Words::tr("ICMP echo (ping)");
    case EchoMethod::Tcp:
        return Words::tr("TCP ping-pong");
    case EchoMethod::Udp:
        return Words::tr("UDP ping-pong");
    }
    return {};
}

} // namespace napkin
