// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// TCP throughput: which way, how long, how many streams.
class ThroughputEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    ThroughputEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QComboBox* m_flow;
    QSpinBox* m_seconds;
    QSpinBox* m_streams;
    QCheckBox* m_sure;
    QSpinBox* m_omit;
    QLineEdit* m_blockSize;
    QComboBox* m_congestion;
};

} // namespace napkin
