// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/results/keyfigures.h"
#include "core/results/result.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace napkin {

// A run as kept: the result as it was written, and what was said of it since.
struct Record
{
    std::int64_t number = 0; // 1, 2, ... within this notebook: what people type
    ProbeResult result;
    QString label; // the newest one; the spec's own to begin with
    std::vector<QString> notes;
    std::optional<QString> voided; // why it does not count
    QByteArray sha256;             // of the stored content, 64 hexadecimal digits
};

// How a message went there and back: RTTs of different manners are not to be compared.
struct EchoManner
{
    EchoMethod method = EchoMethod::Icmp;
    WaitMode wait = WaitMode::Blocking;
    std::optional<ByteCount> size; // nullopt: many sizes
    bool operator==(const EchoManner&) const = default;
};

// The same without samples: for lists.
struct RecordSummary : KeyFigures
{
    std::int64_t number = 0;
    RecordId id;
    ProbeKind kind = ProbeKind::Throughput;
    QDateTime startedAt;
    QString nearName;
    QString farName;                // as drawn, else host:port; empty where a machine is measured
    std::optional<PortId> nearPort; // as drawn; nullopt: not known
    std::optional<PortId> farPort;
    std::optional<LinkId> link;
    std::optional<LinkPeriodId> linkPeriod;
    QString linkName;    // as it is called now; empty without a link
    QString linkClassId; // of the link's period the run belongs to
    Completion completion = Completion::Complete;
    std::optional<Error> fault; // why it is partial
    Origin origin = Origin::Mine;
    Flow flow = Flow::Forward; // throughput and UDP
    int streams = 1;
    std::optional<std::int64_t> retransmits; // both directions
    std::optional<EchoManner> manner;        // latency, under load too, and message sizes
    QString farAddress; // to which it went, of a far end that goes by a name; empty: not known
    std::vector<QualityFlag> flags;
    QString label;
    std::optional<QString> voided;
};

// A link as the notebook remembers it, drawn still or not.
struct LinkEntry
{
    LinkId id;
    LinkPeriodId period; // the newest
    QString name;
    QString classId;
    QString ends; // "spark-a qsfp0 ⇄ spark-b qsfp0"; empty for a link that was never drawn
    bool drawn = false;
    std::optional<PortId> a; // the ends, in the order of `ends`; nullopt: not known
    std::optional<PortId> b;
};

} // namespace napkin
