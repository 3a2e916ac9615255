// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// How long a handshake takes, many times over.
class ConnectEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    ConnectEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QSpinBox* m_attempts;
    QSpinBox* m_interval;
};

} // namespace napkin
