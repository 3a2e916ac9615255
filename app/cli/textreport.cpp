// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/textreport.h"

#include "app/cli/optiontext.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "core/quantity/format.h"
#include "core/results/summary.h"
#include "core/results/wire.h"
#include "core/workflow/resulttext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::TextReport)
};

const QString unknown = QStringLiteral("–");

QString ratiosText(BitRate rate, const LinkOfRun& link)
{
    QStringList ratios;
    for (const Fact<BitRate>& rating : link.ratings)
        ratios << formatRatio(Ratio::of(rate, rating.value()));
    return ratios.join(QStringLiteral(" / "));
}

QString spreadText(const DirectionSummary& summary)
{
    return summary.lowest && summary.highest
               ? QStringLiteral("%1 – %2").arg(formatGigabits(*summary.lowest),
                                               formatGigabits(*summary.highest))
               : QString();
}

QString retransmitsText(const DirectionSummary& summary)
{
    return summary.retransmits ? QLocale().toString(*summary.retransmits) : unknown;
}

QString rttText(const DirectionSummary& summary)
{
    return summary.rtt ? formatDuration(*summary.rtt) : unknown;
}

void addDirection(Table& table, const QString& name, const std::optional<DirectionSummary>& summary,
                  const LinkOfRun& link)
{
    if (!summary)
        return;
    table.add({name, formatGigabits(summary->throughput),
               formatGigabytes(summary->throughput.toByteRate()),
               ratiosText(summary->throughput, link), spreadText(*summary),
               formatBytes(summary->received), retransmitsText(*summary), rttText(*summary)});
}

QString cpuText(const std::optional<CpuUse>& use)
{
    if (!use)
        return Words::tr("not known");
    return Words::tr("%1 of one core").arg(formatRatio(use->total));
}

QString ratingText(const LinkOfRun& link)
{
    QStringList rates;
    for (const Fact<BitRate>& rating : link.ratings)
        rates << formatRating(rating.value());
    if (rates.isEmpty())
        return {};
    return Words::tr("%1 (%2)").arg(rates.join(QStringLiteral(" / ")), link.className);
}

QString directionTable(const ThroughputSummary& summary, const LinkOfRun& link)
{
    Table table({{QString(), QString()},
                 {Words::tr("arrived"), QStringLiteral("Gb/s"), Align::Right},
                 {QString(), QStringLiteral("GB/s"), Align::Right},
                 {Words::tr("of rated"), QString(), Align::Right, 2},
                 {Words::tr("by second"), QStringLiteral("Gb/s"), Align::Right, 3},
                 {Words::tr("amount"), QString(), Align::Right, 4},
                 {Words::tr("retrans."), QString(), Align::Right},
                 {Words::tr("RTT"), Words::tr("median"), Align::Right, 1}});
    addDirection(table, Words::tr("Forward"), summary.forward, link);
    addDirection(table, Words::tr("Reverse"), summary.reverse, link);
    return table.render(std::nullopt).text;
}

QStringList directionFields(const QString& name, const std::optional<DirectionSummary>& summary,
                            const LinkOfRun& link, int width)
{
    if (!summary)
        return {};
    const auto withUnit = [](const QString& figures, const char* unit) {
        return figures.isEmpty() ? QString() : figures + u' ' + QLatin1StringView(unit);
    };
    Fields fields;
    fields.add(name, withUnit(formatGigabits(summary->throughput), "Gb/s"));
    fields.add(QString(), withUnit(formatGigabytes(summary->throughput.toByteRate()), "GB/s"));
    fields.add(Words::tr("Of rated"), ratiosText(summary->throughput, link));
    fields.add(Words::tr("By second"), withUnit(spreadText(*summary), "Gb/s"));
    fields.add(Words::tr("Amount"), formatBytes(summary->received));
    fields.add(Words::tr("Retransmissions"), retransmitsText(*summary));
    fields.add(Words::tr("RTT, median"), rttText(*summary));
    return fields.lines(width) + QStringList{QString()};
}

// A table where it fits, or else one figure below the other.
QStringList directionLines(const ThroughputSummary& summary, const LinkOfRun& link, int width)
{
    constexpr int margin = 2;
    const QStringList table = directionTable(summary, link).split(u'\n');
    const bool fits = std::all_of(table.begin(), table.end(), [width](const QString& line) {
        return line.size() + margin <= width;
    });
    if (!fits)
        return directionFields(Words::tr("Forward"), summary.forward, link, width) +
               directionFields(Words::tr("Reverse"), summary.reverse, link, width);
    QStringList lines;
    for (const QString& line : table)
        lines << QString(margin, u' ') + line;
    return lines << QString();
}

QStringList throughputFigures(const ThroughputData& data, const ThroughputSummary& summary,
                              const LinkOfRun& link, int width)
{
    const QStringList lines = directionLines(summary, link, width);
    const bool isExact = (!summary.forward || summary.forward->fromTotals) &&
                         (!summary.reverse || summary.reverse->fromTotals);
    Fields fields;
    fields.add(Words::tr("Counted"),
               isExact ? Words::tr("by the receiver, over the whole run")
                       : Words::tr("from the samples; the receiver's own count never came"));
    fields.add(Words::tr("Rated"), ratingText(link));
    fields.add(Words::tr("CPU here"), cpuText(data.nearCpu));
    fields.add(Words::tr("CPU far end"), cpuText(data.farCpu));
    fields.add(Words::tr("Far program"),
               data.farProgram.isEmpty() ? Words::tr("not known") : data.farProgram);
    return lines + fields.lines(width);
}

QStringList connectFigures(const ConnectData& data, int width)
{
    const ConnectSummary summary = summarise(data);
    const auto time = [](const std::optional<Duration>& value) {
        return value ? formatDuration(*value) : QString();
    };
    Fields fields;
    fields.add(Words::tr("Median"), time(summary.median));
    if (summary.p10 && summary.p90)
        fields.add(Words::tr("Middle 80 %"),
                   Words::tr("%1 to %2").arg(time(summary.p10), time(summary.p90)));
    if (summary.least && summary.most)
        fields.add(Words::tr("All"),
                   Words::tr("%1 to %2").arg(time(summary.least), time(summary.most)));
    fields.add(Words::tr("Connected"), Words::tr("%1 of %Ln attempts", nullptr, summary.attempts)
                                           .arg(QLocale().toString(summary.connected)));
    const auto addCount = [&fields](const QString& name, int count) {
        if (count > 0)
            fields.add(name, QLocale().toString(count));
    };
    addCount(Words::tr("Refused"), summary.refused);
    addCount(Words::tr("No answer"), summary.timedOut);
    addCount(Words::tr("Unreachable"), summary.unreachable);
    return fields.lines(width);
}

QString rowText(const ResultRow& row)
{
    return row.remark.isEmpty() ? row.value : Words::tr("%1 (%2)").arg(row.value, row.remark);
}

// A table, or where it does not fit its rows one below the other.
QStringList tableLines(const ResultTable& table, int width)
{
    constexpr int margin = 2;
    std::vector<Column> columns;
    columns.reserve(table.columns.size());
    for (const ResultTable::Column& column : table.columns)
        columns.push_back({column.title, {}, column.isFigure ? Align::Right : Align::Left});
    Table text(columns);
    for (const QStringList& row : table.rows)
        text.add(row);
    const QStringList lines = text.render(std::nullopt).text.split(u'\n');
    const bool fits = std::ranges::all_of(
        lines, [width](const QString& line) { return line.size() + margin <= width; });
    QStringList out;
    if (fits) {
        for (const QString& line : lines)
            out << QString(margin, u' ') + line;
        return out;
    }
    for (const QStringList& row : table.rows) {
        Fields fields;
        for (qsizetype i = 0; i < row.size(); ++i)
            fields.add(table.columns[static_cast<size_t>(i)].title, row[i]);
        out += fields.lines(width) + QStringList{QString()};
    }
    return out;
}

QStringList textFigures(const ProbeResult& result, int width)
{
    const ResultText text = resultText(result);
    Fields fields;
    for (const ResultRow& row : text.rows)
        fields.add(row.label, rowText(row));
    QStringList lines = fields.lines(width);
    if (text.table)
        lines += QStringList{QString()} + tableLines(*text.table, width);
    return lines;
}

bool hasFlag(const ProbeResult& result, QualityFlag flag)
{
    return std::ranges::any_of(result.quality,
                               [flag](const QualityNote& note) { return note.flag == flag; });
}

QString notFiledText(const WrongWire& wrong, const QString& linkName)
{
    const QString where =
        wrong.end == End::Near
            ? Words::tr("the bytes went through %1 of the near end, not through %2")
            : Words::tr("the bytes went through %1 of the far end, not through %2");
    const QString why = where.arg(wrong.taken, wrong.expected);
    return linkName.isEmpty() ? Words::tr("Filed under no link: %1.").arg(why)
                              : Words::tr("Not filed under “%1”: %2.").arg(linkName, why);
}

} // namespace

QString faultText(const ErrorText& words)
{
    QStringList lines{QStringLiteral("napkin-cli: ") + words.what};
    if (!words.why.isEmpty())
        lines << QStringLiteral("  ") + Words::tr("Why: %1").arg(words.why);
    if (!words.advice.isEmpty())
        lines << QStringLiteral("  ") + Words::tr("What to do: %1").arg(words.advice);
    return lines.join(u'\n');
}

QString farTitle(const Endpoint& far)
{
    const QString address = endpointText(far.host, far.port);
    return far.name.isEmpty() || far.name == far.host
               ? address
               : QStringLiteral("%1 (%2)").arg(far.name, address);
}

QString specTitle(const ProbeSpec& spec)
{
    const QString what = probeKindText(spec.kind());
    Endpoint far = spec.far;
    if (!usesPort(spec.options))
        far.port = 0; // with a paired machine one was held, and no message went there
    if (isOfMachine(spec.kind()))
        return Words::tr("%1 of %2", "a kind of measurement, a machine")
                   .arg(what,
                        spec.near.name.isEmpty() ? Words::tr("this machine") : spec.near.name) +
               QStringLiteral(", ") + optionsTitle(spec.options);
    const QString ends =
        spec.near.peer ? Words::tr("%1 from %2 to %3").arg(what, spec.near.name, farTitle(far))
                       : Words::tr("%1 to %2").arg(what, farTitle(far));
    return ends + QStringLiteral(", ") + optionsTitle(spec.options);
}

QString spanText(std::chrono::milliseconds time)
{
    if (time.count() % 1000 == 0)
        return QLocale().toString(static_cast<qlonglong>(time.count() / 1000)) +
               QStringLiteral("\u00a0s");
    return formatDuration(time);
}

QString flowText(Flow flow)
{
    switch (flow) {
    case Flow::Forward:
        return Words::tr("forward");
    case Flow::Reverse:
        return Words::tr("reverse");
    case Flow::Bidirectional:
        return Words::tr("both ways");
    }
    return {};
}

QString outcomeText(ConnectSample::Outcome outcome)
{
    switch (outcome) {
    case ConnectSample::Outcome::Connected:
        return Words::tr("connected");
    case ConnectSample::Outcome::Refused:
        return Words::tr("refused");
    case ConnectSample::Outcome::TimedOut:
        return Words::tr("no answer");
    case ConnectSample::Outcome::Unreachable:
        return Words::tr("unreachable");
    }
    return {};
}

QString provenanceLetter(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Rated:
        return QStringLiteral("R");
    case Provenance::Assumed:
        return QStringLiteral("A");
    case Provenance::Modelled:
        return QStringLiteral("≈");
    case Provenance::Measured:
        return QStringLiteral("M");
    }
    return {};
}

QString dateText(const QDateTime& date)
{
    return date.isValid() ? date.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))
                          : QString();
}

void Fields::add(const QString& name, const QString& value)
{
    if (!value.isEmpty())
        m_fields.emplace_back(name, value);
}

QStringList Fields::lines(int width) const
{
    qsizetype widest = 0;
    for (const auto& [name, value] : m_fields)
        widest = std::max(widest, name.size());
    QStringList lines;
    for (const auto& [name, value] : m_fields)
        lines << QStringLiteral("  ") + name.leftJustified(widest) + QStringLiteral("   ") +
                     wrapped(value, width, static_cast<int>(widest) + 5);
    return lines;
}

QStringList figures(const ProbeResult& result, const LinkOfRun& ofRun, int width)
{
    // A machine that talked to itself, or over another wire, says nothing about the link: no ratio.
    const bool isLoopback = hasFlag(result, QualityFlag::Loopback);
    const bool isElsewhere = hasFlag(result, QualityFlag::WrongInterface);
    const LinkOfRun link = isLoopback || isElsewhere ? LinkOfRun{} : ofRun;
    QStringList lines;
    if (const auto* connect = std::get_if<ConnectData>(&result.data))
        lines = connectFigures(*connect, width);
    else if (const auto* throughput = std::get_if<ThroughputData>(&result.data))
        lines = throughputFigures(*throughput, summariseThroughput(result), link, width);
    lines += textFigures(result, width);
    const QString unsure = unsureText(result);
    if (!result.quality.empty() || !unsure.isEmpty())
        lines << QString();
    if (!unsure.isEmpty())
        lines << QStringLiteral("  ! ") + wrapped(unsure, width, 4);
    for (const QualityNote& note : result.quality) {
        lines << QStringLiteral("  ! ") + wrapped(qualityFlagText(note.flag), width, 4);
        // Of a partial run it is a word for programs; the fault is told in full elsewhere.
        if (!note.evidence.isEmpty() && note.flag != QualityFlag::Partial)
            lines << QStringLiteral("    ") + wrapped(u'(' + note.evidence + u')', width, 4);
    }
    if (const auto wrong = isElsewhere ? wrongWire(result) : std::nullopt)
        lines << QStringLiteral("  ! ") + wrapped(notFiledText(*wrong, ofRun.name), width, 4);
    if (isLoopback && !ofRun.name.isEmpty())
        lines << QStringLiteral("  ! ") +
                     wrapped(Words::tr("It does not stand for the link “%1” in the worksheet.")
                                 .arg(ofRun.name),
                             width, 4);
    return lines;
}

QString runText(std::optional<std::int64_t> number, const ProbeResult& result,
                const LinkOfRun& link, const QString& notebook, int width)
{
    QString title = specTitle(result.spec);
    title[0] = title[0].toUpper();
    QStringList lines{wrapped(title, width)};
    if (!link.name.isEmpty() && !result.spec.intendedLink)
        lines << wrapped(Words::tr("On link “%1”").arg(link.name), width);
    lines << QString();
    lines += figures(result, link, width);
    lines << QString();
    QString kept = Words::tr("Not recorded: these figures are nowhere but here");
    if (number && result.completion == Completion::Complete)
        kept = Words::tr("Recorded as number %1 in %2").arg(*number).arg(notebook);
    else if (number)
        kept = Words::tr("Partial run, kept as number %1 in %2").arg(*number).arg(notebook);
    lines << wrapped(kept, width);
    return lines.join(u'\n');
}

} // namespace napkin::cli
