// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// RTT idle, sending, receiving and both: how long each, over how many streams.
class LoadEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    LoadEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;
    void setFarEnd(FarEnd farEnd) override;

private:
    QComboBox* m_method;
    QSpinBox* m_phase;
    QSpinBox* m_streams;
    QSpinBox* m_interval;
    QLineEdit* m_size;
    QSpinBox* m_timeout;
};

} // namespace napkin
