// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reachreport.h"

#include "app/cli/terminal.h"
#include "app/cli/textreport.h"
#include "core/measure/reach/reachsteps.h"
#include "core/quantity/format.h"

#include <QCoreApplication>
#include <QLocale>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::Reach)
};

Json jsonTime(const std::optional<Duration>& time)
{
    return time ? Json(time->count()) : Json(nullptr);
}

Json jsonWhy(const QString& why)
{
    return why.isEmpty() ? Json(nullptr) : jsonText(why);
}

Json jsonBytesRead(const Reading<int>& reading)
{
    return {{"bytes", reading.value ? Json(*reading.value) : Json(nullptr)},
            {"why_not", jsonWhy(reading.whyNot)}};
}

Json jsonPort(const PortReport& port)
{
    return {{"port", port.port},
            {"outcome", jsonText(reachOutcomeName(port.outcome))},
            {"why", jsonWhy(port.why)}};
}

Json jsonEcho(const EchoReport& echo)
{
    Json json{{"outcome", jsonText(reachOutcomeName(echo.outcome))},
              {"why", jsonWhy(echo.why)},
              {"means", echo.used ? jsonText(echoMeansName(*echo.used)) : Json(nullptr)},
              {"sent", echo.sent},
              {"received", echo.received},
              {"least_ns", jsonTime(echo.least)},
              {"median_ns", jsonTime(echo.median)}};
    json["not_used"] = Json::array();
    for (const EchoNotUsed& one : echo.notUsed)
        json["not_used"].push_back(
            {{"means", jsonText(echoMeansName(one.means))}, {"why", jsonWhy(one.why)}});
    return json;
}

Json jsonRoute(const Reading<RouteFacts>& route)
{
    if (!route.value)
        return {{"interface", nullptr},
                {"gateway", nullptr},
                {"source", nullptr},
                {"why_not", jsonWhy(route.whyNot)}};
    return {{"interface", jsonWhy(route.value->interfaceName)},
            {"gateway", jsonWhy(route.value->gateway)},
            {"source", jsonWhy(route.value->source)},
            {"why_not", nullptr}};
}

const char* stateName(StepState state)
{
    switch (state) {
    case StepState::There:
        return "there";
    case StepState::Perhaps:
        return "perhaps";
    case StepState::Absent:
        break;
    }
    return "absent";
}

QString stateText(StepState state)
{
    switch (state) {
    case StepState::There:
        return Words::tr("there");
    case StepState::Perhaps:
        return Words::tr("perhaps there");
    case StepState::Absent:
        break;
    }
    return Words::tr("not there");
}

QString withReason(const QString& text, const QString& why)
{
    return why.isEmpty() ? text : Words::tr("%1: %2").arg(text, why);
}

QString routeText(const Reading<RouteFacts>& route)
{
    if (!route.value)
        return withReason(Words::tr("none"), route.whyNot);
    const RouteFacts& way = *route.value;
    const QString interface =
        way.interfaceName.isEmpty() ? Words::tr("an unknown interface") : way.interfaceName;
    if (way.gateway.isEmpty())
        return Words::tr("%1, from %2").arg(interface, way.source);
    return Words::tr("%1, from %2, through the gateway %3").arg(interface, way.source, way.gateway);
}

QString echoText(const EchoReport& echo)
{
    if (echo.outcome != ReachOutcome::Reachable)
        return withReason(reachOutcomeText(echo.outcome), echo.why);
    return Words::tr("%1 of %Ln answered, RTT %2 median, %3 least", nullptr, echo.sent)
        .arg(QLocale().toString(echo.received), formatDuration(*echo.median),
             formatDuration(*echo.least));
}

QString meansText(const EchoReport& echo)
{
    QStringList parts;
    if (echo.used)
        parts << echoMeansText(*echo.used);
    for (const EchoNotUsed& one : echo.notUsed)
        parts << Words::tr("not by %1: %2").arg(echoMeansText(one.means), one.why);
    return parts.join(QStringLiteral("; "));
}

QString mtuText(const Reading<int>& mtu)
{
    return mtu.value ? Words::tr("%1 bytes").arg(QLocale().toString(*mtu.value))
                     : withReason(Words::tr("not known"), mtu.whyNot);
}

QString pathMtuText(const AddressReport& one)
{
    if (!one.pathMtu.value)
        return mtuText(one.pathMtu);
    return Words::tr("%1 is what the kernel believes, not verified; the interface has %2")
        .arg(mtuText(one.pathMtu), mtuText(one.interfaceMtu));
}

QString portText(const PortReport& port)
{
    const QString text = port.outcome == ReachOutcome::Reachable
                             ? Words::tr("takes connections; what listens there was not asked")
                             : withReason(reachOutcomeText(port.outcome), port.why);
    return Words::tr("port %1 %2").arg(port.port).arg(text);
}

QString indented(const QString& text, int width, int indent)
{
    return QString(indent, u' ') + wrapped(text, width, indent);
}

QStringList addressLines(const AddressReport& one, int width)
{
    Fields fields;
    fields.add(Words::tr("Route"), routeText(one.route));
    fields.add(Words::tr("Echo"), echoText(one.echo));
    fields.add(Words::tr("Echo by"), meansText(one.echo));
    fields.add(Words::tr("Path MTU"), pathMtuText(one));
    fields.add(Words::tr("iperf3"), portText(one.iperf3));
    fields.add(Words::tr("Napkin peer"), portText(one.peer));
    return QStringList{one.address} + fields.lines(width);
}

} // namespace

Json jsonReach(const ReachReport& report)
{
    Json json{{"host", jsonText(report.host)},
              {"answered", report.hasAnswered()},
              {"addresses_left_out", report.addressesLeftOut}};
    json["addresses"] = Json::array();
    for (const AddressReport& one : report.addresses)
        json["addresses"].push_back({{"address", jsonText(one.address)},
                                     {"route", jsonRoute(one.route)},
                                     {"echo", jsonEcho(one.echo)},
                                     {"kernel_path_mtu", jsonBytesRead(one.pathMtu)},
                                     {"interface_mtu", jsonBytesRead(one.interfaceMtu)},
                                     {"iperf3", jsonPort(one.iperf3)},
                                     {"peer", jsonPort(one.peer)}});
    json["possible_now"] = Json::array();
    for (const QString& sentence : possibleNow(report))
        json["possible_now"].push_back(jsonText(sentence));
    json["steps"] = Json::array();
    for (const FarEndStepText& step : farEndSteps())
        json["steps"].push_back({{"step", jsonText(farEndStepName(step.step))},
                                 {"state", stateName(stateOf(step.step, report))},
                                 {"brings", jsonText(step.brings)},
                                 {"command", jsonWhy(step.command)}});
    return json;
}

QString reachText(const ReachReport& report, int width)
{
    QStringList lines;
    for (const AddressReport& one : report.addresses)
        lines << addressLines(one, width) << QString();
    if (report.addressesLeftOut > 0)
        lines << Words::tr("%Ln further addresses were not tried.", nullptr,
                           report.addressesLeftOut)
              << QString();
    lines << Words::tr("What can be measured now");
    for (const QString& sentence : possibleNow(report))
        lines << indented(sentence, width, 2);
    lines << QString() << Words::tr("What each step up brings");
    for (const FarEndStepText& step : farEndSteps()) {
        lines << Words::tr("  %1 (%2)").arg(step.what, stateText(stateOf(step.step, report)));
        lines << indented(step.brings, width, 4);
        if (!step.command.isEmpty())
            lines << QStringLiteral("    ") + step.command;
    }
    return lines.join(u'\n');
}

} // namespace napkin::cli
