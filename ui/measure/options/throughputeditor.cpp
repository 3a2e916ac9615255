// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/throughputeditor.h"

#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace napkin {

ThroughputEditor::ThroughputEditor()
    : OptionsEditor(ProbeKind::Throughput)
    , m_flow(flowBox())
    , m_seconds(secondsBox(1, 86'400, 10))
    , m_streams(spinBox(1, 128, 1, {}))
    , m_sure(nullptr)
    , m_omit(secondsBox(0, 600, 0))
    , m_blockSize(new QLineEdit(QStringLiteral("128 KiB")))
    , m_congestion(new QComboBox)
{
    addField(usualForm(), tr("Direction"), m_flow);
    addField(usualForm(), tr("Duration"), m_seconds);
    m_sure = addStopWhenSure(m_seconds, 2);
    addField(usualForm(), tr("Streams"), m_streams);

    m_omit->setToolTip(tr("Leave out the first seconds, while TCP finds its speed"));
    m_blockSize->setToolTip(tr("Bytes handed to the socket at once: 4 B to 1 MiB"));
    m_congestion->setEditable(true);
    makeShrinkable(m_congestion);
    m_congestion->addItems({QString(), QStringLiteral("cubic"), QStringLiteral("bbr"),
                            QStringLiteral("reno"), QStringLiteral("dctcp")});
    m_congestion->lineEdit()->setPlaceholderText(tr("the system’s"));
    m_congestion->lineEdit()->setAccessibleName(tr("Congestion control"));
    addField(moreForm(), tr("Leave out"), m_omit);
    addField(moreForm(), tr("Block size"), m_blockSize);
    addField(moreForm(), tr("Congestion"), m_congestion);
}

Result<ProbeOptions> ThroughputEditor::options() const
{
    ThroughputOptions options;
    options.flow = static_cast<Flow>(m_flow->currentData().toInt());
    options.duration = std::chrono::seconds(m_seconds->value());
    options.ending = m_sure->isChecked() ? Ending::WhenSure : Ending::FixedTime;
    options.streams = m_streams->value();
    options.omit = std::chrono::seconds(m_omit->value());
    const auto block = parseByteCount(m_blockSize->text());
    if (!block)
        return tl::unexpected(inField(m_blockSize, block.error()));
    options.blockSize = *block;
    options.congestionControl = m_congestion->currentText().trimmed();
    return ProbeOptions(options);
}

} // namespace napkin
