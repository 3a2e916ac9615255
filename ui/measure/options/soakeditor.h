// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// A soak: which way, how long, at most how fast.
class SoakEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    SoakEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QComboBox* m_flow;
    QLineEdit* m_duration;
    QLineEdit* m_cap;
    QLineEdit* m_block;
    QSpinBox* m_stall;
    QSpinBox* m_lost;
};

} // namespace napkin
