// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/resultcard.h"

#include "core/base/errortext.h"
#include "core/quantity/format.h"
#include "core/results/wire.h"
#include "ui/measure/measurewords.h"
#include "ui/measure/resultview.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/reltime.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace napkin {

namespace {

constexpr int ratesColumns = 7; // direction, badge, two figures, three of a rating; the rest free

QString cpuText(const std::optional<CpuUse>& use)
{
    // Of one core; an end that did not tell has no figure.
    return use ? formatRatio(use->total) : QString();
}

bool hasFlag(const ProbeResult& result, QualityFlag flag)
{
    return std::ranges::any_of(result.quality,
                               [flag](const QualityNote& note) { return note.flag == flag; });
}

} // namespace

ResultCard::ResultCard(QWidget* parent)
    : QFrame(parent)
    , m_title(new TypeLabel({}, TypeSize::Heading))
    , m_state(new TypeLabel({}, TypeSize::Small))
    , m_show(new QPushButton(tr("Show in worksheet")))
    , m_column(new QVBoxLayout(this))
{
    setAccessibleName(tr("Result"));
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT worksheetRequested(m_record); });
    auto* head = new QHBoxLayout;
    head->setSpacing(gap(3));
    m_state->setWordWrap(true);
    head->addWidget(m_title);
    head->addWidget(m_state, 1);
    head->addWidget(m_show);
    m_column->setContentsMargins(gap(4), gap(3), gap(4), gap(3));
    m_column->setSpacing(gap(2));
    m_column->addLayout(head);
}

void ResultCard::clear(const RunSource& source)
{
    delete m_body;
    m_body = new QWidget;
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap(2));
    m_rates = new QGridLayout;
    m_rates->setHorizontalSpacing(gap(2));
    m_rates->setVerticalSpacing(gap(1));
    m_rates->setColumnStretch(ratesColumns, 1);
    m_values = new ResultView(source);
    m_notes = new QVBoxLayout;
    m_notes->setSpacing(2);
    column->addLayout(m_rates);
    column->addWidget(m_values);
    column->addLayout(m_notes);
    m_column->addWidget(m_body);
}

QString ResultCard::runName() const
{
    return m_number ? tr("run %1").arg(QLocale().toString(*m_number)) : tr("not recorded");
}

void ResultCard::showResult(std::optional<qint64> number, const ProbeResult& result,
                            const std::vector<Fact<BitRate>>& ratings)
{
    m_number = number;
    m_record = result.id;
    clear({result.origin, runName(), result.startedAt});
    m_show->setVisible(number.has_value());
    m_title->setText(number ? tr("Run %1").arg(QLocale().toString(*number)) : tr("Not recorded"));
    m_title->setToolTip(exactTime(result.startedAt));
    QString state = number ? tr("recorded") : tr("These figures are nowhere but here.");
    if (result.completion == Completion::Partial)
        state = !result.fault ? tr("partial: ended before its time")
                : result.fault->isCancelled()
                    ? tr("partial: cancelled")
                    : tr("partial: %1").arg(describe(*result.fault).joined());
    m_state->setText(state);
    // A machine that talked to itself, or over another wire, says nothing about the link: no ratio.
    const bool alone = hasFlag(result, QualityFlag::Loopback);
    const bool elsewhere = hasFlag(result, QualityFlag::WrongInterface);
    if (const auto* throughput = std::get_if<ThroughputData>(&result.data))
        addThroughput(*throughput, result,
                      alone || elsewhere ? std::vector<Fact<BitRate>>() : ratings);
    else if (const auto* connections = std::get_if<ConnectData>(&result.data))
        addConnect(*connections, result);
    else
        m_values->addResult(result);
    addNotes(result);
    setAccessibleDescription(text());
}

void ResultCard::addNotes(const ProbeResult& result)
{
    const bool alone = hasFlag(result, QualityFlag::Loopback);
    const bool elsewhere = hasFlag(result, QualityFlag::WrongInterface);
    QStringList notes; // once each, even when both directions earned it
    if (const QString unsure = unsureText(result); !unsure.isEmpty())
        notes << unsure;
    for (const QualityNote& note : result.quality)
        notes << (note.evidence.isEmpty() ? qualityFlagText(note.flag)
                                          : tr("%1 (%2)", "a sentence, and the figures behind it")
                                                .arg(qualityFlagText(note.flag), note.evidence));
    if (const auto wrong = elsewhere ? wrongWire(result) : std::nullopt)
        notes << (wrong->end == End::Near
                      ? tr("Not filed under the cable it was meant for: the bytes went through %1 "
                           "of the near end, not through %2.")
                      : tr("Not filed under the cable it was meant for: the bytes went through %1 "
                           "of the far end, not through %2."))
                     .arg(wrong->taken, wrong->expected);
    if (alone && result.spec.link)
        notes << tr("The figure does not stand for the cable: drawing and worksheet leave it out.");
    notes.removeDuplicates();
    for (const QString& note : notes)
        addNote(note);
}

void ResultCard::addRate(Direction direction, const DirectionSummary& summary,
                         const ProbeResult& result, const std::vector<Fact<BitRate>>& ratings)
{
    const int row = m_rates->rowCount();
    auto* badge = new Badge;
    badge->setFact(Provenance::Measured, result.origin,
                   badgeText(Provenance::Measured, result.origin, runName(), result.startedAt));
    m_rates->addWidget(new TypeLabel(arrow(direction), TypeSize::Heading), row, 0);
    m_rates->addWidget(badge, row, 1);
    m_rates->addWidget(new TypeLabel(formatBitRate(summary.throughput), TypeSize::Heading), row, 2,
                       Qt::AlignRight);
    m_rates->addWidget(new QLabel(formatByteRate(summary.throughput.toByteRate())), row, 3,
                       Qt::AlignRight);
    int below = row; // a second rating stands below the first: a narrow card has no room beside it
    for (const auto& rating : ratings)
        addRatio(below++, 4, summary, rating);
}

void ResultCard::addRatio(int row, int column, const DirectionSummary& summary,
                          const Fact<BitRate>& rating)
{
    auto* ratio = new QLabel(tr("%1 of", "ratio; a rating follows")
                                 .arg(formatRatio(Ratio::of(summary.throughput, rating.value()))));
    ratio->setContentsMargins(gap(2), 0, 0, 0);
    auto* rated = new Badge;
    rated->setFact(rating.provenance(), rating.origin(), badgeText(rating));
    m_rates->addWidget(ratio, row, column, Qt::AlignRight);
    m_rates->addWidget(rated, row, column + 1);
    m_rates->addWidget(new QLabel(formatRating(rating.value())), row, column + 2);
}

void ResultCard::addThroughput(const ThroughputData& data, const ProbeResult& result,
                               const std::vector<Fact<BitRate>>& ratings)
{
    const ThroughputSummary summary = summariseThroughput(result);
    std::optional<std::int64_t> retransmits;
    QStringList rtts;
    std::optional<Duration> duration;
    for (const auto& [direction, one] : {std::pair(Direction::Forward, summary.forward),
                                         std::pair(Direction::Reverse, summary.reverse)}) {
        if (!one)
            continue;
        addRate(direction, *one, result, ratings);
        if (one->retransmits)
            retransmits = retransmits.value_or(0) + *one->retransmits;
        if (one->rtt)
            rtts << (summary.forward && summary.reverse
                         ? arrow(direction) + QLatin1Char(' ') + formatDuration(*one->rtt)
                         : formatDuration(*one->rtt));
        duration = std::max(duration.value_or(Duration{}), one->duration);
    }
    constexpr auto measured = Provenance::Measured;
    std::vector<ResultRow> rows{
        {tr("Retransmissions"),
         retransmits ? QLocale().toString(qint64(*retransmits)) : QString(),
         {},
         measured},
        {tr("RTT under load"), rtts.join(QStringLiteral(", ")), {}, measured},
        {tr("Measured for"), duration ? formatDuration(*duration) : QString(), {}, measured},
        {tr("CPU here"), cpuText(data.nearCpu), {}, measured},
        {tr("CPU far end"), cpuText(data.farCpu), {}, measured}};
    if (!data.farProgram.isEmpty()) // stock iperf3 does not say
        rows.push_back({tr("Far end"), data.farProgram, {}});
    m_values->addRows(rows);
    m_values->addRows(resultText(result).rows); // how well the rate is known
}

void ResultCard::addConnect(const ConnectData& data, const ProbeResult& result)
{
    const ConnectSummary summary = summarise(data);
    const int row = m_rates->rowCount();
    if (summary.median) {
        auto* badge = new Badge;
        badge->setFact(Provenance::Measured, result.origin,
                       badgeText(Provenance::Measured, result.origin, runName(), result.startedAt));
        m_rates->addWidget(badge, row, 0);
    }
    m_rates->addWidget(new TypeLabel(summary.median
                                         ? tr("median %1").arg(formatDuration(*summary.median))
                                         : tr("no connection"),
                                     TypeSize::Heading),
                       row, 1);
    const auto time = [](const std::optional<Duration>& value) {
        return value ? formatDuration(*value) : QString();
    };
    const auto count = [](int number) { return QLocale().toString(number); };
    constexpr auto measured = Provenance::Measured;
    m_values->addRows({{tr("10 % under"), time(summary.p10), {}, measured},
                       {tr("90 % under"), time(summary.p90), {}, measured},
                       {tr("Connected"),
                        tr("%1 of %2").arg(count(summary.connected), count(summary.attempts)),
                        {},
                        measured},
                       {tr("Refused"), count(summary.refused), {}, measured},
                       {tr("Timed out"), count(summary.timedOut), {}, measured},
                       {tr("Unreachable"), count(summary.unreachable), {}, measured}});
}

void ResultCard::addNote(const QString& text)
{
    auto* note = new QLabel(text);
    note->setWordWrap(true);
    QPalette p = palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text})
        p.setColor(role, themeColor(ColorRole::Caution, p));
    note->setPalette(p);
    m_notes->addWidget(note);
}

QString ResultCard::text() const
{
    QStringList words;
    for (const QLabel* label : findChildren<QLabel*>())
        words << label->text();
    return words.join(QLatin1Char(' '));
}

void ResultCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(ColorRole::Surface, palette()));
    painter.setPen(themeColor(ColorRole::Line, palette()));
    painter.drawLine(rect().topLeft(), rect().topRight());
}

} // namespace napkin
