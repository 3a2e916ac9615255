// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/soakeditor.h"

#include "core/quantity/format.h"
#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace napkin {

SoakEditor::SoakEditor()
    : OptionsEditor(ProbeKind::Soak)
    , m_flow(flowBox())
    , m_duration(new QLineEdit(formatDuration(SoakOptions().duration)))
    , m_cap(new QLineEdit)
    , m_block(new QLineEdit(formatBytesBinary(SoakOptions().blockSize)))
    , m_stall(millisecondsBox(200, 60'000, static_cast<int>(SoakOptions().stallAfter.count())))
    , m_lost(millisecondsBox(2'000, 120'000, static_cast<int>(SoakOptions().lostAfter.count())))
{
    m_flow->setCurrentIndex(m_flow->findData(static_cast<int>(SoakOptions().flow)));
    m_duration->setToolTip(tr("10 s to 24 h: “10 min”, “8 h”. It can be cancelled at any time, and "
                              "what it has seen is kept."));
    m_cap->setPlaceholderText(tr("as fast as it goes"));
    m_cap->setToolTip(tr("At most so much in each direction, so that other work has room: 1 Mb/s "
                         "to 400 Gb/s"));
    m_block->setToolTip(tr("What is compared at a time: 4 KiB to 4 MiB"));
    m_stall->setToolTip(tr("A time without a byte that counts as a stall"));
    m_lost->setToolTip(tr("A time without a byte after which the connection is given up, and "
                          "another one tried"));
    addField(usualForm(), tr("Direction"), m_flow);
    addField(usualForm(), tr("Duration"), m_duration);
    addField(usualForm(), tr("At most"), m_cap);
    addField(moreForm(), tr("Block"), m_block);
    addField(moreForm(), tr("Stall after"), m_stall);
    addField(moreForm(), tr("Give up after"), m_lost);
}

Result<ProbeOptions> SoakEditor::options() const
{
    SoakOptions options;
    options.flow = static_cast<Flow>(m_flow->currentData().toInt());
    const auto duration = parseDuration(m_duration->text());
    if (!duration)
        return tl::unexpected(duration.error());
    options.duration = std::chrono::round<std::chrono::milliseconds>(*duration);
    if (!m_cap->text().trimmed().isEmpty()) {
        const auto cap = parseBitRate(m_cap->text());
        if (!cap)
            return tl::unexpected(cap.error());
        options.rateCap = *cap;
    }
    const auto block = parseByteCount(m_block->text());
    if (!block)
        return tl::unexpected(block.error());
    options.blockSize = *block;
    options.stallAfter = std::chrono::milliseconds(m_stall->value());
    options.lostAfter = std::chrono::milliseconds(m_lost->value());
    return ProbeOptions(options);
}

} // namespace napkin
