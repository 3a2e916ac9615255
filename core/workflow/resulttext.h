// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/record.h"
#include "core/results/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace napkin {

// What a run found, in the user's words: for the command line and the window alike.

struct ResultRow
{
    QString label;
    QString value;  // with its unit; never empty: "not known" where it is not
    QString remark; // what belongs to it and is less important; may be empty
    // What kind of claim the figures in the value are; nullopt: words, or what was asked for.
    std::optional<Provenance> provenance{};
    bool operator==(const ResultRow&) const = default;
};

struct ResultTable
{
    struct Column
    {
        QString title;
        bool isFigure = true; // to be set to the right
        bool operator==(const Column&) const = default;
    };
    std::vector<Column> columns;
    std::vector<QStringList> rows; // a cell each, with its unit; empty: not known
    bool operator==(const ResultTable&) const = default;
};

struct ResultText
{
    std::vector<ResultRow> rows;
    std::optional<ResultTable>
        table; // sweep: the sizes; loaded latency: the phases; soak: the events
    bool operator==(const ResultText&) const = default;
};

// Of throughput and connect time, which have views of their own, nothing but how well the rate is
// known where the run was to end by that.
[[nodiscard]] ResultText resultText(const ProbeResult& result);

// The one figure for a list: "0.312 ms RTT p50", "path MTU 1,500 bytes (interface 9,000 bytes)",
// "95.6 of 300 Mb/s arrived, 68 % lost". Empty where nothing is known.
[[nodiscard]] QString headline(const RecordSummary& record);
[[nodiscard]] QString headline(const ProbeResult& result);

// What the one figure may make light of: a black hole, losses; a sentence, empty where there is
// nothing.
[[nodiscard]] QString careText(const KeyFigures& figures, ProbeKind kind);

// Translated, as they stand within a sentence.
[[nodiscard]] QString probeKindText(ProbeKind kind); // "latency", "path MTU"
[[nodiscard]] QString echoMethodText(EchoMethod method);
[[nodiscard]] QString waitModeText(WaitMode wait);
[[nodiscard]] QString loadText(Load load);             // "idle", "while sending"
[[nodiscard]] QString meansText(const QString& means); // of what a probe says that it used
[[nodiscard]] QString fateText(SizeProbe::Fate fate);
// A size that is exact: "1,473 B", "64 KiB".
[[nodiscard]] QString exactBytes(ByteCount size);
[[nodiscard]] QString timesText(double ratio); // "10.2 ×"
// "TCP 64 B", "TCP 64 B, busy polling"; of many sizes "TCP".
[[nodiscard]] QString mannerText(const EchoManner& manner);

// Of a run that was to end as soon as its result is known to plus or minus 1 %, and never was:
// a sentence. Empty for all others, also where it was stopped before its time.
[[nodiscard]] QString unsureText(const ProbeResult& result);

} // namespace napkin
