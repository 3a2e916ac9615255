// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/spec.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QFormLayout;
class QSpinBox;

namespace napkin {

// The choices of one kind of measurement. It is the usual ones itself; more() are those behind
// "More options", a widget that the form puts there.
class OptionsEditor : public QWidget
{
    Q_OBJECT
public:
    enum class FarEnd { Stock, Paired };

    explicit OptionsEditor(ProbeKind kind);
    ~OptionsEditor() override;

    [[nodiscard]] ProbeKind kind() const { return m_kind; }
    [[nodiscard]] QWidget* more() const { return m_more; }
    [[nodiscard]] QFormLayout* usualForm() const { return m_usualForm; }
    [[nodiscard]] QFormLayout* moreForm() const { return m_moreForm; }

    // ParseFailed for what can not be read; ranges are left to validate().
    [[nodiscard]] virtual Result<ProbeOptions> options() const = 0;
    // What only a paired machine can answer is offered, or not.
    virtual void setFarEnd(FarEnd farEnd);

Q_SIGNALS:
    void changed(); // a port or a paired machine may be needed now, or no longer

protected:
    // "Stop when sure"; the time becomes the most that it may take.
    [[nodiscard]] QCheckBox* addStopWhenSure(QSpinBox* time, int leastTime);

private:
    ProbeKind m_kind;
    QWidget* m_more;
    QFormLayout* m_usualForm;
    QFormLayout* m_moreForm;
};

// One of each kind, in the order of ProbeKind.
[[nodiscard]] std::vector<OptionsEditor*> makeOptionsEditors();

// Why a kind can not be measured, where the far end is no paired machine.
[[nodiscard]] QString needsPairedWords();

} // namespace napkin
