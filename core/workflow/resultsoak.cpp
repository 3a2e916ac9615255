// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/soaksummary.h"
#include "core/workflow/resultrows.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultText)
};

constexpr std::size_t mostTold = 200; // events in the table; JSON has all that were kept

QString both(const std::optional<SoakSide>& forward, const std::optional<SoakSide>& reverse)
{
    if (forward && reverse)
        return Words::tr("%1 forward and %2 reverse checked")
            .arg(formatBytes(forward->checked), formatBytes(reverse->checked));
    if (forward)
        return Words::tr("%1 checked").arg(formatBytes(forward->checked));
    return reverse ? Words::tr("%1 checked").arg(formatBytes(reverse->checked)) : QString();
}

QString cleanText(const SoakData& data, const SoakSummary& summary)
{
    return Words::tr("No stall, no drop-out, no damaged block in %1: %2.")
        .arg(formatDuration(data.elapsed), both(summary.forward, summary.reverse));
}

QString faultsText(const SoakData& data, const SoakSummary& summary)
{
    QStringList parts;
    const auto count = [&parts](std::int64_t number, const QString& words) {
        if (number > 0)
            parts << words;
    };
    count(data.stalls, Words::tr("%Ln stalls", nullptr, static_cast<int>(data.stalls)));
    count(data.dropOuts, Words::tr("%Ln drop-outs", nullptr, static_cast<int>(data.dropOuts)));
    count(summary.corrupted,
          Words::tr("%Ln damaged blocks", nullptr, static_cast<int>(summary.corrupted)));
    count(summary.outOfSequence, Words::tr("%Ln blocks out of sequence", nullptr,
                                           static_cast<int>(summary.outOfSequence)));
    return Words::tr("%1 in %2; %3.")
        .arg(parts.join(QStringLiteral(", ")), formatDuration(data.elapsed),
             both(summary.forward, summary.reverse));
}

QString meaning(const SoakData& data, const SoakSummary& summary)
{
    if (summary.corrupted > 0 || summary.outOfSequence > 0)
        return Words::tr("TCP lets no wire change its data unseen but by rare chance: look for a "
                         "fault of a network adapter, of memory, or of what stands between.");
    if (data.dropOuts > 0)
        return Words::tr("A connection should not be lost: look at the cable, the adapters, their "
                         "power saving, and what else may have been started anew.");
    return Words::tr("For that long not a byte passed over a connection that stood.");
}

QString longestText(const std::optional<Duration>& longest)
{
    return longest ? Words::tr("the longest %1").arg(formatDuration(*longest)) : QString();
}

ResultRow countRow(const QString& label, std::int64_t count, const QString& remark = {})
{
    return {label, countText(count), remark, Provenance::Measured};
}

QString driftText(const std::optional<SoakDrift>& drift)
{
    if (!drift)
        return Words::tr("not known: the run is too short to tell");
    const auto percent = [](double share) {
        return QLocale().toString(100 * share, 'f', 1) + QChar(0x00a0) + u'%';
    };
    if (!drift->isSeen)
        return Words::tr("no drift seen beyond %1 over the run").arg(percent(drift->ruledOut()));
    return (drift->change < 0 ? Words::tr("fell by %1 over the run (%2 to %3)")
                              : Words::tr("rose by %1 over the run (%2 to %3)"))
        .arg(percent(std::abs(drift->change)), percent(drift->low), percent(drift->high));
}

void addSide(ResultText& text, const QString& direction, const SoakSide& side)
{
    const auto label = [&direction](const QString& name) {
        return direction.isEmpty() ? name : Words::tr("%1: %2").arg(direction, name);
    };
    text.rows.push_back({label(Words::tr("Rate")), formatBitRate(side.mean),
                         Words::tr("mean while there was a connection; seconds from %1 to %2")
                             .arg(formatBitRate(side.least), formatBitRate(side.most)),
                         Provenance::Measured});
    text.rows.push_back({label(Words::tr("Drift")),
                         driftText(side.drift),
                         {},
                         side.drift ? std::optional(Provenance::Measured) : std::nullopt});
    text.rows.push_back(countRow(label(Words::tr("Blocks")), side.blocks));
    text.rows.push_back(countRow(label(Words::tr("Damaged")), side.corrupted));
    text.rows.push_back(countRow(label(Words::tr("Out of sequence")), side.lost + side.duplicated));
    text.rows.push_back({label(Words::tr("Retransmissions")),
                         side.retransmits ? countText(*side.retransmits) : notKnown(),
                         {},
                         side.retransmits ? std::optional(Provenance::Measured) : std::nullopt});
    if (side.rtt)
        text.rows.push_back({label(Words::tr("RTT under load")),
                             formatDuration(*side.rtt),
                             {},
                             Provenance::Measured});
}

QString kindText(const SoakEvent& event)
{
    using Kind = SoakEvent::Kind;
    switch (event.kind) {
    case Kind::Stall:
        return Words::tr("stall");
    case Kind::DropOut:
        return Words::tr("drop-out");
    case Kind::Corrupted:
        return Words::tr("damaged block");
    case Kind::OutOfSequence:
        return Words::tr("out of sequence");
    case Kind::ProgramGap:
        return Words::tr("the program was away");
    case Kind::HeldUp:
        break;
    }
    return Words::tr("the program was held up");
}

QString causeText(SoakEvent::Cause cause)
{
    switch (cause) {
    case SoakEvent::Cause::Reset:
        return Words::tr("reset");
    case SoakEvent::Cause::Closed:
        return Words::tr("closed by the far end or on the way");
    case SoakEvent::Cause::Silent:
        return Words::tr("nothing came any more");
    case SoakEvent::Cause::Framing:
        return Words::tr("too much was damaged to go on");
    case SoakEvent::Cause::Other:
        break;
    }
    return Words::tr("lost");
}

QString byteText(int byte)
{
    return QStringLiteral("0x%1").arg(byte, 2, 16, QLatin1Char('0'));
}

QString damageText(const SoakEvent& event)
{
    if (event.part == SoakEvent::Part::Report)
        return Words::tr("a report of the far end, number %1").arg(countText(event.block));
    const QString where = event.part == SoakEvent::Part::Header
                              ? Words::tr("block %1, byte %2 of its header: %3 instead of %4")
                              : Words::tr("block %1, byte %2: %3 instead of %4");
    QString text = where.arg(countText(event.block), countText(event.offset), byteText(event.got),
                             byteText(event.expected));
    if (event.wrongBytes > 1)
        text = Words::tr("%1; %2 bytes are wrong").arg(text, countText(event.wrongBytes));
    return event.isSenders ? Words::tr("%1; it was so before it was sent").arg(text) : text;
}

QString detailText(const SoakEvent& event)
{
    using Kind = SoakEvent::Kind;
    switch (event.kind) {
    case Kind::DropOut:
        return causeText(event.cause);
    case Kind::Corrupted:
        return damageText(event);
    case Kind::OutOfSequence:
        return Words::tr("block %1 came where %2 was to come")
            .arg(countText(event.block), countText(event.wantedBlock));
    case Kind::Stall:
    case Kind::ProgramGap:
    case Kind::HeldUp:
        break;
    }
    return {};
}

QString directionText(const std::optional<Direction>& direction)
{
    if (!direction)
        return {};
    return *direction == Direction::Forward ? Words::tr("forward") : Words::tr("reverse");
}

ResultTable tableOf(const SoakData& data)
{
    ResultTable table;
    table.columns = {{Words::tr("At"), true},
                     {Words::tr("What"), false},
                     {Words::tr("Direction"), false},
                     {Words::tr("For"), true},
                     {Words::tr("More"), false}};
    for (const SoakEvent& event :
         std::span(data.events).first(std::min(mostTold, data.events.size()))) {
        QString length;
        if (event.length > Duration::zero())
            length = event.isOpen ? Words::tr("%1, to the end").arg(formatDuration(event.length))
                                  : formatDuration(event.length);
        table.rows.push_back({formatDuration(event.start), kindText(event),
                              directionText(event.direction), length, detailText(event)});
    }
    return table;
}

void addProgram(ResultText& text, const SoakData& data)
{
    if (data.programGaps > 0)
        text.rows.push_back({Words::tr("Program away"), formatDuration(data.programGap),
                             Words::tr("it had ended and was started again; that time is no part "
                                       "of the run, and no fault of the link"),
                             Provenance::Measured});
    if (data.heldUps > 0)
        text.rows.push_back(countRow(
            Words::tr("Held up"), data.heldUps,
            Words::tr("the near machine did not let the program run; no fault of the link")));
    const auto untold =
        data.eventsLeftOut +
        static_cast<std::int64_t>(data.events.size() - std::min(mostTold, data.events.size()));
    if (untold > 0)
        text.rows.push_back({Words::tr("Not listed"), countText(untold),
                             Words::tr("events after the first ones; the counts have them all"),
                             Provenance::Measured});
}

} // namespace

ResultText rowsOf(const SoakData& data)
{
    const SoakSummary summary = summarise(data);
    const bool isClean = summary.faults == 0;
    ResultText text;
    text.rows.push_back({Words::tr("Verdict"),
                         isClean ? cleanText(data, summary) : faultsText(data, summary),
                         isClean ? QString() : meaning(data, summary), Provenance::Measured});
    const bool isBoth = summary.forward && summary.reverse;
    if (summary.forward)
        addSide(text, isBoth ? Words::tr("Forward") : QString(), *summary.forward);
    if (summary.reverse)
        addSide(text, isBoth ? Words::tr("Reverse") : QString(), *summary.reverse);
    text.rows.push_back(
        countRow(Words::tr("Stalls"), data.stalls, longestText(summary.longestStall)));
    text.rows.push_back(
        countRow(Words::tr("Drop-outs"), data.dropOuts,
                 data.resets > 0 ? Words::tr("%1 of them by a reset").arg(countText(data.resets))
                                 : longestText(summary.longestDropOut)));
    text.rows.push_back({Words::tr("Without a connection"),
                         formatDuration(data.withoutConnection),
                         {},
                         Provenance::Measured});
    addProgram(text, data);
    if (!data.events.empty())
        text.table = tableOf(data);
    return text;
}

} // namespace napkin::detail
