// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measurewords.h"

#include "core/workflow/resulttext.h"

#include <QCoreApplication>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Measure)
};

} // namespace

QString flowWords(Flow flow)
{
    switch (flow) {
    case Flow::Forward:
        return Words::tr("→ to the far end");
    case Flow::Reverse:
        return Words::tr("← from the far end");
    case Flow::Bidirectional:
        return Words::tr("⇄ both at once");
    }
    return {};
}

QString arrow(Direction direction)
{
    return direction == Direction::Forward ? QStringLiteral("→") : QStringLiteral("←");
}

QString kindWords(ProbeKind kind)
{
    return probeKindText(kind);
}

QString kindTitle(ProbeKind kind)
{
    switch (kind) {
    case ProbeKind::Throughput:
        return Words::tr("Throughput");
    case ProbeKind::ConnectTime:
        return Words::tr("Connect time");
    case ProbeKind::Latency:
        return Words::tr("Latency");
    case ProbeKind::MessageSweep:
        return Words::tr("Message sizes");
    case ProbeKind::LoadedLatency:
        return Words::tr("Latency under load");
    case ProbeKind::PathMtu:
        return Words::tr("Path MTU");
    case ProbeKind::UdpThroughput:
        return Words::tr("UDP throughput");
    case ProbeKind::Memory:
        return Words::tr("Memory bandwidth");
    case ProbeKind::Storage:
        return Words::tr("Storage read");
    case ProbeKind::Soak:
        return Words::tr("Soak");
    }
    return {};
}

QString phaseWords(Phase phase)
{
    switch (phase) {
    case Phase::Resolving:
        return Words::tr("looking up the name");
    case Phase::Connecting:
        return Words::tr("connecting");
    case Phase::Omitting:
        return Words::tr("warming up");
    case Phase::Measuring:
        return Words::tr("measuring");
    case Phase::Finishing:
        return Words::tr("finishing");
    }
    return {};
}

QString farName(const Endpoint& far)
{
    if (!far.name.isEmpty() && far.name != far.host)
        return far.name;
    return endpointText(far.host, far.port);
}

QString runTitle(const ProbeSpec& spec)
{
    if (isOfMachine(spec.kind()))
        return Words::tr("%1 of %2", "kind, a machine")
            .arg(kindTitle(spec.kind()),
                 spec.near.name.isEmpty() ? Words::tr("this machine") : spec.near.name);
    const auto flowArrow = [](Flow flow) {
        return flow == Flow::Bidirectional
                   ? QStringLiteral("⇄")
                   : arrow(flow == Flow::Forward ? Direction::Forward : Direction::Reverse);
    };
    QString way = arrow(Direction::Forward);
    if (const auto* options = std::get_if<ThroughputOptions>(&spec.options))
        way = flowArrow(options->flow);
    else if (const auto* udp = std::get_if<UdpOptions>(&spec.options))
        way = flowArrow(udp->flow);
    else if (const auto* soak = std::get_if<SoakOptions>(&spec.options))
        way = flowArrow(soak->flow);
    Endpoint far = spec.far;
    if (!needsPort(spec.options))
        far.port = 0; // says nothing here
    return Words::tr("%1 %2 %3", "kind, an arrow, far end")
        .arg(kindTitle(spec.kind()), way, farName(far));
}

} // namespace napkin
