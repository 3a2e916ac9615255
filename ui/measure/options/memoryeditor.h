// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

namespace napkin {

// Memory bandwidth: how long, and with how many threads.
class MemoryEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    MemoryEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    QSpinBox* m_seconds;
    QSpinBox* m_threads;
};

} // namespace napkin
