// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/recordrow.h"

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

void addFlow(RecordRow& row, Flow flow, int streams)
{
    row.flow = flowName(flow);
    row.streams = streams;
}

// The names and members that the content has for them.
void addManner(RecordRow& row, const ProbeOptions& options)
{
    if (const auto* latency = std::get_if<LatencyOptions>(&options)) {
        row.echoMethod = methodName(latency->method);
        row.waitMode = waitName(latency->wait);
        row.messageBytes = latency->messageSize.bytes();
    } else if (const auto* loaded = std::get_if<LoadedLatencyOptions>(&options)) {
        row.echoMethod = methodName(loaded->method);
        row.messageBytes = loaded->messageSize.bytes();
    } else if (const auto* sweep = std::get_if<SweepOptions>(&options)) {
        row.waitMode = waitName(sweep->wait);
    }
}

void addFarAddress(RecordRow& row, const ProbeResult& result)
{
    const Endpoint& far = result.spec.far;
    const QString& used = result.conditions.far.address;
    const QString& address = used.isEmpty() ? far.host : used;
    if (!far.name.isEmpty() && !address.isEmpty())
        row.farAddress = address;
}

} // namespace

QString methodName(EchoMethod method)
{
    switch (method) {
    case EchoMethod::Tcp:
        return QStringLiteral("tcp");
    case EchoMethod::Udp:
        return QStringLiteral("udp");
    case EchoMethod::Icmp:
        break;
    }
    return QStringLiteral("icmp");
}

QString waitName(WaitMode wait)
{
    return wait == WaitMode::Blocking ? QStringLiteral("blocking") : QStringLiteral("busy-poll");
}

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
    if (const auto* throughput = std::get_if<ThroughputOptions>(&result.spec.options))
        addFlow(row, throughput->flow, throughput->streams);
    if (const auto* udp = std::get_if<UdpOptions>(&result.spec.options))
        addFlow(row, udp->flow, udp->streams);
    if (const auto* soak = std::get_if<SoakOptions>(&result.spec.options))
        addFlow(row, soak->flow, 1);
    addManner(row, result.spec.options);
    addFarAddress(row, result);
    row.figures = keyFigures(result);
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
