// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// UDP at a rate that is asked for: which way, how much, how long.
class UdpEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    UdpEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QComboBox* m_flow;
    QLineEdit* m_rate;
    QSpinBox* m_seconds;
    QSpinBox* m_streams;
    QLineEdit* m_size;
    QSpinBox* m_omit;
};

} // namespace napkin
