// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "core/notebook/record.h"
#include "core/quantity/provenance.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace napkin {

// A measured value and the record it stands for.
struct MeasuredRate
{
    Fact<BitRate> rate;
    std::vector<Ratio> ratios; // against each of the row's ratings, in their order
    std::optional<std::int64_t> retransmits;
    RecordId record;
    std::int64_t number = 0;
};

// What arrived of what was offered over UDP. Both ways at once: loss and offered rate are those of
// the direction that lost more.
struct MeasuredUdp
{
    Flow flow = Flow::Forward;
    std::optional<Fact<BitRate>> forward; // arrived
    std::optional<Fact<BitRate>> reverse;
    std::optional<BitRate> offered;
    std::optional<Ratio> lost;
    std::int64_t number = 0; // of the run
};

// One link in one period of it, or (without a link) one far end from one near end, by one of its
// addresses. Of each direction the newest complete, unvoided run of one's own without a quality
// flag stands for the row; when there is none, the newest with flags, which are shown (for a link,
// none over loopback). A flag that is a finding (isFinding) is shown and keeps no run from
// standing. A bidirectional run, in which the two directions share the wire, stands apart and is
// never added up. RTTs depend on what goes there and back: runs of the usual manner (ICMP, 64 B) go
// before others, and the row says which manner it shows. Of a link forward is a → b, from whichever
// end the run was made. Runs that measure a machine are in no row.
struct WorksheetRow
{
    std::optional<LinkId> link;
    std::optional<LinkPeriodId> period;
    QString name;                       // the link's, or the far end's
    QString className;                  // "10 GbE"; empty: not known
    std::vector<Fact<BitRate>> ratings; // none, one, or two (Thunderbolt 5)
    std::optional<MeasuredRate> forward;
    std::optional<MeasuredRate> reverse;
    std::optional<MeasuredRate> bothForward;
    std::optional<MeasuredRate> bothReverse;
    std::optional<Fact<Duration>> connectMedian;
    std::optional<Fact<Duration>> latencyP50; // RTT, idle
    std::optional<Fact<Duration>> latencyP99;
    std::optional<EchoManner> latencyManner;
    std::optional<Ratio> latencyLost;        // messages without an answer, of those sent
    std::optional<Fact<Duration>> loadedP50; // RTT of the phase under load that is slowest
    std::optional<Fact<Ratio>> loadedRatio;  // that against idle
    std::optional<EchoManner> loadedManner;
    std::optional<Fact<int>> pathMtu;    // what passes both ways, bytes of the IP packet
    bool isBlackHole = false;            // larger packets vanish there without a word
    std::optional<Fact<Duration>> alpha; // one way, half of an RTT
    std::optional<Fact<ByteRate>> beta;
    std::optional<ByteCount> betaUpTo;       // it holds below this size; nullopt: at all sizes
    std::optional<Fact<ByteRate>> betaLarge; // beyond the last break, where it is known
    std::optional<EchoManner> sweepManner;
    std::vector<MeasuredUdp> udp;   // each way; both at once only where nothing else is
    QDateTime lastMeasured;         // invalid: never
    QString label;                  // of the newest run
    std::vector<QualityFlag> flags; // of the runs shown
    int runs = 0;                   // all of them, partial and voided ones too
    // Without a link, whose runs these are. Empty addresses: any.
    QString nearName;
    QStringList farNames;
    QStringList farAddresses;
};

// Whether the row holds the run.
[[nodiscard]] bool holds(const WorksheetRow& row, const RecordSummary& run);

// The run as its link has it: made from the link's end b, it is turned round, so that forward is
// a → b. Unchanged when it cannot be told, or when that is done already.
[[nodiscard]] RecordSummary alongLink(RecordSummary run, const LinkEntry& link);
// All of them, each along its own link.
[[nodiscard]] std::vector<RecordSummary> alongLinks(std::vector<RecordSummary> runs,
                                                    const std::vector<LinkEntry>& links);

// Links first, in their order, also those never measured; then far ends by name.
[[nodiscard]] std::vector<WorksheetRow> buildWorksheet(const std::vector<LinkEntry>& links,
                                                       const std::vector<RecordSummary>& records,
                                                       const Catalogue& catalogue);

// The worksheet as comma-separated values (RFC 4180): header row, units in the header, one column a
// value, numbers with a point in full precision, provenance in a column of its own.
[[nodiscard]] QString worksheetCsv(const std::vector<WorksheetRow>& rows);

} // namespace napkin
