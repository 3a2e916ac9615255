// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/memoryeditor.h"

#include "ui/measure/options/fields.h"

#include <QFormLayout>
#include <QSpinBox>

namespace napkin {

MemoryEditor::MemoryEditor()
    : OptionsEditor(ProbeKind::Memory)
    , m_seconds(secondsBox(1, 60, 5))
    , m_threads(spinBox(0, 1'024, 0, {}))
{
    m_seconds->setToolTip(tr("How long the cores are kept busy; ten passes are made at least"));
    m_threads->setSpecialValueText(tr("one a core"));
    m_threads->setToolTip(tr("Threads, each kept on its own core"));
    addField(usualForm(), tr("Duration"), m_seconds);
    addField(moreForm(), tr("Threads"), m_threads);
}

Result<ProbeOptions> MemoryEditor::options() const
{
    MemoryOptions options;
    options.duration = std::chrono::seconds(m_seconds->value());
    options.threads = m_threads->value();
    return ProbeOptions(options);
}

} // namespace napkin
