// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/errortext.h"
#include "core/quantity/format.h"
#include "core/results/pathsummary.h"
#include "core/workflow/resultrows.h"

#include <QCoreApplication>
#include <QLocale>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultText)
};

QString bytesText(int bytes)
{
    return Words::tr("%1 bytes").arg(QLocale().toString(bytes));
}

QString knownText(const PathMtuSide& side, std::optional<int> interface)
{
    const QString size = bytesText(*side.mtu);
    QString text = Words::tr("Packets up to %1 pass.").arg(size);
    if (side.isSilent.value_or(false))
        text = Words::tr("Packets up to %1 pass; larger ones vanish without a word: a black hole.")
                   .arg(size);
    else if (!side.toldBy.isEmpty())
        text = Words::tr("Packets up to %1 pass; %2 says that larger ones are too big.")
                   .arg(size, side.toldBy);
    else if (side.isSilent)
        text =
            Words::tr("Packets up to %1 pass; larger ones are answered with “too big”.").arg(size);
    if (interface && *interface > *side.mtu)
        text += u' ' + Words::tr("The interface would allow %1.").arg(bytesText(*interface));
    return text;
}

QString verdictText(const PathMtuSide& side, std::optional<int> interface)
{
    switch (side.verdict) {
    case PathMtuSide::Verdict::Known:
        if (side.mtu)
            return knownText(side, interface);
        break;
    case PathMtuSide::Verdict::Interface:
        if (side.mtu)
            return Words::tr("Packets up to %1 pass, as large as the interface allows.")
                .arg(bytesText(*side.mtu));
        break;
    case PathMtuSide::Verdict::AtLeast:
        if (side.mtu)
            return Words::tr("Packets of %1 pass; the run ended before more was known.")
                .arg(bytesText(*side.mtu));
        break;
    case PathMtuSide::Verdict::NotTried:
        return Words::tr("not tried: only a paired machine can send packets of known sizes back");
    case PathMtuSide::Verdict::Unanswered:
        break;
    }
    return Words::tr("Not even small packets were answered: nothing is known.");
}

QString whyNotMade(const BulkTransfer& bulk)
{
    switch (bulk.whyNot.value_or(ErrorCode::Internal)) {
    case ErrorCode::ConnectionRefused:
        return Words::tr("nothing listens at the port: start napkin-cli serve or iperf3 --server "
                         "there");
    case ErrorCode::PeerBusy:
        return Words::tr("the server at the port is busy with another test");
    default:
        break;
    }
    if (!bulk.whyNot)
        return Words::tr("the far end did not take it");
    const ErrorText words = describe(Error{*bulk.whyNot, bulk.whyNotDetail, {}, nullptr});
    return words.why.isEmpty() ? words.what : words.why;
}

ResultRow bulkRow(const QString& direction, const BulkTransfer& bulk)
{
    const QString label = Words::tr("%1, large transfer").arg(direction);
    switch (bulk.outcome) {
    case BulkTransfer::Outcome::Finished:
        return {label,
                Words::tr("finished: %1 in %2")
                    .arg(formatBytes(bulk.arrived), formatDuration(bulk.time)),
                {},
                Provenance::Measured};
    case BulkTransfer::Outcome::Stalled:
        return {label,
                Words::tr("stalled after %1 of %2")
                    .arg(formatBytes(bulk.arrived), formatBytes(bulk.asked)),
                Words::tr("the connection stood, and large packets did not pass"),
                Provenance::Measured};
    case BulkTransfer::Outcome::NotConnected:
        return {label, Words::tr("not tried"), Words::tr("no connection to the port was made")};
    case BulkTransfer::Outcome::NotMade:
        break;
    }
    return {label, Words::tr("not made"), whyNotMade(bulk)};
}

void addSide(ResultText& text, const QString& direction, const std::optional<PathMtuSide>& side,
             std::optional<int> interface)
{
    if (!side)
        return;
    text.rows.push_back({direction,
                         verdictText(*side, interface),
                         {},
                         side->mtu ? std::optional(Provenance::Measured) : std::nullopt});
    if (side->bulk)
        text.rows.push_back(bulkRow(direction, *side->bulk));
}

void addInterface(ResultText& text, const QString& label, std::optional<int> mtu)
{
    if (mtu)
        text.rows.push_back({label, bytesText(*mtu), {}});
}

QString shareText(std::int64_t part, std::int64_t whole, Ratio share)
{
    return Words::tr("%1 of %2 datagrams (%3)")
        .arg(countText(part), countText(whole), formatRatio(share));
}

ResultRow lostRow(const QString& label, const UdpDirectionSummary& side)
{
    if (side.isContradictory)
        return {label,
                Words::tr("not usable: %1 sent, %2 received, %3 counted as lost")
                    .arg(side.sent ? countText(*side.sent) : Words::tr("an unknown number"),
                         countText(side.received),
                         side.lost ? countText(*side.lost) : Words::tr("an unknown number")),
                Words::tr("these can not all be true"), Provenance::Measured};
    if (!side.lost)
        return {label, notKnown(), {}};
    const std::int64_t tail = side.lostTail.value_or(0);
    const QString remark =
        tail > 0 ? Words::tr("%1 of them after the last that came").arg(countText(tail))
                 : QString();
    if (*side.lost == 0 || !side.lossRatio)
        return {label, Words::tr("%1 datagrams").arg(countText(*side.lost)), remark,
                Provenance::Measured};
    const std::int64_t whole = side.sent.value_or(side.received + *side.lost);
    return {label, shareText(*side.lost, whole, *side.lossRatio), remark, Provenance::Measured};
}

QString causeText(UdpDirectionSummary::Cause cause)
{
    switch (cause) {
    case UdpDirectionSummary::Cause::None:
        return {};
    case UdpDirectionSummary::Cause::Unknown:
        return Words::tr("The counts do not tell why. A run at less than what arrived would: if "
                         "nothing is lost then, it was more than the link carries.");
    case UdpDirectionSummary::Cause::ReceiverBuffer:
        return Words::tr(
            "The receiver’s buffer was full: the datagrams came over the wire, and the "
            "receiving program was too slow.");
    case UdpDirectionSummary::Cause::OfferedTooMuch:
        break;
    }
    return Words::tr("More was offered than the link carries.");
}

class UdpRows
{
public:
    UdpRows(ResultText& text, QString direction)
        : m_text(text)
        , m_direction(std::move(direction))
    {}
    void add(const UdpDirectionSummary& side, BitRate asked)
    {
        row(Words::tr("Offered"), side.offered ? formatBitRate(*side.offered) : notKnown(),
            offeredRemark(side, asked));
        row(Words::tr("Arrived"), side.arrived ? formatBitRate(*side.arrived) : notKnown(),
            arrivedRemark(side));
        m_text.rows.push_back(lostRow(label(Words::tr("Lost")), side));
        if (const QString why = causeText(side.cause); !why.isEmpty() && !side.isContradictory)
            m_text.rows.push_back({label(Words::tr("Why")), why, {}});
        row(Words::tr("Out of order"), side.outOfOrder ? countText(*side.outOfOrder) : notKnown());
        row(Words::tr("Jitter"), side.jitter ? formatDuration(*side.jitter) : notKnown());
        row(Words::tr("Dropped by the full buffer"),
            side.bufferDrops ? countText(*side.bufferDrops) : notKnown(),
            side.bufferDrops ? QString() : Words::tr("the receiver did not tell"));
    }

private:
    static QString offeredRemark(const UdpDirectionSummary& side, BitRate asked)
    {
        const QString rate = formatBitRate(asked);
        return side.isOfferedNominal
                   ? Words::tr("over the time that was asked for, since the sender did not tell "
                               "its own; %1 were asked for")
                         .arg(rate)
                   : Words::tr("%1 were asked for").arg(rate);
    }
    static QString arrivedRemark(const UdpDirectionSummary& side)
    {
        if (!side.arrived)
            return Words::tr("the receiver never told");
        return side.fromTotals ? Words::tr("counted by the receiver, over its own time")
                               : Words::tr("from the samples; the receiver’s own count never came");
    }
    [[nodiscard]] QString label(const QString& name) const
    {
        return m_direction.isEmpty() ? name : Words::tr("%1: %2").arg(m_direction, name);
    }
    void row(const QString& name, const QString& value, const QString& remark = {})
    {
        const bool isFigure = value != notKnown();
        m_text.rows.push_back({label(name), value, remark,
                               isFigure ? std::optional(Provenance::Measured) : std::nullopt});
    }

    ResultText& m_text;
    QString m_direction;
};

} // namespace

ResultText rowsOf(const PathMtuData& data, const QString& host)
{
    const PathMtuSummary summary = summarise(data);
    ResultText text;
    addSide(text, Words::tr("Forward"), summary.forward, data.nearInterfaceMtu);
    addSide(text, Words::tr("Reverse"), summary.reverse, data.farInterfaceMtu);
    addInterface(text, Words::tr("Interface, near end"), data.nearInterfaceMtu);
    addInterface(text, Words::tr("Interface, far end"), data.farInterfaceMtu);
    if (summary.forward && summary.forward->mtu &&
        summary.forward->verdict != PathMtuSide::Verdict::AtLeast)
        text.rows.push_back({Words::tr("The same by hand"),
                             pingCommand(*summary.forward->mtu, data.ipVersion, host),
                             Words::tr("answered; with a payload one larger it is not")});
    text.rows.push_back({Words::tr("Means"),
                         data.means.isEmpty() ? notKnown() : meansText(data.means),
                         data.ipVersion == 6 ? QStringLiteral("IPv6") : QStringLiteral("IPv4")});
    return text;
}

ResultText rowsOf(const UdpOptions& options, const UdpData& data)
{
    const UdpSummary summary = summarise(data, options.duration);
    const bool isBoth = summary.forward && summary.reverse;
    ResultText text;
    if (summary.forward)
        UdpRows(text, isBoth ? Words::tr("Forward") : QString())
            .add(*summary.forward, options.rate);
    if (summary.reverse)
        UdpRows(text, isBoth ? Words::tr("Reverse") : QString())
            .add(*summary.reverse, options.rate);
    if (data.datagramSize > 0)
        text.rows.push_back({Words::tr("Datagram"), bytesText(data.datagramSize),
                             Words::tr("of payload; rates count payload only")});
    return text;
}

} // namespace napkin::detail
