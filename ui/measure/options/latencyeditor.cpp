// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/latencyeditor.h"

#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace napkin {

LatencyEditor::LatencyEditor()
    : OptionsEditor(ProbeKind::Latency)
    , m_method(new QComboBox)
    , m_seconds(secondsBox(1, 3'600, 5))
    , m_sure(nullptr)
    , m_wait(waitBox())
    , m_size(new QLineEdit(QStringLiteral("64 B")))
    , m_interval(millisecondsBox(2, 60'000, 5))
    , m_timeout(millisecondsBox(10, 60'000, 1'000))
{
    makeShrinkable(m_method);
    for (const auto method : {EchoMethod::Icmp, EchoMethod::Tcp, EchoMethod::Udp})
        m_method->addItem(methodWords(method), static_cast<int>(method));
    addField(usualForm(), tr("With"), m_method);
    addField(usualForm(), tr("Duration"), m_seconds);
    m_sure = addStopWhenSure(m_seconds, 1);
    m_sure->setChecked(true);
    m_interval->setSpecialValueText({});
    m_size->setToolTip(tr("The payload of each message"));
    m_interval->setToolTip(tr("From the start of one message to the start of the next, at least"));
    m_timeout->setToolTip(tr("A message without an answer for so long counts as lost"));
    addField(moreForm(), tr("Waiting"), m_wait);
    addField(moreForm(), tr("Message"), m_size);
    addField(moreForm(), tr("One every"), m_interval);
    addField(moreForm(), tr("Time limit"), m_timeout);
    connect(m_method, &QComboBox::currentIndexChanged, this, [this] {
        takeMethod();
        Q_EMIT changed();
    });
    takeMethod();
    LatencyEditor::setFarEnd(FarEnd::Stock);
}

EchoMethod LatencyEditor::method() const
{
    return static_cast<EchoMethod>(m_method->currentData().toInt());
}

void LatencyEditor::takeMethod()
{
    const bool wasIcmp = m_shown == EchoMethod::Icmp;
    (wasIcmp ? m_icmpInterval : m_otherInterval) = m_interval->value();
    m_shown = method();
    const bool isIcmp = m_shown == EchoMethod::Icmp;
    m_interval->setMinimum(isIcmp ? 2 : 0);
    m_interval->setSpecialValueText(isIcmp ? QString() : tr("at once"));
    m_interval->setValue(isIcmp ? m_icmpInterval : m_otherInterval);
    if (isIcmp)
        m_wait->setCurrentIndex(0);
    m_wait->setEnabled(!isIcmp);
}

void LatencyEditor::setFarEnd(FarEnd farEnd)
{
    const QString whyNot = farEnd == FarEnd::Paired ? QString() : needsPairedWords();
    for (const int index : {1, 2})
        setChoice(m_method, index,
                  methodWords(static_cast<EchoMethod>(m_method->itemData(index).toInt())), whyNot);
}

Result<ProbeOptions> LatencyEditor::options() const
{
    LatencyOptions options;
    options.method = method();
    options.duration = std::chrono::seconds(m_seconds->value());
    options.ending = m_sure->isChecked() ? Ending::WhenSure : Ending::FixedTime;
    options.wait = static_cast<WaitMode>(m_wait->currentData().toInt());
    const auto size = parseByteCount(m_size->text());
    if (!size)
        return tl::unexpected(inField(m_size, size.error()));
    options.messageSize = *size;
    options.interval = std::chrono::milliseconds(m_interval->value());
    options.timeout = std::chrono::milliseconds(m_timeout->value());
    return ProbeOptions(options);
}

} // namespace napkin
