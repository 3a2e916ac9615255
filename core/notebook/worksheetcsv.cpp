// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/recordrow.h"
#include "core/notebook/worksheet.h"

#include <QStringList>

#include <algorithm>

namespace napkin {

namespace {

QString dateText(const QDateTime& date)
{
    return date.isValid() ? date.toUTC().toString(Qt::ISODateWithMs) : QString();
}

// The shortest text that reads back as the same number.
QString numberText(double value)
{
    return QString::number(value, 'f', QLocale::FloatingPointShortest);
}

QString quoted(const QString& text)
{
    const bool plain = !text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
                       !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\r')) &&
                       text == text.trimmed();
    if (plain)
        return text;
    QString inner = text;
    inner.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + inner + QLatin1Char('"');
}

void addLine(QString& csv, const QStringList& fields)
{
    QStringList line;
    for (const QString& field : fields)
        line << quoted(field);
    csv += line.join(QLatin1Char(',')) + QStringLiteral("\r\n");
}

constexpr size_t ratingColumns = 2;

QStringList header()
{
    QStringList names{QStringLiteral("Name"), QStringLiteral("Link"), QStringLiteral("Period"),
                      QStringLiteral("Class")};
    for (size_t i = 1; i <= ratingColumns; ++i) {
        const QString rated = QStringLiteral("Rating %1 ").arg(i);
        names << rated + QStringLiteral("(Gb/s)") << rated + QStringLiteral("(GB/s)")
              << rated + QStringLiteral("provenance") << rated + QStringLiteral("source");
    }
    for (const char* direction :
         {"Forward", "Reverse", "Bidirectional forward", "Bidirectional reverse"}) {
        const QString of = QString::fromLatin1(direction) + QLatin1Char(' ');
        names << of + QStringLiteral("(Gb/s)") << of + QStringLiteral("(GB/s)")
              << of + QStringLiteral("provenance") << of + QStringLiteral("origin")
              << of + QStringLiteral("to rating 1 (ratio)")
              << of + QStringLiteral("to rating 2 (ratio)")
              << of + QStringLiteral("retransmissions (segments)") << of + QStringLiteral("record")
              << of + QStringLiteral("measured at (UTC)");
    }
    names << QStringLiteral("TCP connect time, median (ns)")
          << QStringLiteral("TCP connect time provenance")
          << QStringLiteral("TCP connect time origin")
          << QStringLiteral("TCP connect time measured at (UTC)");
    for (const char* figure : {"RTT p50 (ns)", "RTT p99 (ns)", "RTT p50 under load (ns)",
                               "RTT p50 under load to idle (ratio)", "Path MTU (bytes)",
                               "Alpha, one way (ns)", "Beta (bytes/s)"})
        names << QString::fromLatin1(figure)
              << QString::fromLatin1(figure) + QStringLiteral(" measured at (UTC)");
    names << QStringLiteral("Beta holds below (bytes)")
          << QStringLiteral("Beta, large messages (bytes/s)");
    names << QStringLiteral("RTT lost (ratio)");
    for (const char* what : {"RTT", "RTT under load", "Alpha and beta"}) {
        const QString of = QString::fromLatin1(what) + QLatin1Char(' ');
        names << of + QStringLiteral("method") << of + QStringLiteral("message (bytes)")
              << of + QStringLiteral("waiting");
    }
    names << QStringLiteral("Path MTU black hole");
    for (const char* what : {"UDP forward", "UDP reverse", "UDP both"}) {
        const QString of = QString::fromLatin1(what) + QLatin1Char(' ');
        names << of + QStringLiteral("arrived forward (Gb/s)")
              << of + QStringLiteral("arrived reverse (Gb/s)")
              << of + QStringLiteral("offered (Gb/s)") << of + QStringLiteral("lost (ratio)")
              << of + QStringLiteral("record") << of + QStringLiteral("measured at (UTC)");
    }
    names << QStringLiteral("Last measured at (UTC)") << QStringLiteral("Label")
          << QStringLiteral("Flags") << QStringLiteral("Runs");
    return names;
}

void addRate(QStringList& fields, BitRate rate)
{
    fields << numberText(rate.gigabitsPerSecond())
           << numberText(rate.toByteRate().gigabytesPerSecond());
}

void addEmpty(QStringList& fields, int count)
{
    for (int i = 0; i < count; ++i)
        fields << QString();
}

void addRatings(QStringList& fields, const std::vector<Fact<BitRate>>& ratings)
{
    for (size_t i = 0; i < ratingColumns; ++i) {
        if (i >= ratings.size()) {
            addEmpty(fields, 4);
            continue;
        }
        addRate(fields, ratings[i].value());
        fields << provenanceName(ratings[i].provenance()) << ratings[i].source();
    }
}

void addMeasured(QStringList& fields, const std::optional<MeasuredRate>& measured)
{
    if (!measured) {
        addEmpty(fields, 9);
        return;
    }
    addRate(fields, measured->rate.value());
    fields << provenanceName(measured->rate.provenance()) << originName(measured->rate.origin());
    for (size_t i = 0; i < ratingColumns; ++i)
        fields << (i < measured->ratios.size() ? numberText(measured->ratios[i].value())
                                               : QString());
    fields << (measured->retransmits ? QString::number(*measured->retransmits) : QString())
           << QString::number(measured->number) << dateText(measured->rate.date());
}

QString textOfTime(Duration time)
{
    return QString::number(time.count());
}

QString textOfRatio(Ratio ratio)
{
    return numberText(ratio.value());
}

QString textOfSize(int size)
{
    return QString::number(size);
}

QString textOfRate(ByteRate rate)
{
    return QString::number(rate.bytesPerSecond());
}

template <typename Q>
void addFact(QStringList& fields, const std::optional<Fact<Q>>& fact, QString (*text)(Q))
{
    if (fact)
        fields << text(fact->value()) << dateText(fact->date());
    else
        addEmpty(fields, 2);
}

void addManner(QStringList& fields, const std::optional<EchoManner>& manner)
{
    if (!manner) {
        addEmpty(fields, 3);
        return;
    }
    fields << detail::methodName(manner->method)
           << (manner->size ? QString::number(manner->size->bytes()) : QString())
           << detail::waitName(manner->wait);
}

void addUdp(QStringList& fields, const std::vector<MeasuredUdp>& all, Flow flow)
{
    const auto found = std::find_if(all.begin(), all.end(),
                                    [flow](const MeasuredUdp& one) { return one.flow == flow; });
    if (found == all.end()) {
        addEmpty(fields, 6);
        return;
    }
    const auto rate = [](const std::optional<Fact<BitRate>>& fact) {
        return fact ? numberText(fact->value().gigabitsPerSecond()) : QString();
    };
    const auto& any = found->forward ? found->forward : found->reverse;
    fields << rate(found->forward) << rate(found->reverse)
           << (found->offered ? numberText(found->offered->gigabitsPerSecond()) : QString())
           << (found->lost ? textOfRatio(*found->lost) : QString())
           << QString::number(found->number) << (any ? dateText(any->date()) : QString());
}

QStringList fieldsOf(const WorksheetRow& row)
{
    QStringList fields{row.name, row.link ? row.link->text() : QString(),
                       row.period ? row.period->text() : QString(), row.className};
    addRatings(fields, row.ratings);
    for (const auto* measured : {&row.forward, &row.reverse, &row.bothForward, &row.bothReverse})
        addMeasured(fields, *measured);
    if (row.connectMedian)
        fields << QString::number(row.connectMedian->value().count())
               << provenanceName(row.connectMedian->provenance())
               << originName(row.connectMedian->origin()) << dateText(row.connectMedian->date());
    else
        addEmpty(fields, 4);
    addFact(fields, row.latencyP50, textOfTime);
    addFact(fields, row.latencyP99, textOfTime);
    addFact(fields, row.loadedP50, textOfTime);
    addFact(fields, row.loadedRatio, textOfRatio);
    addFact(fields, row.pathMtu, textOfSize);
    addFact(fields, row.alpha, textOfTime);
    addFact(fields, row.beta, textOfRate);
    fields << (row.betaUpTo ? QString::number(row.betaUpTo->bytes()) : QString())
           << (row.betaLarge ? textOfRate(row.betaLarge->value()) : QString());
    fields << (row.latencyLost ? textOfRatio(*row.latencyLost) : QString());
    for (const auto* manner : {&row.latencyManner, &row.loadedManner, &row.sweepManner})
        addManner(fields, *manner);
    fields << (!row.pathMtu      ? QString()
               : row.isBlackHole ? QStringLiteral("yes")
                                 : QStringLiteral("no"));
    for (const auto flow : {Flow::Forward, Flow::Reverse, Flow::Bidirectional})
        addUdp(fields, row.udp, flow);
    QStringList flags;
    for (const QualityFlag flag : row.flags)
        flags << qualityFlagName(flag);
    fields << dateText(row.lastMeasured) << row.label << flags.join(QLatin1Char(' '))
           << QString::number(row.runs);
    return fields;
}

} // namespace

QString worksheetCsv(const std::vector<WorksheetRow>& rows)
{
    QString csv;
    addLine(csv, header());
    for (const WorksheetRow& row : rows)
        addLine(csv, fieldsOf(row));
    return csv;
}

} // namespace napkin
