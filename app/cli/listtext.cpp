// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listtext.h"

#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/textreport.h"
#include "core/quantity/format.h"
#include "core/workflow/resulttext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace napkin::cli {

namespace {

constexpr int widestNote = 80;
constexpr int leastForRates = 75; // columns

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::ListText)
};

QString gigabits(const std::optional<BitRate>& rate)
{
    return rate ? formatGigabits(*rate) : QString();
}

QString count(const std::optional<std::int64_t>& number)
{
    return number ? QLocale().toString(*number) : QString();
}

QString stateText(const RecordSummary& record)
{
    QStringList words;
    if (record.voided)
        words << Words::tr("voided");
    if (record.completion == Completion::Partial)
        words << Words::tr("partial");
    if (record.origin != Origin::Mine)
        words << originWord(record.origin);
    return words.join(QStringLiteral(", "));
}

QString flowOf(const RecordSummary& record)
{
    return record.streams == 1
               ? flowText(record.flow)
               : QStringLiteral("%1 ×%2").arg(flowText(record.flow)).arg(record.streams);
}

QString kindText(const RecordSummary& record)
{
    switch (record.kind) {
    case ProbeKind::Throughput:
        return flowOf(record);
    case ProbeKind::ConnectTime:
        return Words::tr("connect");
    case ProbeKind::Latency:
        return Words::tr("latency");
    case ProbeKind::MessageSweep:
        return Words::tr("sweep");
    case ProbeKind::LoadedLatency:
        return Words::tr("loaded");
    case ProbeKind::PathMtu:
        return Words::tr("path MTU");
    case ProbeKind::Soak:
        return Words::tr("soak %1").arg(flowOf(record));
    case ProbeKind::UdpThroughput:
        break;
    case ProbeKind::Memory:
        return Words::tr("memory");
    case ProbeKind::Storage:
        return Words::tr("storage");
    }
    return Words::tr("UDP %1").arg(flowOf(record));
}

// Rates of TCP have columns of their own where there is room; what UDP lets through says nothing
// without its loss.
QString resultOf(const RecordSummary& record, bool isNarrow)
{
    return record.kind == ProbeKind::Throughput && !isNarrow ? QString() : headline(record);
}

QString tcpRate(const RecordSummary& record, const std::optional<BitRate>& rate, bool isNarrow)
{
    return record.kind == ProbeKind::Throughput && !isNarrow ? gigabits(rate) : QString();
}

QString timesText(const std::optional<Fact<Ratio>>& ratio)
{
    return ratio ? napkin::timesText(ratio->value().value()) : QString();
}

int noteWidth(std::optional<int> width)
{
    return std::min(width.value_or(widestNote), widestNote);
}

QString emptyText(const QString& notebook, std::optional<int> width)
{
    return wrapped(Words::tr("Nothing is recorded yet in %1.\n"
                             "Measure with: napkin-cli measure throughput HOST\n"
                             "See it work on this machine alone with: napkin-cli demo")
                       .arg(notebook),
                   noteWidth(width));
}

// There may be runs of machines, which have no rows.
QString emptyWorksheetText(const QString& notebook, std::optional<int> width)
{
    return wrapped(Words::tr("No link is drawn or measured yet in %1.\n"
                             "Measure with: napkin-cli measure throughput HOST\n"
                             "See it work on this machine alone with: napkin-cli demo")
                       .arg(notebook),
                   noteWidth(width));
}

void addLeftOut(QStringList& lines, const Table::Rendered& rendered, const QString& elsewhere,
                std::optional<int> width)
{
    if (!rendered.leftOut.isEmpty())
        lines << wrapped(Words::tr("No room for: %1. A wider terminal shows them, and %2.")
                             .arg(rendered.leftOut.join(QStringLiteral(", ")), elsewhere),
                         noteWidth(width));
}

QString fact(const QString& value, Provenance provenance)
{
    return value + u' ' + provenanceLetter(provenance);
}

QString ratings(const std::vector<Fact<BitRate>>& facts)
{
    QStringList texts;
    for (const Fact<BitRate>& rating : facts)
        texts << formatRatedGigabits(rating.value());
    return texts.isEmpty() ? QString() : fact(texts.join(u'/'), facts.front().provenance());
}

QString measured(const std::optional<MeasuredRate>& rate)
{
    return rate ? fact(formatGigabits(rate->rate.value()), rate->rate.provenance()) : QString();
}

QString timeFact(const std::optional<Fact<Duration>>& time)
{
    return time ? fact(formatDuration(time->value()), time->provenance()) : QString();
}

QString gigabytes(const std::optional<MeasuredRate>& rate)
{
    return rate ? formatGigabytes(rate->rate.value().toByteRate()) : QString();
}

QString ratios(const std::optional<MeasuredRate>& rate)
{
    QStringList texts;
    if (rate) {
        for (const Ratio& ratio : rate->ratios)
            texts << formatRatio(ratio);
    }
    return texts.join(u'/');
}

// Both directions added, where each that was measured knows its own.
QString retransmits(const std::optional<MeasuredRate>& forward,
                    const std::optional<MeasuredRate>& reverse)
{
    if (!forward && !reverse)
        return {};
    if ((forward && !forward->retransmits) || (reverse && !reverse->retransmits))
        return {};
    return count((forward ? *forward->retransmits : 0) + (reverse ? *reverse->retransmits : 0));
}

QString manner(const std::optional<EchoManner>& manner)
{
    return manner ? mannerText(*manner) : QString();
}

QString mtuText(const WorksheetRow& row)
{
    if (!row.pathMtu)
        return {};
    const QString size = fact(QLocale().toString(row.pathMtu->value()), row.pathMtu->provenance());
    return row.isBlackHole ? Words::tr("%1, black hole").arg(size) : size;
}

// "→ 95.6 of 300 M, 68 % lost"; a line each way.
QString udpText(const std::vector<MeasuredUdp>& all)
{
    QStringList texts;
    for (const MeasuredUdp& one : all) {
        QStringList rates;
        for (const auto* rate : {&one.forward, &one.reverse}) {
            if (*rate)
                rates << fact(formatBitRate((*rate)->value()), (*rate)->provenance());
        }
        QString text = QStringLiteral("%1 %2").arg(flowText(one.flow), rates.join(u'/'));
        if (one.offered && one.flow != Flow::Bidirectional)
            text = Words::tr("%1 of %2").arg(text, formatBitRate(*one.offered));
        texts << (one.lost ? Words::tr("%1, %2 lost").arg(text, formatRatio(*one.lost)) : text);
    }
    return texts.join(QStringLiteral("; "));
}

QString flags(const std::vector<QualityFlag>& found)
{
    return found.empty() ? QString() : QString(u'!');
}

std::vector<Column> worksheetColumns()
{
    const QString rate = QStringLiteral("Gb/s");
    const QString bytes = QStringLiteral("GB/s");
    const QString gigabytes = Words::tr("GB/s");
    const QString rated = Words::tr("ratio to rated");
    return {
        {Words::tr("Link"), {}, Align::Left, 0, true},
        {Words::tr("Class"), {}, Align::Left, 4, false, Words::tr("class")},
        {Words::tr("Rated"), rate, Align::Right, 1, false, Words::tr("rated")},
        {Words::tr("Forward"), rate, Align::Right},
        {{}, bytes, Align::Right, 8, false, gigabytes},
        {Words::tr("of"), Words::tr("rated"), Align::Right, 2, false, rated},
        {Words::tr("Reverse"), rate, Align::Right},
        {{}, bytes, Align::Right, 8, false, gigabytes},
        {Words::tr("of"), Words::tr("rated"), Align::Right, 2, false, rated},
        {Words::tr("Retrans."), {}, Align::Right, 5, false, Words::tr("retransmissions")},
        {Words::tr("Connect"), Words::tr("median"), Align::Right, 6, false,
         Words::tr("connect time")},
        {Words::tr("RTT"), QStringLiteral("p50"), Align::Right, 5, false, Words::tr("RTT")},
        {Words::tr("by"), {}, Align::Left, 6, false, Words::tr("how the RTT was measured")},
        {Words::tr("Loaded"), Words::tr("to idle"), Align::Right, 7, false,
         Words::tr("RTT under load")},
        {Words::tr("Path MTU"), Words::tr("bytes"), Align::Right, 7, false, Words::tr("path MTU")},
        {Words::tr("UDP"), Words::tr("arrived"), Align::Left, 7, false, Words::tr("UDP")},
        {Words::tr("Alpha"), Words::tr("one way"), Align::Right, 9, false, Words::tr("alpha")},
        {Words::tr("Beta"), {}, Align::Right, 9, false, Words::tr("beta")},
        {{}, {}, Align::Left, 3, false, Words::tr("the mark !")},
        {Words::tr("Measured"), {}, Align::Left, 3, false, Words::tr("date")},
        {Words::tr("Label"), {}, Align::Left, 7, true, Words::tr("label")}};
}

// With what it holds for, and what large messages go by.
QString betaText(const WorksheetRow& row)
{
    if (!row.beta)
        return {};
    QString text = formatByteRate(row.beta->value());
    if (row.betaUpTo)
        text = Words::tr("%1 up to %2").arg(text, exactBytes(*row.betaUpTo));
    if (row.betaLarge)
        text = Words::tr("%1, %2 large").arg(text, formatByteRate(row.betaLarge->value()));
    return text;
}

void addRow(Table& table, const WorksheetRow& row)
{
    const QString measuredAt = row.lastMeasured.isValid() ? dateText(row.lastMeasured)
                               : row.runs > 0             ? Words::tr("none counts")
                                                          : Words::tr("never");
    table.add({row.name,
               row.className,
               ratings(row.ratings),
               measured(row.forward),
               gigabytes(row.forward),
               ratios(row.forward),
               measured(row.reverse),
               gigabytes(row.reverse),
               ratios(row.reverse),
               retransmits(row.forward, row.reverse),
               timeFact(row.connectMedian),
               timeFact(row.latencyP50),
               manner(row.latencyManner),
               timesText(row.loadedRatio),
               mtuText(row),
               udpText(row.udp),
               timeFact(row.alpha),
               betaText(row),
               flags(row.flags),
               measuredAt,
               row.label});
    if (row.bothForward || row.bothReverse)
        table.add({Words::tr("  both at once"),
                   {},
                   {},
                   measured(row.bothForward),
                   gigabytes(row.bothForward),
                   ratios(row.bothForward),
                   measured(row.bothReverse),
                   gigabytes(row.bothReverse),
                   ratios(row.bothReverse),
                   retransmits(row.bothForward, row.bothReverse)});
}

} // namespace

QString listText(const std::vector<RecordSummary>& records, std::optional<int> width,
                 const QString& notebook)
{
    if (records.empty())
        return emptyText(notebook, width);
    Table table({{Words::tr("No."), {}, Align::Right},
                 {Words::tr("When"), {}, Align::Left, 3, false, Words::tr("date")},
                 {Words::tr("Near end"), {}, Align::Left, 4, true, Words::tr("near end")},
                 {Words::tr("Far end"), {}, Align::Left, 0, true},
                 {Words::tr("Link"), {}, Align::Left, 2, true, Words::tr("link")},
                 {Words::tr("What"), {}, Align::Left},
                 {Words::tr("Forward"), QStringLiteral("Gb/s"), Align::Right, 1},
                 {Words::tr("Reverse"), QStringLiteral("Gb/s"), Align::Right, 1},
                 {Words::tr("Retrans."), {}, Align::Right, 5, false, Words::tr("retransmissions")},
                 {Words::tr("Result"), {}, Align::Left, 0, true, Words::tr("result"), 24},
                 {{}, {}, Align::Left, 1, false, Words::tr("the mark !")},
                 {Words::tr("State"), {}, Align::Left, 1, false, Words::tr("state")},
                 {Words::tr("Label"), {}, Align::Left, 6, true, Words::tr("label")}});
    const bool isNarrow = width && *width < leastForRates;
    bool isFlagged = false;
    for (const RecordSummary& record : records) {
        isFlagged = isFlagged || !record.flags.empty();
        table.add({QString::number(record.number), dateText(record.startedAt), record.nearName,
                   record.farName, record.linkName, kindText(record),
                   tcpRate(record, record.forward, isNarrow),
                   tcpRate(record, record.reverse, isNarrow), count(record.retransmits),
                   resultOf(record, isNarrow), flags(record.flags), stateText(record),
                   record.label});
    }
    const Table::Rendered rendered = table.render(width);
    QStringList lines{rendered.text};
    if (isFlagged || !rendered.leftOut.isEmpty())
        lines << QString();
    if (isFlagged)
        lines << wrapped(Words::tr("! to be read with care: napkin-cli show NUMBER says why."),
                         noteWidth(width), 2);
    addLeftOut(lines, rendered, Words::tr("napkin-cli show NUMBER tells everything of a run"),
               width);
    return lines.join(u'\n');
}

QString worksheetText(const std::vector<WorksheetRow>& rows, std::optional<int> width,
                      const QString& notebook)
{
    if (rows.empty())
        return emptyWorksheetText(notebook, width);
    Table table(worksheetColumns());
    bool isFlagged = false;
    for (const WorksheetRow& row : rows) {
        addRow(table, row);
        isFlagged = isFlagged || !row.flags.empty();
    }
    const Table::Rendered rendered = table.render(width);
    QStringList lines{
        rendered.text, QString(),
        wrapped(Words::tr("R rated, M measured. Rates are what arrived."), noteWidth(width))};
    if (isFlagged)
        lines << wrapped(Words::tr("! to be read with care: napkin-cli show NUMBER says why, and "
                                   "napkin-cli list has the numbers."),
                         noteWidth(width), 2);
    addLeftOut(lines, rendered, Words::tr("--csv has everything"), width);
    return lines.join(u'\n');
}

} // namespace napkin::cli
