// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/options/optionseditor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace napkin {

// RTT of small messages: with what, how long, how they are waited for.
class LatencyEditor final : public OptionsEditor
{
    Q_OBJECT
public:
    LatencyEditor();
    [[nodiscard]] Result<ProbeOptions> options() const override;
    void setFarEnd(FarEnd farEnd) override;

private:
    [[nodiscard]] EchoMethod method() const;
    void takeMethod();

    QComboBox* m_method;
    QSpinBox* m_seconds;
    QCheckBox* m_sure;
    QComboBox* m_wait;
    QLineEdit* m_size;
    QSpinBox* m_interval;
    QSpinBox* m_timeout;
    int m_icmpInterval = 5; // ms; the other methods send as soon as the answer is there
    int m_otherInterval = 0;
    EchoMethod m_shown = EchoMethod::Icmp;
};

} // namespace napkin
