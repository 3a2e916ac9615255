// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/loadeditor.h"

#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace napkin {

LoadEditor::LoadEditor()
    : OptionsEditor(ProbeKind::LoadedLatency)
    , m_method(new QComboBox)
    , m_phase(secondsBox(2, 600, 4))
    , m_streams(spinBox(1, 128, 1, {}))
    , m_interval(millisecondsBox(2, 60'000, 5))
    , m_size(new QLineEdit(QStringLiteral("64 B")))
    , m_timeout(millisecondsBox(10, 60'000, 2'000))
{
    makeShrinkable(m_method);
    for (const auto method : {EchoMethod::Icmp, EchoMethod::Udp})
        m_method->addItem(methodWords(method), static_cast<int>(method));
    m_phase->setToolTip(tr("There are four: idle, sending, receiving, both at once"));
    m_streams->setToolTip(tr("TCP streams that load the link, in each direction"));
    m_timeout->setToolTip(tr("A message without an answer for so long counts as lost"));
    addField(usualForm(), tr("With"), m_method);
    addField(usualForm(), tr("Each phase"), m_phase);
    addField(usualForm(), tr("Streams"), m_streams);
    addField(moreForm(), tr("Message"), m_size);
    addField(moreForm(), tr("One every"), m_interval);
    addField(moreForm(), tr("Time limit"), m_timeout);
    connect(m_method, &QComboBox::currentIndexChanged, this, &LoadEditor::changed);
    LoadEditor::setFarEnd(FarEnd::Stock);
}

void LoadEditor::setFarEnd(FarEnd farEnd)
{
    setChoice(m_method, 1, methodWords(EchoMethod::Udp),
              farEnd == FarEnd::Paired ? QString() : needsPairedWords());
}

Result<ProbeOptions> LoadEditor::options() const
{
    LoadedLatencyOptions options;
    options.method = static_cast<EchoMethod>(m_method->currentData().toInt());
    options.phase = std::chrono::seconds(m_phase->value());
    options.streams = m_streams->value();
    options.interval = std::chrono::milliseconds(m_interval->value());
    options.timeout = std::chrono::milliseconds(m_timeout->value());
    const auto size = parseByteCount(m_size->text());
    if (!size)
        return tl::unexpected(inField(m_size, size.error()));
    options.messageSize = *size;
    return ProbeOptions(options);
}

} // namespace napkin
