// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/reach/reachsteps.h"

#include <QCoreApplication>

#include <algorithm>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::FarEndSteps)
};

bool isOpen(const ReachReport& report, PortReport AddressReport::* port)
{
    return std::any_of(report.addresses.begin(), report.addresses.end(),
                       [port](const AddressReport& one) {
                           return (one.*port).outcome == ReachOutcome::Reachable;
                       });
}

bool hasEchoed(const ReachReport& report)
{
    return std::any_of(
        report.addresses.begin(), report.addresses.end(),
        [](const AddressReport& one) { return one.echo.outcome == ReachOutcome::Reachable; });
}

} // namespace

std::vector<FarEndStepText> farEndSteps()
{
    return {
        {FarEndStep::Nothing,
         Words::tr("Nothing of its own"),
         Words::tr("Whether it answers, the round-trip time of an echo, and the MTU this machine "
                   "assumes."),
         {}},
        {FarEndStep::Iperf3, Words::tr("An iperf3 server"),
         Words::tr("Throughput each way, with retransmissions."),
         QStringLiteral("iperf3 --server")},
        {FarEndStep::NapkinServe, Words::tr("Napkin as server"),
         Words::tr("The same, with the CPU use of both ends as Napkin counts it, and no iperf3 to "
                   "install."),
         QStringLiteral("napkin-cli serve")},
        {FarEndStep::NapkinPeer, Words::tr("Napkin as paired peer"),
         Words::tr("The facts of both ends, which wire the data took, what else ran over it, and "
                   "measuring a cable from a third machine."),
         QStringLiteral("napkin-cli serve --peer")},
    };
}

StepState stateOf(FarEndStep step, const ReachReport& report)
{
    const bool server = isOpen(report, &AddressReport::iperf3);
    const bool peer = isOpen(report, &AddressReport::peer);
    switch (step) {
    case FarEndStep::Nothing:
        return report.hasAnswered() ? StepState::There : StepState::Absent;
    case FarEndStep::Iperf3:
    case FarEndStep::NapkinServe: // which of them listens is not asked
        return server ? StepState::Perhaps : StepState::Absent;
    case FarEndStep::NapkinPeer:
        break;
    }
    return peer ? StepState::Perhaps : StepState::Absent;
}

std::vector<QString> possibleNow(const ReachReport& report)
{
    std::vector<QString> all;
    if (hasEchoed(report))
        all.push_back(Words::tr("The round-trip time of echoes."));
    if (isOpen(report, &AddressReport::iperf3))
        all.push_back(Words::tr("Throughput and connection times, if what listens there is an "
                                "iperf3 or Napkin server."));
    if (isOpen(report, &AddressReport::peer))
        all.push_back(Words::tr("More once paired, if what listens there is a Napkin peer."));
    if (all.empty() && report.hasAnswered())
        all.push_back(Words::tr("That it answers, and no more: start a server there."));
    if (all.empty())
        all.push_back(Words::tr("Nothing: it answered nothing."));
    return all;
}

QString farEndStepName(FarEndStep step)
{
    switch (step) {
    case FarEndStep::Iperf3:
        return QStringLiteral("iperf3");
    case FarEndStep::NapkinServe:
        return QStringLiteral("napkin-serve");
    case FarEndStep::NapkinPeer:
        return QStringLiteral("napkin-peer");
    case FarEndStep::Nothing:
        break;
    }
    return QStringLiteral("nothing");
}

} // namespace napkin
