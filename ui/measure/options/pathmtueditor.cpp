// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/pathmtueditor.h"

#include "ui/measure/options/fields.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>

namespace napkin {

PathMtuEditor::PathMtuEditor()
    : OptionsEditor(ProbeKind::PathMtu)
    , m_bulk(new QCheckBox(tr("Then a transfer each way")))
    , m_attempts(spinBox(1, 10, 3, {}))
    , m_timeout(millisecondsBox(50, 60'000, 500))
{
    m_bulk->setChecked(true);
    m_bulk->setToolTip(tr("Shows whether a connection that stands also carries data. Needs a "
                          "server at the port."));
    usualForm()->addRow(new QLabel, m_bulk);
    m_attempts->setToolTip(tr("How often a size is tried before silence counts"));
    m_timeout->setToolTip(tr("How long to wait for the answer to one packet"));
    addField(moreForm(), tr("Attempts"), m_attempts);
    addField(moreForm(), tr("Time limit"), m_timeout);
    connect(m_bulk, &QCheckBox::toggled, this, &PathMtuEditor::changed);
}

Result<ProbeOptions> PathMtuEditor::options() const
{
    PathMtuOptions options;
    options.bulkCheck = m_bulk->isChecked();
    options.attempts = m_attempts->value();
    options.timeout = std::chrono::milliseconds(m_timeout->value());
    return ProbeOptions(options);
}

} // namespace napkin
