// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// RTT by message size: how often each size, from where to where.
class SweepEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    SweepEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QSpinBox* m_rounds;
    QSpinBox* m_seconds;
    QLineEdit* m_least;
    QLineEdit* m_most;
    QComboBox* m_wait;
};

} // namespace napkin
