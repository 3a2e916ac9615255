// SPDX-License-Identifier: GPL-3.0-or-later
// What the measure form is for a measurement of one machine: no cable, no far end.
#include "core/workflow/linkspec.h"
#include "ui/measure/measureform.h"
#include "ui/measure/options/fields.h"
#include "ui/measure/options/optionseditor.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace napkin {

// This machine, and those whose memory can be measured from here.
void MeasureForm::fillMachines()
{
    const QString kept = m_machine->currentData().toString();
    m_machine->clear();
    m_machine->addItem(tr("This machine"), QString());
    for (const PairedPeer& peer : m_book.peers)
        m_machine->addItem(peer.name, peer.id.text());
    m_machine->setCurrentIndex(std::max(0, m_machine->findData(kept)));
}

void MeasureForm::leaveMachine()
{
    if (isOfMachine(kind()))
        m_kind->setCurrentIndex(static_cast<int>(ProbeKind::Throughput));
}

void MeasureForm::showEnds()
{
    const bool isLone = isOfMachine(kind());
    showField(m_basicForm, m_link, !isLone);
    showField(m_basicForm, m_near, !isLone && m_near->count() > 1);
    m_hint->setVisible(!isLone && link().has_value());
    showField(m_basicForm, m_host, !isLone);
    showField(m_basicForm, m_machine, kind() == ProbeKind::Memory);
    for (QWidget* field : {static_cast<QWidget*>(m_interface), static_cast<QWidget*>(m_source),
                           static_cast<QWidget*>(m_ipVersion)})
        showField(m_commonForm, field, !isLone);
    m_farEndCard->setVisible(!isLone);
}

Result<ProbeSpec> MeasureForm::machineSpec(const ProbeOptions& options) const
{
    ProbeSpec spec;
    spec.controller = thisMachine();
    spec.near = spec.controller;
    const auto id = PeerId::fromText(m_machine->currentData().toString());
    const PairedPeer* peer = id && kind() == ProbeKind::Memory ? m_book.find(*id) : nullptr;
    if (peer != nullptr)
        spec.near = machineEnd(*peer);
    spec.near.machine = drawnMachine(m_drawing, spec.near.peer, LocalHost::current(m_book));
    spec.label = m_label->text().trimmed();
    spec.options = options;
    if (const auto valid = validate(spec); !valid)
        return tl::unexpected(valid.error());
    return spec;
}

} // namespace napkin
