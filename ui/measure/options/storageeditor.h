// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QLineEdit;

namespace napkin {

// Storage: which file of this machine is read, and how.
class StorageEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    StorageEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;

private:
    void choose();

    QLineEdit* m_file;
    QSpinBox* m_seconds;
    QLineEdit* m_request;
    QSpinBox* m_depth;
};

} // namespace napkin
