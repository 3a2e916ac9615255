// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/recordrow.h"

#include "core/results/summary.h"

#include <QCryptographicHash>
#include <QStringList>

namespace napkin::detail {

namespace {

QString nearNameOf(const ProbeResult& result)
{
    if (!result.spec.near.name.isEmpty())
        return result.spec.near.name;
    return result.conditions.near.hostName.isEmpty() ? result.spec.near.host
                                                     : result.conditions.near.hostName;
}

void addThroughput(RecordRow& row, const ThroughputOptions& options, const ThroughputData& data)
{
    row.flow = flowName(options.flow);
    row.streams = options.streams;
    const ThroughputSummary summary = summarise(data);
    if (summary.forward) {
        row.forward = summary.forward->throughput.bitsPerSecond();
        row.forwardRetransmits = summary.forward->retransmits;
    }
    if (summary.reverse) {
        row.reverse = summary.reverse->throughput.bitsPerSecond();
        row.reverseRetransmits = summary.reverse->retransmits;
    }
}

} // namespace

RecordRow rowOf(const ProbeResult& result)
{
    RecordRow row;
    row.kind = probeKindName(result.spec.kind());
    row.nearName = nearNameOf(result);
    const Endpoint& far = result.spec.far;
    row.farName = far.name.isEmpty() ? endpointText(far.host, far.port) : far.name;
    if (result.spec.near.portId)
        row.nearPort = result.spec.near.portId->text();
    if (result.spec.far.portId)
        row.farPort = result.spec.far.portId->text();
    if (result.fault) {
        row.faultCode = errorCodeName(result.fault->code);
        row.faultContext = result.fault->context;
        row.faultDetail = result.fault->detail;
    }
    row.completion = result.completion == Completion::Complete ? QStringLiteral("complete")
                                                               : QStringLiteral("partial");
    row.origin = originName(result.origin);
    row.flow = flowName(Flow::Forward);
    const auto* options = std::get_if<ThroughputOptions>(&result.spec.options);
    const auto* data = std::get_if<ThroughputData>(&result.data);
    if (options != nullptr && data != nullptr)
        addThroughput(row, *options, *data);
    if (const auto* connects = std::get_if<ConnectData>(&result.data)) {
        if (const auto median = summarise(*connects).median)
            row.connectMedian = median->count();
    }
    QStringList flags;
    for (const QualityNote& note : result.quality)
        flags << qualityFlagName(note.flag);
    row.flags = flags.join(QLatin1Char(','));
    return row;
}

QByteArray sha256Of(const QByteArray& content)
{
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
}

QByteArray chainAfter(const QByteArray& previous, const QByteArray& sha256)
{
    return sha256Of(previous + sha256);
}

} // namespace napkin::detail
