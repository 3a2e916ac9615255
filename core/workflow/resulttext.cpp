// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/resulttext.h"

#include "core/quantity/format.h"
#include "core/results/latencysummary.h"
#include "core/results/summary.h"
#include "core/workflow/resultrows.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultText)
};

constexpr QChar noBreakSpace(0x00a0);

QString bytesText(int bytes)
{
    return Words::tr("%1 bytes").arg(QLocale().toString(bytes));
}

// "95.6 of 300 Mb/s" where both have one unit, else each with its own.
QString ofText(BitRate part, BitRate whole)
{
    const QString first = formatBitRate(part);
    const QString second = formatBitRate(whole);
    const QString unit = second.section(noBreakSpace, 1);
    const QString figure =
        first.section(noBreakSpace, 1) == unit ? first.section(noBreakSpace, 0, 0) : first;
    return Words::tr("%1 of %2 arrived").arg(figure, second);
}

QString ratesText(const KeyFigures& key)
{
    if (key.forward && key.reverse)
        return Words::tr("%1 forward, %2 reverse")
            .arg(formatBitRate(*key.forward), formatBitRate(*key.reverse));
    const auto& one = key.forward ? key.forward : key.reverse;
    return one ? formatBitRate(*one) : QString();
}

QString latencyText(const KeyFigures& key)
{
    if (key.latencyP50)
        return Words::tr("%1 RTT p50").arg(formatDuration(*key.latencyP50));
    return key.lossRatio ? Words::tr("no answers") : QString();
}

QString sweepText(const KeyFigures& key)
{
    if (!key.beta)
        return {};
    QString beta = formatByteRate(*key.beta);
    if (key.betaUpTo)
        beta = Words::tr("%1 up to %2").arg(beta, exactBytes(*key.betaUpTo));
    if (key.betaLarge)
        beta = Words::tr("%1, %2 large").arg(beta, formatByteRate(*key.betaLarge));
    return key.alpha ? Words::tr("alpha %1, beta %2").arg(formatDuration(*key.alpha), beta)
                     : Words::tr("alpha not known, beta %1").arg(beta);
}

QString loadedText(const KeyFigures& key)
{
    if (!key.latencyP50 || !key.loadedRatio)
        return {};
    return Words::tr("%1 RTT p50 under load, %2 idle")
        .arg(formatDuration(*key.latencyP50), timesText(*key.loadedRatio));
}

QString pathMtuText(const KeyFigures& key)
{
    if (!key.pathMtu)
        return {};
    QString text = Words::tr("path MTU %1").arg(bytesText(*key.pathMtu));
    if (key.interfaceMtu && *key.interfaceMtu != *key.pathMtu)
        text = Words::tr("%1 (interface %2)").arg(text, bytesText(*key.interfaceMtu));
    return key.isBlackHole.value_or(false) ? Words::tr("%1, black hole").arg(text) : text;
}

QString udpText(const KeyFigures& key, bool isContradictory)
{
    if (isContradictory)
        return Words::tr("not usable: the counts contradict each other");
    if (!key.forward && !key.reverse)
        return key.offered ? Words::tr("%1 sent, what arrived is not known")
                                 .arg(formatBitRate(*key.offered))
                           : QString();
    const bool isOneWay = !key.forward || !key.reverse;
    const auto& arrived = key.forward ? key.forward : key.reverse;
    const QString rates = isOneWay && key.offered ? ofText(*arrived, *key.offered)
                                                  : Words::tr("%1 arrived").arg(ratesText(key));
    return key.lossRatio ? Words::tr("%1, %2 lost").arg(rates, formatRatio(*key.lossRatio)) : rates;
}

QString memoryText(const KeyFigures& key)
{
    return key.byteRate ? Words::tr("%1 from memory").arg(formatByteRate(*key.byteRate))
                        : QString();
}

QString storageText(const KeyFigures& key, bool isADisk)
{
    if (!key.byteRate)
        return Words::tr("not usable: not past the page cache");
    const QString rate = formatByteRate(*key.byteRate);
    return isADisk ? Words::tr("%1 read").arg(rate) : Words::tr("%1 read, not a disk").arg(rate);
}

QString soakText(const KeyFigures& key, bool hasFaults)
{
    const QString rates = ratesText(key);
    if (rates.isEmpty())
        return hasFaults ? Words::tr("faults") : QString();
    return hasFaults ? Words::tr("faults; %1").arg(rates) : Words::tr("no faults; %1").arg(rates);
}

// What the flags of a run say of its figures.
struct Flagged
{
    bool isContradictory = false;
    bool hasFaults = false;
    bool isElsewhere = false; // on no disk of the machine

    void add(QualityFlag flag)
    {
        isContradictory = isContradictory || flag == QualityFlag::Contradictory;
        hasFaults = hasFaults || flag == QualityFlag::FaultsSeen;
        isElsewhere = isElsewhere || flag == QualityFlag::NotADisk;
    }
};

QString headlineOf(ProbeKind kind, const KeyFigures& key, const Flagged& flagged)
{
    switch (kind) {
    case ProbeKind::Throughput:
        return ratesText(key);
    case ProbeKind::ConnectTime:
        return key.connectMedian
                   ? Words::tr("%1 connect time").arg(formatDuration(*key.connectMedian))
                   : QString();
    case ProbeKind::Latency:
        return latencyText(key);
    case ProbeKind::MessageSweep:
        return sweepText(key);
    case ProbeKind::LoadedLatency:
        return loadedText(key);
    case ProbeKind::PathMtu:
        return pathMtuText(key);
    case ProbeKind::Soak:
        return soakText(key, flagged.hasFaults);
    case ProbeKind::UdpThroughput:
        break;
    case ProbeKind::Memory:
        return memoryText(key);
    case ProbeKind::Storage:
        return storageText(key, !flagged.isElsewhere);
    }
    return udpText(key, flagged.isContradictory);
}

// Options and data of one result, of its kind.
template <typename Options>
Options optionsOf(const ProbeResult& result)
{
    const auto* options = std::get_if<Options>(&result.spec.options);
    return options ? *options : Options();
}

struct RowsOf
{
    const ProbeResult& result;

    ResultText operator()(const ThroughputData&) const
    {
        return detail::rowsOf(summariseThroughput(result));
    }
    ResultText operator()(const ConnectData&) const { return {}; }
    ResultText operator()(const LatencyData& data) const
    {
        return detail::rowsOf(optionsOf<LatencyOptions>(result), data);
    }
    ResultText operator()(const SweepData& data) const
    {
        return detail::rowsOf(optionsOf<SweepOptions>(result), data);
    }
    ResultText operator()(const LoadedLatencyData& data) const
    {
        return detail::rowsOf(optionsOf<LoadedLatencyOptions>(result), data);
    }
    ResultText operator()(const PathMtuData& data) const
    {
        const QString& used = result.conditions.far.address;
        return detail::rowsOf(data, used.isEmpty() ? result.spec.far.host : used);
    }
    ResultText operator()(const UdpData& data) const
    {
        return detail::rowsOf(optionsOf<UdpOptions>(result), data);
    }
    ResultText operator()(const MemoryData& data) const { return detail::rowsOf(data); }
    ResultText operator()(const StorageData& data) const
    {
        return detail::rowsOf(optionsOf<StorageOptions>(result), data);
    }
    ResultText operator()(const SoakData& data) const { return detail::rowsOf(data); }
};

} // namespace

ResultText resultText(const ProbeResult& result)
{
    return std::visit(RowsOf{result}, result.data);
}

QString headline(const RecordSummary& record)
{
    Flagged flagged;
    for (const QualityFlag flag : record.flags)
        flagged.add(flag);
    return headlineOf(record.kind, record, flagged);
}

QString headline(const ProbeResult& result)
{
    Flagged flagged;
    for (const QualityNote& note : result.quality)
        flagged.add(note.flag);
    return headlineOf(static_cast<ProbeKind>(result.data.index()), keyFigures(result), flagged);
}

QString careText(const KeyFigures& figures, ProbeKind kind)
{
    if (figures.isBlackHole.value_or(false))
        return Words::tr("Larger packets vanish without a word: a black hole.");
    if (!figures.lossRatio || figures.lossRatio->value() <= 0)
        return {};
    const QString share = formatRatio(*figures.lossRatio);
    return kind == ProbeKind::UdpThroughput
               ? Words::tr("%1 of the datagrams were lost.").arg(share)
               : Words::tr("%1 of the messages had no answer.").arg(share);
}

QString probeKindText(ProbeKind kind)
{
    switch (kind) {
    case ProbeKind::Throughput:
        return Words::tr("throughput");
    case ProbeKind::ConnectTime:
        return Words::tr("connect time");
    case ProbeKind::Latency:
        return Words::tr("latency");
    case ProbeKind::MessageSweep:
        return Words::tr("message sizes");
    case ProbeKind::LoadedLatency:
        return Words::tr("latency under load");
    case ProbeKind::PathMtu:
        return Words::tr("path MTU");
    case ProbeKind::Soak:
        return Words::tr("soak");
    case ProbeKind::UdpThroughput:
        break;
    case ProbeKind::Memory:
        return Words::tr("memory bandwidth");
    case ProbeKind::Storage:
        return Words::tr("storage read");
    }
    return Words::tr("UDP throughput");
}

QString echoMethodText(EchoMethod method)
{
    switch (method) {
    case EchoMethod::Icmp:
        return QStringLiteral("ICMP");
    case EchoMethod::Tcp:
        return QStringLiteral("TCP");
    case EchoMethod::Udp:
        break;
    }
    return QStringLiteral("UDP");
}

QString waitModeText(WaitMode wait)
{
    return wait == WaitMode::Blocking ? Words::tr("blocking") : Words::tr("busy polling");
}

QString loadText(Load load)
{
    switch (load) {
    case Load::Idle:
        return Words::tr("idle");
    case Load::Sending:
        return Words::tr("while sending");
    case Load::Receiving:
        return Words::tr("while receiving");
    case Load::Both:
        break;
    }
    return Words::tr("both at once");
}

QString meansText(const QString& means)
{
    if (means == QLatin1StringView("ICMP socket"))
        return Words::tr("ICMP socket");
    if (means == QLatin1StringView("raw socket"))
        return Words::tr("raw socket");
    if (means == QLatin1StringView("ping program"))
        return Words::tr("the system’s ping program");
    return means;
}

QString fateText(SizeProbe::Fate fate)
{
    switch (fate) {
    case SizeProbe::Fate::Passed:
        return Words::tr("passed");
    case SizeProbe::Fate::TooBigHere:
        return Words::tr("too big for the interface");
    case SizeProbe::Fate::TooBigOnWay:
        return Words::tr("too big on the way");
    case SizeProbe::Fate::Silent:
        break;
    }
    return Words::tr("no answer");
}

QString exactBytes(ByteCount size)
{
    const std::int64_t bytes = size.bytes();
    if (bytes != 0 && bytes % 1024 == 0)
        return formatBytesBinary(size);
    return QLocale().toString(static_cast<qlonglong>(bytes)) + noBreakSpace + u'B';
}

QString timesText(double ratio)
{
    return formatNumber(ratio) + noBreakSpace + u'×';
}

QString mannerText(const EchoManner& manner)
{
    QString text = echoMethodText(manner.method);
    if (manner.size)
        text += noBreakSpace + exactBytes(*manner.size);
    return manner.wait == WaitMode::Blocking
               ? text
               : Words::tr("%1, %2", "TCP 64 B, busy polling").arg(text, waitModeText(manner.wait));
}

QString unsureText(const ProbeResult& result)
{
    if (result.completion != Completion::Complete)
        return {};
    std::optional<std::chrono::milliseconds> limit;
    std::vector<std::optional<Certainty>> known;
    if (const auto* options = std::get_if<ThroughputOptions>(&result.spec.options);
        options && options->ending == Ending::WhenSure) {
        limit = options->duration;
        const ThroughputSummary summary = summariseThroughput(result);
        for (const auto& one : {summary.forward, summary.reverse}) {
            if (one)
                known.push_back(one->certainty);
        }
    } else if (const auto* latency = std::get_if<LatencyOptions>(&result.spec.options);
               latency && latency->ending == Ending::WhenSure) {
        limit = latency->duration;
        if (const auto* data = std::get_if<LatencyData>(&result.data))
            known.push_back(summarise(*data).certainty);
    }
    const bool isSure = std::ranges::all_of(known, [](const std::optional<Certainty>& one) {
        return one && one->verdict == Certainty::Verdict::Sure;
    });
    if (!limit || isSure)
        return {};
    return Words::tr(
               "It was to stop when the result is known to ± 1 %. In %1 that was not reached.")
        .arg(formatDuration(*limit));
}

namespace detail {

QString countText(std::int64_t count)
{
    return QLocale().toString(static_cast<qlonglong>(count));
}

QString notKnown()
{
    return Words::tr("not known");
}

ResultRow certaintyRow(const QString& label, const Certainty& certainty, QString (*text)(double))
{
    const QString spread =
        Words::tr("from %1 to %2").arg(text(certainty.lowest), text(certainty.highest));
    if (certainty.verdict == Certainty::Verdict::NotSteady)
        return {label, Words::tr("not steady: %1").arg(spread), {}, Provenance::Measured};
    if (certainty.halfWidth <= 0 || certainty.mean <= 0)
        return {label, notKnown(), Words::tr("too little was measured to tell")};
    const QString share = formatRatio(Ratio::of(certainty.halfWidth / certainty.mean));
    const QString value = Words::tr("%1 ± %2").arg(text(certainty.mean), text(certainty.halfWidth));
    return {label, value,
            certainty.verdict == Certainty::Verdict::Sure
                ? Words::tr("± %1, with 95 % confidence").arg(share)
                : Words::tr("± %1, with 95 % confidence: not yet known to ± 1 %").arg(share),
            Provenance::Measured};
}

} // namespace detail

} // namespace napkin
