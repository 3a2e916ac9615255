// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measurewords.h"

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
    return kind == ProbeKind::Throughput ? Words::tr("throughput") : Words::tr("connect time");
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
    const QString far = farName(spec.far);
    if (const auto* options = std::get_if<ThroughputOptions>(&spec.options)) {
        switch (options->flow) {
        case Flow::Forward:
            return Words::tr("Throughput → %1").arg(far);
        case Flow::Reverse:
            return Words::tr("Throughput ← %1").arg(far);
        case Flow::Bidirectional:
            return Words::tr("Throughput ⇄ %1").arg(far);
        }
    }
    return Words::tr("Connect time → %1").arg(far);
}

} // namespace napkin
