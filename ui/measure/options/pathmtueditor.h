// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// The largest packet that passes: how patient, and whether a transfer follows.
class PathMtuEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    PathMtuEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QCheckBox* m_bulk;
    QSpinBox* m_attempts;
    QSpinBox* m_timeout;
};

} // namespace napkin
