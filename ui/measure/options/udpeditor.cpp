// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/udpeditor.h"

#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace napkin {

UdpEditor::UdpEditor()
    : OptionsEditor(ProbeKind::UdpThroughput)
    , m_flow(flowBox())
    , m_rate(new QLineEdit(QStringLiteral("100 Mb/s")))
    , m_seconds(secondsBox(1, 86'400, 10))
    , m_streams(spinBox(1, 128, 1, {}))
    , m_size(new QLineEdit)
    , m_omit(secondsBox(0, 600, 0))
{
    m_rate->setToolTip(tr("What is sent, whether it arrives or not: 10 kb/s to 400 Gb/s. All "
                          "streams of a direction together."));
    m_size->setPlaceholderText(tr("what fits a packet"));
    m_size->setToolTip(tr("The payload of each datagram: 16 to 65,507 B"));
    m_omit->setToolTip(tr("Leave out the first seconds"));
    addField(usualForm(), tr("Direction"), m_flow);
    addField(usualForm(), tr("Offer"), m_rate);
    addField(usualForm(), tr("Duration"), m_seconds);
    addField(usualForm(), tr("Streams"), m_streams);
    addField(moreForm(), tr("Datagram"), m_size);
    addField(moreForm(), tr("Leave out"), m_omit);
}

Result<ProbeOptions> UdpEditor::options() const
{
    UdpOptions options;
    options.flow = static_cast<Flow>(m_flow->currentData().toInt());
    options.duration = std::chrono::seconds(m_seconds->value());
    options.streams = m_streams->value();
    options.omit = std::chrono::seconds(m_omit->value());
    const auto rate = parseBitRate(m_rate->text());
    if (!rate)
        return tl::unexpected(inField(m_rate, rate.error()));
    options.rate = *rate;
    if (!m_size->text().trimmed().isEmpty()) {
        const auto size = parseByteCount(m_size->text());
        if (!size)
            return tl::unexpected(inField(m_size, size.error()));
        options.datagramSize = *size;
    }
    return ProbeOptions(options);
}

} // namespace napkin
