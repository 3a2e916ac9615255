// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/optionseditor.h"

#include "ui/measure/options/connecteditor.h"
#include "ui/measure/options/fields.h"
#include "ui/measure/options/latencyeditor.h"
#include "ui/measure/options/loadeditor.h"
#include "ui/measure/options/memoryeditor.h"
#include "ui/measure/options/pathmtueditor.h"
#include "ui/measure/options/soakeditor.h"
#include "ui/measure/options/storageeditor.h"
#include "ui/measure/options/sweepeditor.h"
#include "ui/measure/options/throughputeditor.h"
#include "ui/measure/options/udpeditor.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>

namespace napkin {

OptionsEditor::OptionsEditor(ProbeKind kind)
    : m_kind(kind)
    , m_more(new QWidget(this))
    , m_usualForm(formLayout())
    , m_moreForm(formLayout())
{
    setLayout(m_usualForm);
    m_more->setLayout(m_moreForm);
    m_more->hide();
    setObjectName(probeKindName(kind));
}

OptionsEditor::~OptionsEditor() = default;

void OptionsEditor::setFarEnd(FarEnd) {}

QCheckBox* OptionsEditor::addStopWhenSure(QSpinBox* time, int leastTime)
{
    auto* sure = new QCheckBox(tr("Stop when sure (± 1 %)"));
    sure->setToolTip(tr("Ends as soon as the result is known to plus or minus 1 %. A link that is "
                        "not steady runs for the whole time, and is said to be that."));
    m_usualForm->addRow(new QLabel, sure);
    const int least = time->minimum();
    connect(sure, &QCheckBox::toggled, this, [time, least, leastTime](bool on) {
        time->setPrefix(on ? tr("at most ", "a time follows") : QString());
        time->setMinimum(on ? leastTime : least);
    });
    return sure;
}

std::vector<OptionsEditor*> makeOptionsEditors()
{
    return {new ThroughputEditor, new ConnectEditor, new LatencyEditor, new SweepEditor,
            new LoadEditor,       new PathMtuEditor, new UdpEditor,     new MemoryEditor,
            new StorageEditor,    new SoakEditor};
}

QString needsPairedWords()
{
    return OptionsEditor::tr("needs a paired machine");
}

} // namespace napkin
