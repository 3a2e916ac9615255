// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/sweepeditor.h"

#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace napkin {

SweepEditor::SweepEditor()
    : OptionsEditor(ProbeKind::MessageSweep)
    , m_rounds(spinBox(5, 1'000, 30, {}))
    , m_seconds(secondsBox(2, 3'600, 20))
    , m_least(new QLineEdit(QStringLiteral("1 B")))
    , m_most(new QLineEdit(QStringLiteral("4 MiB")))
    , m_wait(waitBox())
{
    m_rounds->setToolTip(tr("How many messages of each size, in an order that changes each time"));
    m_seconds->setPrefix(tr("at most ", "a time follows"));
    addField(usualForm(), tr("Rounds"), m_rounds);
    addField(usualForm(), tr("Duration"), m_seconds);
    addField(moreForm(), tr("Smallest"), m_least);
    addField(moreForm(), tr("Largest"), m_most);
    addField(moreForm(), tr("Waiting"), m_wait);
}

Result<ProbeOptions> SweepEditor::options() const
{
    SweepOptions options;
    options.rounds = m_rounds->value();
    options.duration = std::chrono::seconds(m_seconds->value());
    options.wait = static_cast<WaitMode>(m_wait->currentData().toInt());
    const auto least = parseByteCount(m_least->text());
    if (!least)
        return tl::unexpected(inField(m_least, least.error()));
    const auto most = parseByteCount(m_most->text());
    if (!most)
        return tl::unexpected(inField(m_most, most.error()));
    options.least = *least;
    options.most = *most;
    return ProbeOptions(options);
}

} // namespace napkin
