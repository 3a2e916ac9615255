// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/reach/reachreport.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ReachReport)
};

bool isAnswer(ReachOutcome outcome)
{
    return outcome == ReachOutcome::Reachable || outcome == ReachOutcome::Refused;
}

} // namespace

bool AddressReport::hasAnswered() const
{
    return isAnswer(echo.outcome) || isAnswer(iperf3.outcome) || isAnswer(peer.outcome);
}

bool ReachReport::hasAnswered() const
{
    return std::any_of(addresses.begin(), addresses.end(),
                       [](const AddressReport& one) { return one.hasAnswered(); });
}

QString reachOutcomeName(ReachOutcome outcome)
{
    switch (outcome) {
    case ReachOutcome::Reachable:
        return QStringLiteral("reachable");
    case ReachOutcome::Refused:
        return QStringLiteral("refused");
    case ReachOutcome::NotPermitted:
        return QStringLiteral("not-permitted");
    case ReachOutcome::NoAnswer:
        break;
    }
    return QStringLiteral("no-answer");
}

QString reachOutcomeText(ReachOutcome outcome)
{
    switch (outcome) {
    case ReachOutcome::Reachable:
        return Words::tr("reachable");
    case ReachOutcome::Refused:
        return Words::tr("refused");
    case ReachOutcome::NotPermitted:
        return Words::tr("not permitted");
    case ReachOutcome::NoAnswer:
        break;
    }
    return Words::tr("no answer");
}

QString echoMeansName(EchoMeans means)
{
    switch (means) {
    case EchoMeans::Datagram:
        return QStringLiteral("datagram");
    case EchoMeans::Raw:
        return QStringLiteral("raw");
    case EchoMeans::SystemPing:
        break;
    }
    return QStringLiteral("ping");
}

QString echoMeansText(EchoMeans means)
{
    switch (means) {
    case EchoMeans::Datagram:
        return Words::tr("ICMP datagram socket");
    case EchoMeans::Raw:
        return Words::tr("raw socket");
    case EchoMeans::SystemPing:
        break;
    }
    return Words::tr("the program ping");
}

} // namespace napkin
