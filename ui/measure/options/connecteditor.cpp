// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/connecteditor.h"

#include "ui/measure/options/fields.h"

#include <QSpinBox>

namespace napkin {

ConnectEditor::ConnectEditor()
    : OptionsEditor(ProbeKind::ConnectTime)
    , m_attempts(spinBox(1, 10'000, 20, {}))
    , m_interval(millisecondsBox(0, 60'000, 50))
{
    addField(usualForm(), tr("Attempts"), m_attempts);
    addField(moreForm(), tr("One every"), m_interval);
}

Result<ProbeOptions> ConnectEditor::options() const
{
    ConnectOptions options;
    options.attempts = m_attempts->value();
    options.interval = std::chrono::milliseconds(m_interval->value());
    return ProbeOptions(options);
}

} // namespace napkin
